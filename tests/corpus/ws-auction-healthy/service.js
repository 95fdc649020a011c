// An auction: each bid goes to all who watch, as a few words, sent as they are. The catalogue, which few ask for, is compressed.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer((_, response) => response.end('ok'));
const perMessageDeflate = { threshold: 1024, serverNoContextTakeover: true };
const auction = new WebSocketServer({ server, path: '/auction', perMessageDeflate });
const lots = Array.from({ length: 60 }, (_, lot) => ({
  lot,
  title: `lot ${lot}, a chair`,
  cents: 100 * lot,
}));
const catalogue = JSON.stringify(lots);
let highest = 0;
let bids = 0;

auction.on('connection', (socket) => {
  socket.on('message', (data) => {
    const { id, cents } = JSON.parse(String(data));
    highest = Math.max(highest, cents);
    bids += 1;
    const text = JSON.stringify({ id, cents, highest });
    for (const client of auction.clients) client.send(text);
    if (bids % 50 === 0) socket.send(catalogue);
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
