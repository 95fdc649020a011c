// @ts-check
/** The engines behind the bus, as real servers on free ports. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange, findProgram, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';
import { createLocalBus } from '../src/bus/local.js';
import { createNatsBus } from '../src/bus/nats.js';
import { createRedisBus } from '../src/bus/redis.js';

/** @import { Server } from '@plimsoll/service-common/testing/programs.js' */

/** What is missing to start one, in words. @param {'redis' | 'nats'} engine */
export function missing(engine) {
  const program = `${engine}-server`;
  if (findProgram(program) !== undefined || process.env.CI === 'true') return false;
  return `${program} not found; run scripts/setup/services`;
}

/** @param {import('node:test').TestContext} t @param {'redis' | 'nats'} engine @param {number} [port] */
export async function startEngine(t, engine, port) {
  const directory = await mkdtemp(join(tmpdir(), `sprites-${engine}-`));
  const chosen = port ?? (await freePort());
  const args = {
    redis: [
      '--port',
      `${chosen}`,
      '--bind',
      '127.0.0.1',
      '--dir',
      directory,
      '--save',
      '',
      '--daemonize',
      'no',
    ],
    nats: ['-a', '127.0.0.1', '-p', `${chosen}`],
  };
  const server = await startServer({
    program: /** @type {string} */ (findProgram(`${engine}-server`)),
    args: args[engine],
    log: join(directory, 'log'),
    port: chosen,
    url: `${engine}://127.0.0.1:${chosen}`,
    responds: (at) =>
      engine === 'redis'
        ? exchange(at, 'PING\r\n', (response) => response.startsWith('+PONG'))
        : exchange(at, 'PING\r\n', (response) => response.includes('INFO')),
  });
  t.after(async () => {
    await server.kill();
    await rm(directory, { recursive: true });
  });
  return server;
}

/** How to open a bus, and its server if it has one. @param {import('node:test').TestContext} t @param {'local' | 'redis' | 'nats'} engine */
export async function startBus(t, engine) {
  if (engine === 'local') return { open: createLocalBus(), server: undefined };
  const server = await startEngine(t, engine);
  const create = { redis: createRedisBus, nats: createNatsBus }[engine];
  return { open: create(server.url, 'test'), server };
}
