// @ts-check
/** Buses for tests, on engines that end with them. */

import { createLocalBus } from '../src/bus/local.js';
import { createNatsBus } from '../src/bus/nats.js';
import { createRedisBus } from '../src/bus/redis.js';
import { openEngine } from '../testing/engine.js';

export { missing } from '../testing/engine.js';

/** @param {import('node:test').TestContext} t @param {'redis' | 'nats'} engine @param {number} [port] */
export async function startEngine(t, engine, port) {
  const server = await openEngine(engine, port);
  t.after(() => server.kill());
  return server;
}

/** How to open a bus, and its server if it has one. @param {import('node:test').TestContext} t @param {'local' | 'redis' | 'nats'} engine */
export async function startBus(t, engine) {
  if (engine === 'local') return { open: createLocalBus(), server: undefined };
  const server = await startEngine(t, engine);
  const create = { redis: createRedisBus, nats: createNatsBus }[engine];
  return { open: create(server.url, 'test'), server };
}
