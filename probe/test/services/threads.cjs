// A service of two threads, each with a server of its own.
const http = require('node:http');
const { isMainThread, Worker } = require('node:worker_threads');

const server = http.createServer((_, response) => {
  response.end(JSON.stringify({ isMainThread }));
});
server.listen(0, '127.0.0.1');
if (isMainThread) new Worker(__filename);
