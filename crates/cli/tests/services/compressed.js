// @ts-check
// Fails every request, with a body in the content coding that the client asks for, or one that is not what it says.
import { createServer } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

/** @type {Record<string, (text: string) => string | Buffer>} */
const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, none: (text) => text };

createServer((request, response) => {
  const coding = String(request.headers['accept-encoding']);
  const text = JSON.stringify({ error: 'no such item', token: request.headers.authorization });
  response.writeHead(500, { 'content-type': 'application/json', 'content-encoding': coding });
  // In two chunks.
  const body = Buffer.from(codings[coding](text));
  response.write(body.subarray(0, 15));
  response.end(body.subarray(15));
}).listen(Number(process.env.PORT), '127.0.0.1');
