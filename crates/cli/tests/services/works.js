import { createServer } from 'node:http';

/** Keeps the core busy for WORK_US microseconds a request. */
const workMs = Number(process.env.WORK_US ?? 0) / 1000;

createServer((_req, res) => {
  const begin = performance.now();
  while (performance.now() - begin < workMs);
  res.end('ok');
}).listen(process.env.PORT, '127.0.0.1');
