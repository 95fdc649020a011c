// Thumbnails: a program makes them, and they are known by a hash of what they show.
import { execFile } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { createServer } from 'node:http';

const picture = Buffer.alloc(4096, 'picture');

function scaled(name) {
  return new Promise((resolve, reject) => {
    const done = (error, stdout) => (error ? reject(error) : resolve(stdout));
    execFile('/bin/echo', [`thumbnail of ${name}`], done); // planted: process-per-request
  });
}

const server = createServer(async (request, response) => {
  if (request.url === '/') return response.end('ok');
  const text = await scaled(request.url);
  const tag = pbkdf2Sync(picture, text, 2000, 16, 'sha256').toString('hex'); // planted: sync-crypto
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ tag, text }));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
