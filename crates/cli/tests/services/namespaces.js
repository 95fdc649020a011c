// Namespaces of Socket.IO that let clients in, or do not; and what socket.io-client comes to in each, in the file ORACLE, before the
// service listens.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';

function serve(port) {
  const server = createServer((_, response) => response.end('ok'));
  const io = new Server(server, { serveClient: false, connectTimeout: 300 });
  const members = io.of('/members');
  members.use((_, next) => next(new Error('members only')));
  for (const name of ['/', '/open', '/members']) {
    io.of(name).on('connection', (socket) => {
      socket.on('ask', (heard) => heard('yes'));
      socket.on('leave', () => socket.disconnect());
    });
  }
  server.listen(port, '127.0.0.1');
  return { server, io };
}

async function ask(url, event) {
  const socket = connect(url, { transports: ['websocket'], reconnection: false, forceNew: true });
  const outcome = new Promise((resolve) => {
    socket.once('connect_error', ({ message }) => resolve(`refused: ${message}`));
    socket.once('disconnect', (reason) => resolve(`disconnected: ${reason}`));
    socket.once('connect', () => socket.emit(event, () => resolve('acknowledged')));
  });
  const result = await outcome;
  socket.disconnect();
  return result;
}

const first = serve(0);
await once(first.server, 'listening');
const url = `http://127.0.0.1:${first.server.address().port}`;
const seen = {};
for (const [namespace, event] of [
  ['/', 'ask'],
  ['/open', 'ask'],
  ['/members', 'ask'],
  ['/unknown', 'ask'],
  ['/open', 'leave'],
]) {
  seen[`${namespace} ${event}`] = await ask(url + namespace, event);
}
writeFileSync(process.env.ORACLE, JSON.stringify(seen));
await first.io.close();
serve(Number(process.env.PORT));
