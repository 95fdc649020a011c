// A ticker: who sets a price tells all who watch. A price is written once, and who leaves stops listening.
import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const prices = new EventEmitter();
prices.setMaxListeners(0);
const server = createServer((_, response) => response.end('ok'));
const ticker = new WebSocketServer({ server, path: '/prices' });

ticker.on('connection', (socket) => {
  const tell = (/** @type {string} */ text) => socket.send(text);
  prices.on('set', tell);
  socket.on('close', () => prices.off('set', tell));
  socket.on('message', (data) => {
    const { id, share, cents } = JSON.parse(String(data));
    prices.emit('set', JSON.stringify({ id, share, cents, at: 1_764_000_000 + Number(cents) }));
  });
});
server.listen(Number(process.env.PORT), '127.0.0.1');
