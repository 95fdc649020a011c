// @ts-check
// A proxy: passes on requests that have a whole URL, and opens tunnels. Every host is this machine. WANTED is what
// `proxy-authorization` has to be, if anything. Says in SEEN, a header of its responses, how it was asked.
import { request as ask, createServer } from 'node:http';
import { connect } from 'node:net';

const { PORT, WANTED } = process.env;
const refused = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n';

const proxy = createServer((incoming, response) => {
  if (WANTED !== incoming.headers['proxy-authorization']) {
    response.writeHead(407).end();
    return;
  }
  if (!URL.canParse(incoming.url ?? '')) {
    response.writeHead(400).end('no whole URL');
    return;
  }
  const { pathname, port, search } = new URL(incoming.url ?? '');
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  const outgoing = ask(
    { host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers },
    (found) => {
      response.writeHead(found.statusCode ?? 502, found.headers);
      found.pipe(response);
    },
  );
  outgoing.on('error', () => response.writeHead(502).end());
  incoming.pipe(outgoing);
});

proxy.on('connect', (incoming, socket, head) => {
  if (WANTED !== incoming.headers['proxy-authorization']) {
    socket.end(refused);
    return;
  }
  const port = Number(String(incoming.url).split(':').pop());
  const service = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    service.write(head);
    service.pipe(socket).pipe(service);
  });
  service.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  socket.on('error', () => service.destroy());
});

proxy.listen(Number(PORT), '127.0.0.1');
