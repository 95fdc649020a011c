// Says who it is in the file `pid`, and responds for as long as it lives. With END_PROBE it ends the probe's thread after
// a hundred requests.
'use strict';
const fs = require('node:fs');
const http = require('node:http');

let probe;
// Node.js 20 has a thread for hooks of modules first.
process.on('worker', (worker) => {
  probe = worker;
});

let requests = 0;
const server = http.createServer((_request, response) => {
  requests += 1;
  if (requests === 100 && process.env.END_PROBE) probe?.terminate();
  response.end(JSON.stringify({ requests }));
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => fs.writeFileSync('pid', String(process.pid)));
