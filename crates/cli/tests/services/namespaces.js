// Namespaces of Socket.IO that let clients in, or do not; and what socket.io-client comes to in each, in the file ORACLE, before the
// service listens. The file SEEN has a line for each client that has gone: why, in the words of the service; those of socket.io-client first.
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { io as connect } from 'socket.io-client';

function serve(port) {
  const server = createServer((_, response) => response.end('ok'));
  const io = new Server(server, { serveClient: false, connectTimeout: 300 });
  io.of('/members').use((_, next) => next(new Error('members only')));
  io.of('/polled').use(({ handshake }, next) =>
    next(handshake.query.transport === 'polling' ? undefined : new Error('polls first')),
  );
  for (const name of ['/', '/open', '/members', '/polled']) {
    io.of(name).on('connection', (socket) => {
      socket.on('ask', (heard) =>
        socket.conn.transport.name === 'websocket' ? heard('yes') : socket.disconnect(),
      );
      socket.on('leave', () => socket.disconnect());
      socket.on('disconnect', (reason) => appendFileSync(process.env.SEEN, `${reason}\n`));
    });
  }
  server.listen(port, '127.0.0.1');
  return { server, io };
}

async function ask(url, event, transports) {
  const socket = connect(url, { transports, reconnection: false, forceNew: true });
  const emit = (resolve) => socket.emit(event, () => resolve('acknowledged'));
  const outcome = new Promise((resolve) => {
    socket.once('connect_error', ({ message }) => resolve(`refused: ${message}`));
    socket.once('disconnect', (reason) => resolve(`disconnected: ${reason}`));
    socket.once('connect', () => {
      const { engine } = socket.io;
      if (engine.transport.name === 'websocket') emit(resolve);
      else engine.once('upgrade', () => emit(resolve));
    });
  });
  const result = await outcome;
  socket.disconnect();
  return result;
}

const first = serve(0);
await once(first.server, 'listening');
const url = `http://127.0.0.1:${first.server.address().port}`;
const seen = { websocket: {}, upgrade: {} };
for (const [namespace, event] of [
  ['/', 'ask'],
  ['/open', 'ask'],
  ['/members', 'ask'],
  ['/polled', 'ask'],
  ['/unknown', 'ask'],
  ['/open', 'leave'],
]) {
  seen.websocket[`${namespace} ${event}`] = await ask(url + namespace, event, ['websocket']);
  seen.upgrade[`${namespace} ${event}`] = await ask(url + namespace, event, ['polling', 'websocket']);
}
writeFileSync(process.env.ORACLE, JSON.stringify(seen));
await first.io.close();
serve(Number(process.env.PORT));
