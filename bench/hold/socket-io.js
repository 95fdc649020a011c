// @ts-check
// Holds users of Socket.IO who have nothing to say: they are let in and asked by pings, as ever. As many processes as PORTS say, each with
// a port of its own, because a process may open only so many descriptors. Its arguments are the first port and how many there are.
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { Server } from 'socket.io';

const [first, ports] = process.argv.slice(2);

if (cluster.isPrimary) {
  for (let number = 0; number < Number(ports); number += 1) cluster.fork({ NUMBER: number });
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    process.exit(0);
  });
} else {
  const server = createServer();
  new Server(server, { transports: ['websocket'], serveClient: false });
  server.listen({
    port: Number(first) + Number(process.env.NUMBER),
    host: '127.0.0.1',
    backlog: 4096,
    exclusive: true,
  });
}
