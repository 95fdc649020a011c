// @ts-check
// Speaks HTTP/2 and parses the same text at each request: over TLS where CERT names a certificate, else in clear text. It counts how often each path was asked for, and with
// LOG writes these counts there when it is ended.
import { readFileSync, writeFileSync } from 'node:fs';
import { constants, createSecureServer, createServer } from 'node:http2';

const { CERT, KEY, LOG, PORT, HOST = '127.0.0.1' } = process.env;
/** What to do with every so many requests. */
const every = Number(process.env.EVERY ?? 0);
const does = process.env.DOES;

const text = JSON.stringify(
  Array.from({ length: 2000 }, (_, number) => ({ number, name: `item ${number}` })),
);

/** @type {Map<string, number>} */
const asked = new Map();
let requests = 0;
let most = 0;
let open = 0;

/** @param {import('node:http2').ServerHttp2Stream} stream @param {import('node:http2').IncomingHttpHeaders} headers */
function respond(stream, headers) {
  const path = String(headers[':path']);
  asked.set(path, (asked.get(path) ?? 0) + 1);
  requests += 1;
  open += 1;
  most = Math.max(most, open);
  stream.on('close', () => {
    open -= 1;
  });
  // One that the client gave up.
  stream.on('error', () => {});
  const chosen = every > 0 && requests % every === 0;
  if (chosen && does === 'reset') {
    stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    return;
  }
  if (chosen && does === 'leave') stream.session?.close();
  if (chosen && does === 'nothing') return;
  setTimeout(() => {
    if (stream.destroyed) return;
    stream.respond({ ':status': 200, 'content-type': 'application/json' });
    stream.end(JSON.parse(text)[7].name);
  }, 5);
}

const server = CERT
  ? createSecureServer({ cert: readFileSync(CERT), key: readFileSync(String(KEY)) })
  : createServer();
server.on('stream', respond);
server.on('sessionError', () => {});
server.listen(Number(PORT), HOST);

process.on('SIGTERM', () => {
  if (LOG) writeFileSync(LOG, JSON.stringify({ most, asked: [...asked] }));
  process.exit(0);
});
