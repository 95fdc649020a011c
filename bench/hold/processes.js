// @ts-check
// As many processes as the second argument says, each with a server of its own on one of the ports from the first argument on, because a
// process may open only so many descriptors. They end with the one that starts them.
import cluster from 'node:cluster';

/** The arguments behind first port and number of ports. */
export const rest = process.argv.slice(4);

/** @param {() => import('node:net').Server} makeServer */
export function onEachPort(makeServer) {
  const [first, ports] = process.argv.slice(2);
  if (cluster.isPrimary) {
    for (let number = 0; number < Number(ports); number += 1) cluster.fork({ NUMBER: number });
    process.on('SIGTERM', () => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
      process.exit(0);
    });
    return;
  }
  makeServer().listen({
    port: Number(first) + Number(process.env.NUMBER),
    host: '127.0.0.1',
    backlog: 4096,
    exclusive: true,
  });
}
