// @ts-check
// A service of Node.js with known response times: each message on a WebSocket gets itself back, each event of Socket.IO its acknowledgement.
// Its arguments are what it speaks, the port, and `delay MS` or `freeze PERIOD_MS FREEZE_MS`: its event loop stands still in the last part of
// each period, the first of which begins with the first message.
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { WebSocketServer } from 'ws';

const [protocol, port, mode, ...numbers] = process.argv.slice(2);
const [first = 0, second = 0] = numbers.map(Number);

/** @type {Record<string, (respond: () => void) => void>} */
const modes = {
  delay: (respond) => void setTimeout(respond, first),
  freeze: (respond) => {
    begin();
    respond();
  },
};
const serve = modes[mode ?? ''];
if (serve === undefined) throw new Error(`no such mode: ${mode}`);

/** When the first period began. */
let began_ms = 0;

function begin() {
  if (began_ms > 0) return;
  began_ms = performance.now();
  freezeIn(1);
}

/** @param {number} period */
function freezeIn(period) {
  const thaw_ms = began_ms + period * first;
  setTimeout(
    () => {
      while (performance.now() < thaw_ms);
      freezeIn(period + 1);
    },
    thaw_ms - second - performance.now(),
  );
}

const server = createServer();
if (protocol === 'socket-io') {
  const io = new Server(server, { transports: ['websocket'] });
  io.on('connection', (socket) => {
    socket.on('ask', (acknowledge) => serve(() => acknowledge()));
  });
} else {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (client) => {
    client.on('message', (message, isBinary) => serve(() => client.send(message, { binary: isBinary })));
  });
}
server.listen(Number(port), '127.0.0.1', 4096);
