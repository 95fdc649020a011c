// Rooms of a chat: who says something says it to a room, and is told that it was heard.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const server = createServer((request, response) => {
  if (request.url === '/') response.end('ok');
});
const io = new Server(server, { serveClient: false });
let rooms = 0;

io.on('connection', (socket) => {
  rooms += 1;
  const room = `room ${rooms % 4}`;
  socket.join(room);
  socket.on('say', (text, heard) => {
    socket.to(room).emit('said', { from: socket.id, text });
    heard({ room });
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
