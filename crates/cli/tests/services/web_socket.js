// WebSockets of npm `ws`: of `/echo` each gets back what it says, of `/chat` all but the sender, of `/all` everybody. Each LOSE'th message
// goes to nobody, or in a chat to one fewer; each DOUBLE'th goes out twice, or in a chat twice to one; each LATE'th after half a second.
// Behind number FREEZE the event loop stands still for 700 ms. `/refuse` is refused with 403, and with CLOSE each connection is closed with
// that code once it says something. With DEFLATE it compresses messages, which refer to each other if it is `context`. With CERT and KEY all is
// over TLS. Behind the end of each connection the file SEEN has a line: how many messages it carried, and the code that it was closed with.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { WebSocketServer } from 'ws';

const { LOSE = '0', DOUBLE = '0', LATE = '0', FREEZE, CLOSE, DEFLATE, CERT, KEY, SEEN, PORT } = process.env;
/** @param {string} each @param {number} count */
const isOne = (each, count) => Number(each) > 0 && count % Number(each) === 0;

const server =
  CERT && KEY ? createSecureServer({ cert: readFileSync(CERT), key: readFileSync(KEY) }) : createServer();
const sockets = new WebSocketServer({
  noServer: true,
  perMessageDeflate: DEFLATE ? { threshold: 0, serverNoContextTakeover: DEFLATE !== 'context' } : false,
  handleProtocols: (offered) => [...offered][0] ?? false,
});
let count = 0;

server.on('upgrade', (request, socket, head) => {
  if (request.url?.startsWith('/refuse')) {
    // Who is refused may reset the connection.
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 12\r\nconnection: close\r\n\r\nmembers only');
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client, request));
});

sockets.on('connection', (client, request) => {
  if (DEFLATE && client.extensions !== 'permessage-deflate') {
    client.close(1010);
    return;
  }
  // A client has to send a pong, and to keep both apart from what the service says.
  client.ping('still there?');
  let messages = 0;
  if (SEEN) client.on('close', (code) => appendFileSync(SEEN, `${messages} ${code}\n`));
  client.on('message', (message) => {
    count++;
    messages++;
    if (CLOSE) {
      client.close(Number(CLOSE), 'enough of that');
      return;
    }
    const everybody = [...sockets.clients];
    const receivers = {
      '/echo': [client],
      '/chat': everybody.filter((other) => other !== client),
      '/all': everybody,
    };
    const path = /** @type {keyof receivers} */ (request.url?.split('?')[0]);
    const to = receivers[path] ?? [];
    if (isOne(LOSE, count)) to.pop();
    if (isOne(DOUBLE, count) && to[0]) to.push(to[0]);
    const late = isOne(LATE, count) ? 500 : 0;
    for (const other of to) {
      if (late) setTimeout(speak, late, other, String(message));
      else speak(other, String(message));
    }
    if (count === Number(FREEZE)) {
      const until = Date.now() + 700;
      while (Date.now() < until);
    }
  });
});

/** In two fragments, with a ping between them. @param {import('ws').WebSocket} client @param {string} text */
function speak(client, text) {
  client.send(text.slice(0, 12), { fin: false });
  client.ping();
  client.send(text.slice(12), { fin: true });
}

server.listen(PORT, '127.0.0.1', () => console.log('listening'));
