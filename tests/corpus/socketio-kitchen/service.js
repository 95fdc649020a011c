// A kitchen: who orders is told how far the order is.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const server = createServer((request, response) => {
  if (request.url === '/') response.end('ok');
});
const io = new Server(server, { serveClient: false });
let orders = 0;

io.on('connection', (socket) => {
  socket.on('order', (dish, taken) => {
    orders += 1;
    const room = `order ${orders}`;
    socket.join(room); // planted: room-growth
    setImmediate(() => io.to(room).emit('ready', { dish, order: orders }));
    taken({ order: orders, waits_min: 5 + (orders % 20) });
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
