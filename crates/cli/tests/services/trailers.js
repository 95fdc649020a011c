// @ts-check
// Responds to calls of gRPC as no server of gRPC does: what `x-does` asks for.
import { createServer } from 'node:http2';

const { PORT, HOST = '127.0.0.1' } = process.env;

/** One message of two bytes. */
const message = Buffer.from([0, 0, 0, 0, 2, 8, 1]);
const sequences = '%1b[2J%1b]0;title%07%0d%0a%e2%80%ae'.repeat(100);

/** @type {Record<string, import('node:http2').OutgoingHttpHeaders>} */
const trailers = {
  'no-status': { 'x-other': 'y' },
  'hostile-words': { 'grpc-status': '13', 'grpc-message': sequences },
  'no-number': { 'grpc-status': 'well' },
  'status-99': { 'grpc-status': '99' },
};

const server = createServer();
server.on('stream', (stream, headers) => {
  const does = String(headers['x-does']);
  stream.on('error', () => {});
  if (does === 'page') {
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('<html>');
    return;
  }
  if (does === 'gateway') {
    stream.respond({ ':status': 502 });
    stream.end('no service');
    return;
  }
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers[does] ?? {}));
  stream.end(message);
});
server.on('sessionError', () => {});
server.listen(Number(PORT), HOST);
