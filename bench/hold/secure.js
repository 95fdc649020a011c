// @ts-check
// Holds connections over TLS: nothing responds, nothing ends. As many processes as PORTS say, each with a port of its own, because a
// process may open only so many descriptors. Its arguments are the first port, how many there are, and the files of key and certificate.
import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [first, ports, key, cert] = process.argv.slice(2);

if (cluster.isPrimary) {
  for (let number = 0; number < Number(ports); number += 1) cluster.fork({ NUMBER: number });
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    process.exit(0);
  });
} else {
  const server = createServer({ key: readFileSync(String(key)), cert: readFileSync(String(cert)) }, () => {});
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.listen({
    port: Number(first) + Number(process.env.NUMBER),
    host: '127.0.0.1',
    backlog: 4096,
    exclusive: true,
  });
}
