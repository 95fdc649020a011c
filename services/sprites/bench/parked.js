// @ts-check
/**
 * What a parked connection costs: in the heap, outside it, and in the kernel (there for both ends). Of what could hold it:
 * a response of node:http, a socket of node:net, and a client of this service by each way.
 *
 * `node services/sprites/bench/parked.js [CONNECTIONS] [FLAGS OF NODE…]`
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const HOLDERS = ['http', 'net', 'poll', 'events', 'socket'];
const AT_ONCE = 100;
const SETTLE_MS = 1_500;

if (process.send !== undefined) await hold(process.argv[2]);
else await compare(Number(process.argv[2] ?? 15_000), process.argv.slice(3));

/** @param {number} connections @param {string[]} flags */
async function compare(connections, flags) {
  process.stdout.write(`${connections} connections, node ${process.version} ${flags.join(' ')}\n`);
  process.stdout.write('held by    resident  heap  outside  kernel, both ends; longest GC pause\n');
  for (const holder of HOLDERS) {
    const child = fork(import.meta.filename, [holder], { execArgv: ['--expose-gc', ...flags] });
    const [{ port }] = await once(child, 'message');
    const before = await look(child);
    const own = process.memoryUsage.rss();
    const sockets = await open(port, connections, holder);
    await wait(SETTLE_MS);
    const after = await look(child);
    const grown = process.memoryUsage.rss() - own;
    /** @param {number} bytes */
    const each = (bytes) => `${Math.round(bytes / connections)}`;
    const heap = after.heap - before.heap;
    const resident = after.resident - before.resident;
    const kernel = before.available - after.available - resident - grown;
    process.stdout.write(
      `${holder.padEnd(10)} ${each(resident).padStart(8)} ${each(heap).padStart(5)} ${each(resident - heap).padStart(8)} ` +
        `${each(kernel).padStart(7)}; ${after.pause_ms.toFixed(1)} ms\n`,
    );
    for (const socket of sockets) socket.resetAndDestroy();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await wait(SETTLE_MS);
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function look(child) {
  child.send('look');
  const [{ heap, resident, pause_ms }] = await once(child, 'message');
  const meminfo = readFileSync('/proc/meminfo', 'utf8');
  return { heap, resident, pause_ms, available: Number(/MemAvailable:\s+(\d+)/.exec(meminfo)?.[1]) * 1024 };
}

/** @param {number} port @param {number} count @param {string} holder */
async function open(port, count, holder) {
  const path = holder === 'events' || holder === 'socket' ? holder : 'poll';
  const request =
    `GET /${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n` +
    (holder === 'socket'
      ? 'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n'
      : '\r\n');
  /** @type {import('node:net').Socket[]} */
  const sockets = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(request);
      if (holder === 'http' || holder === 'net') return socket;
      // The welcome; then the next poll waits.
      await once(socket, 'data');
      if (holder === 'poll') socket.write(request);
      return socket;
    });
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** In the process that holds. @param {string} holder */
async function hold(holder) {
  /** @type {unknown[]} */
  const held = [];
  let pause_ms = 0;
  const { PerformanceObserver } = await import('node:perf_hooks');
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) pause_ms = Math.max(pause_ms, duration);
  });
  const port = await listen(holder, held);
  process.on('message', async () => {
    // These are asked for here, and no pauses of the service.
    observer.disconnect();
    for (let round = 0; round < 3; round += 1) {
      global.gc?.();
      await wait(100);
    }
    const { heapUsed: heap, rss: resident } = process.memoryUsage();
    process.send?.({ heap, resident, pause_ms });
    observer.observe({ entryTypes: ['gc'] });
  });
  process.send?.({ port });
}

/** @param {string} holder @param {unknown[]} held @returns {Promise<number>} the port */
async function listen(holder, held) {
  if (holder !== 'http' && holder !== 'net') {
    const { startService } = await import('../src/service.js');
    const { readConfig } = await import('../src/config.js');
    const service = await startService(
      readConfig({
        PORT: '0',
        SPRITES_HELD_PORT: '0',
        SPRITES_METRICS_PORT: '0',
        SPRITES_CAPACITY: '19000',
        SPRITES_LIMITS: process.env.SPRITES_LIMITS ?? 'off',
        SPRITES_ADDRESS_CONNECTIONS: '19000',
        SPRITES_ADDRESS_JOINS_PER_S: '19000',
      }),
    );
    return Number(new URL(/** @type {string} */ (service.heldUrl)).port);
  }
  const server =
    holder === 'http'
      ? createHttpServer((_, res) => void held.push(res))
      : createServer({ noDelay: true }, (socket) => {
          socket.on('data', () => {});
          socket.on('error', () => {});
          held.push(socket);
        });
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}
