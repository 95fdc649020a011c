// @ts-check
// Speaks HTTP/2 in clear text: by streams, and at /compat by the interface of node:http.
'use strict';
const http2 = require('node:http2');

const text = 'text '.repeat(1000);
const server = http2.createServer();
server.on('stream', (stream, headers) => {
  if (headers[':path'] === '/compat') return;
  JSON.parse('{}');
  stream.respond({ ':status': 200, 'content-type': 'text/plain', etag: '"1"' });
  stream.write(text);
  setTimeout(() => stream.end(text), 20);
});
server.on('request', (request, response) => {
  if (request.url === '/compat') response.end(text);
});
server.listen(0, '127.0.0.1');
