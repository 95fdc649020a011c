// What one says on a WebSocket goes to all; and what is added for each message, of which some is taken away again.
const { EventEmitter } = require('node:events');
const http = require('node:http');
const { Server } = require('socket.io');
const { WebSocketServer } = require('ws');

const leaking = new EventEmitter().setMaxListeners(0);
const tidy = new EventEmitter().setMaxListeners(0);
const server = http.createServer((_, response) => response.end('ok'));
const plain = new WebSocketServer({ noServer: true });
const compressed = new WebSocketServer({ noServer: true, perMessageDeflate: { threshold: 0 } });
const io = new Server(server, { path: '/rooms', destroyUpgrade: false });
let asked = 0;

for (const all of [plain, compressed]) {
  all.on('connection', (socket) => {
    socket.on('message', (data) => {
      for (let count = 0; count < 3; count += 1) {
        leaking.on('news', () => {}); // line: listener
        const once = () => {};
        tidy.on('news', once);
        tidy.off('news', once);
      }
      for (const client of all.clients) client.send(String(data)); // line: send
    });
  });
}
io.on('connection', (socket) => {
  socket.on('ask', (heard) => {
    asked += 1;
    socket.join(`question ${asked}`); // line: room
    heard(asked);
  });
});
server.on('upgrade', (request, socket, head) => {
  const all = { '/plain': plain, '/compressed': compressed }[request.url];
  all?.handleUpgrade(request, socket, head, (client) => all.emit('connection', client, request));
});
server.listen(0, '127.0.0.1');
