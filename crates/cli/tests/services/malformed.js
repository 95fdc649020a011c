import { createServer } from 'node:net';

createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write('HELO, this is not HTTP\r\n\r\n'));
}).listen(process.env.PORT, '127.0.0.1');
