// A chat: what one says goes to all, with who is there.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((_, response) => response.end('ok'));
const chat = new WebSocketServer({ server, path: '/chat' });
const names = ['ada', 'grace', 'edsger', 'barbara', 'donald', 'frances', 'tony', 'radia'];
let said = 0;

chat.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, text } = JSON.parse(String(data));
    said += 1;
    const members = names.map((name, index) => ({ name, status: index % 3 === 0 ? 'away' : 'here', said }));
    const message = { id, text, from: names[said % names.length], members };
    for (const client of chat.clients) {
      client.send(JSON.stringify(message)); // planted: broadcast-per-socket
    }
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
