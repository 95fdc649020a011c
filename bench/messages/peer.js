// @ts-check
// Asks as plimsoll does, with the client that applications use: each connection says something, and again once it has its response. Its
// arguments are what it speaks, `ws` or `socket.io`, the port, the connections and the seconds. Prints how many responses came.
import { once } from 'node:events';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

const [speaks, port, connections, seconds] = process.argv.slice(2);
const SAID = 'of-16-characters';
let passed = 0;
let over = false;

/** A connection of npm `ws`, once it is open. */
async function webSocket() {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { perMessageDeflate: false });
  await once(socket, 'open');
  return async () => {
    const heard = once(socket, 'message');
    socket.send(SAID);
    await heard;
  };
}

/** One of `socket.io-client`, once it is let in. */
async function socketIo() {
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], forceNew: true });
  await new Promise((open) => socket.once('connect', () => open(undefined)));
  return () => socket.emitWithAck('say', SAID);
}

const open = speaks === 'ws' ? webSocket : socketIo;
const all = await Promise.all(Array.from({ length: Number(connections) }, open));
setTimeout(() => {
  over = true;
}, Number(seconds) * 1000);
await Promise.all(
  all.map(async (ask) => {
    while (!over) {
      await ask();
      passed += 1;
    }
  }),
);
console.log(JSON.stringify({ totals: { passed, completed: passed } }));
process.exit(0);
