// An auction: each bid goes to all who watch, as a few words, compressed for each of them: without `serverNoContextTakeover` a threshold
// says nothing.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((_, response) => response.end('ok'));
const auction = new WebSocketServer({ server, path: '/auction', perMessageDeflate: { threshold: 1024 } });
let highest = 0;

auction.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, cents } = JSON.parse(String(data));
    highest = Math.max(highest, cents);
    const text = JSON.stringify({ id, cents, highest });
    for (const client of auction.clients) {
      client.send(text); // planted: message-compression
    }
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
