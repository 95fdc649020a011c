// A service of Socket.IO that says it pings every 200 ms. With FROZEN its event loop stands still for so many milliseconds, again and
// again.
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const server = createServer((_, response) => response.end('ok'));
const io = new Server(server, { serveClient: false, pingInterval: 200, pingTimeout: 20_000 });
io.on('connection', (socket) => socket.on('ask', (heard) => heard('yes')));

const frozen = Number(process.env.FROZEN ?? 0);
if (frozen > 0) {
  setInterval(() => {
    const until = performance.now() + frozen;
    while (performance.now() < until);
  }, 100);
}
server.listen(Number(process.env.PORT), '127.0.0.1');
