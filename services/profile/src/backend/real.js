// @ts-check
/** Redis for what every request touches, a document database behind it. */

import { openRedis } from '../redis/connection.js';
import { durabilityFaults } from '../redis/durability.js';
import { openMongoStore } from '../store/mongodb.js';
import { createRedisWorkingSet } from '../working/redis.js';

/** @import { Config } from '../config.js' */

/** The longest that the store may keep a client waiting. */
const STORE_MS = 5_000;

/**
 * @param {Config} config
 * @param {import('pino').Logger} log
 * @returns {Promise<import('./backend.js').Backend>}
 */
export async function open(config, log) {
  const connection = await openRedis({
    url: config.redis_url,
    timeout_ms: config.redis_timeout_ms,
    pipelining: config.redis_batch === 1,
    log,
  });
  for (const fault of await durabilityFaults(connection)) log.error({ fault }, 'Redis may lose changes');
  const store = await openMongoStore({ url: config.mongodb_url, timeout_ms: STORE_MS }).catch(
    async (error) => {
      await connection.close();
      throw error;
    },
  );
  const sender = await openHandover(config, log);
  return {
    working: createRedisWorkingSet({
      connection,
      store,
      ttl_ms: config.cache_ttl_ms,
      limit: config.queue_limit,
      batch: config.redis_batch,
      linger_ms: config.redis_linger_ms,
      handOver: sender?.send,
    }),
    store,
    gauges: {
      profile_redis_up: {
        help: 'Whether Redis can be reached.',
        value: () => Number(connection.healthy()),
      },
      profile_store_up: { help: 'Whether the store can be reached.', value: () => Number(store.healthy()) },
    },
    about: { handover: config.handover },
    drain: async () => sender?.drain(),
    async close() {
      sender?.close();
      await Promise.all([connection.close(), store.close()]);
    },
  };
}

/** @param {Config} config @param {import('pino').Logger} log */
async function openHandover({ handover, zeromq_url, queue_limit }, log) {
  if (handover === 'list') return undefined;
  const { openSender } = await import('../handover/zeromq.js');
  return openSender({
    url: zeromq_url,
    limit: queue_limit,
    onError: (err) => log.error({ err }, 'failed to hand over changes'),
  });
}
