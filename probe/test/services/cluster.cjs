// A primary with two workers.
const cluster = require('node:cluster');
const http = require('node:http');

if (cluster.isPrimary) {
  for (let count = 0; count < 2; count += 1) cluster.fork();
} else {
  http.createServer((_, response) => response.end('fine')).listen(Number(process.env.PORT), '127.0.0.1');
}
