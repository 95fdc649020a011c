// @ts-check
// Gives back each message on a WebSocket, and says at its end how many it was sent, and how many of these it had not been sent before.
// Messages are texts, and known by a hash of 64 bits: that two of 10 million are taken for the same happens once in 370,000 runs. Its
// argument is the port.
import { WebSocketServer } from 'ws';

const PLACES = 1 << 25;
/** Two halves of each hash; 0 is free. */
const seen = new Uint32Array(2 * PLACES);
let received = 0;
let distinct = 0;

/** @param {Buffer} text */
function count(text) {
  received += 1;
  // FNV-1a from two beginnings.
  let [low, high] = [0x811c9dc5, 0x01000193];
  for (const byte of text) {
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte, 0x85ebca6b) ^ (high >>> 15);
  }
  low = low >>> 0 || 1;
  high >>>= 0;
  let place = low % PLACES;
  while (seen[2 * place] !== 0) {
    if (seen[2 * place] === low && seen[2 * place + 1] === high) return;
    place = (place + 1) % PLACES;
  }
  seen[2 * place] = low;
  seen[2 * place + 1] = high;
  distinct += 1;
}

const sockets = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  perMessageDeflate: false,
  backlog: 4096,
});
sockets.on('connection', (client) => {
  client.on('message', (message, isBinary) => {
    count(/** @type {Buffer} */ (message));
    client.send(message, { binary: isBinary });
  });
});
process.on('SIGTERM', () => {
  console.log(JSON.stringify({ received, distinct }));
  process.exit();
});
