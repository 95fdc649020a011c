// @ts-check
// Speaks HTTP/2, over TLS where CERT names a certificate. A stream of `/events` never ends, one of `/poll` ends after a few milliseconds. Once ALL
// streams are there, it does what WHEN_FULL says: `reset 5` gives up that many of them, `leave` says on their first connection
// that it sees nothing more there, and then ends what is on it, and `break` ends that connection with an error.
import { readFileSync } from 'node:fs';
import { constants, createSecureServer, createServer } from 'node:http2';

const { ALL, CERT, KEY, PORT, WHEN_FULL = '' } = process.env;
/** @type {Set<import('node:http2').ServerHttp2Stream>} */
const held = new Set();

/** @param {import('node:http2').ServerHttp2Stream} stream @param {import('node:http2').IncomingHttpHeaders} headers */
function hold(stream, headers) {
  held.add(stream);
  stream.on('close', () => held.delete(stream));
  // One that the client gave up.
  stream.on('error', () => {});
  if (headers[':path'] === '/poll') {
    setTimeout(() => {
      if (stream.destroyed) return;
      stream.respond({ ':status': 200, 'sent-monotonic-ns': String(process.hrtime.bigint()) });
      stream.end('{"sprite":1}');
    }, 20);
    return;
  }
  stream.respond({ ':status': 200, 'content-type': 'text/event-stream' });
  stream.write(': hello\n\n');
  if (held.size === Number(ALL)) act();
}

function act() {
  const [how, count] = WHEN_FULL.split(' ');
  const streams = [...held];
  const first = streams[0]?.session;
  if (how === 'reset') {
    for (const stream of streams.slice(0, Number(count))) stream.destroy(new Error('given up'));
  }
  if (how === 'leave') {
    first?.close();
    for (const stream of streams) if (stream.session === first) stream.end();
  }
  if (how === 'break') first?.destroy(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

const server = CERT
  ? createSecureServer({ cert: readFileSync(CERT), key: readFileSync(String(KEY)) })
  : createServer();
server.on('stream', hold);
server.on('sessionError', () => {});
server.listen(Number(PORT), '127.0.0.1', () => console.log('listening'));
