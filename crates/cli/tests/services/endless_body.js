import { createServer } from 'node:http';

createServer((_req, res) => {
  const timer = setInterval(() => res.write('more and '), 20);
  res.on('close', () => clearInterval(timer));
}).listen(process.env.PORT, '127.0.0.1');
