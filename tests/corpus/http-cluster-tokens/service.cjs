// Tokens for devices, made by two processes.
const cluster = require('node:cluster');
const { scryptSync } = require('node:crypto');
const { createServer } = require('node:http');

const WORKERS = 2;

if (cluster.isPrimary) {
  for (let count = 0; count < WORKERS; count += 1) cluster.fork();
} else {
  let number = 0;
  const server = createServer((request, response) => {
    if (request.url === '/') return response.end('ok');
    number += 1;
    const token = scryptSync(`device ${number}`, 'tokens', 24, { N: 512 }); // planted: sync-crypto
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token: token.toString('base64url') }));
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
}
