'use strict';
// Works for WORK_US in each request, and says at its end who sent how many, how many connections each opened, and when the first request
// of each came: OUT.

const { writeFileSync } = require('node:fs');
const { createServer } = require('node:http');

const work_ns = BigInt(process.env.WORK_US) * 1000n;
/** @type {Record<string, { requests: number, connections: number, first_ns: string | null }>} */
const senders = {};

const sender = (socket) =>
  (senders[socket.remoteAddress] ??= { requests: 0, connections: 0, first_ns: null });

function work() {
  const end = process.hrtime.bigint() + work_ns;
  let sum = 0;
  while (process.hrtime.bigint() < end) for (let i = 0; i < 100; i += 1) sum += Math.sqrt(i);
  return sum;
}

const server = createServer((request, response) => {
  const from = sender(request.socket);
  from.requests += 1;
  from.first_ns ??= String(process.hrtime.bigint());
  // Who is held waits.
  if (request.url === '/held') return;
  response.end(String(work()));
});
server.on('connection', (socket) => {
  sender(socket).connections += 1;
});
server.listen(Number(process.env.PORT), process.env.HOST);

process.on('SIGTERM', () => {
  writeFileSync(process.env.OUT, JSON.stringify(senders));
  process.exit(0);
});
