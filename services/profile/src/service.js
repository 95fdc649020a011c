// @ts-check
/** The service put together: opened, seeded, listening; and taken down in the reverse order. */

import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createApp } from './app.js';
import { createMemoryCache } from './cache/memory.js';
import { answerClientError } from './http/client-error.js';
import { createMetrics } from './metrics.js';
import { createProfiles } from './profiles.js';
import { seedUsers } from './seed.js';
import { createSessions } from './sessions.js';
import { openSqliteStore } from './store/sqlite.js';
import { createWriteBehind } from './write-behind.js';

/** @import { Config } from './config.js' */
/** @import { Store } from './ports.js' */

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
const REQUEST_MS = 66_000;
const SWEEP_MS = 20;

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` finishes what is in flight, stores what
 *   waits and releases everything; it rejects if something could not be stored
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const { data_dir, remove } = await openFolder(config.data_dir);
  /** @type {Store | undefined} */
  let store;
  async function release() {
    await store?.close();
    await remove();
  }
  try {
    store = await openSqliteStore(join(data_dir, 'profiles.db'));
    const log = pino({ level: config.log_level }, logTo);
    const { app, queue, refuse } = await assemble(config, store, log);
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
      app.handle,
    );
    server.on('clientError', answerClientError);
    server.listen(config.port, config.host);
    await once(server, 'listening');
    const url = urlOf(server);
    log.info({ url, data_dir }, 'listening');
    return {
      url,
      async stop() {
        refuse('the service is stopping');
        app.drain();
        try {
          await closeServer(server, config.shutdown_grace_ms);
          await queue.drain();
        } finally {
          await release();
          log.info('stopped');
        }
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** @param {string | undefined} configured without it, a temporary folder that `remove` removes */
async function openFolder(configured) {
  if (configured === undefined) {
    const data_dir = await mkdtemp(join(tmpdir(), 'profile-'));
    return { data_dir, remove: () => rm(data_dir, { recursive: true }) };
  }
  await mkdir(configured, { recursive: true });
  return { data_dir: configured, remove: async () => {} };
}

/**
 * @param {Config} config
 * @param {Store} store
 * @param {import('pino').Logger} log
 */
async function assemble(config, store, log) {
  const cache = createMemoryCache({ entries: config.cache_entries });
  const queue = createWriteBehind({
    store,
    interval_ms: config.flush_interval_ms,
    batch: config.flush_batch,
    limit: config.queue_limit,
    onError: (err) => log.error({ err, waiting: queue.size() }, 'failed to store profiles; will try again'),
  });
  await seedUsers({
    count: config.seed_users,
    cache,
    store,
    ttl_ms: config.cache_ttl_ms,
    now_ms: Date.now(),
  });

  /** @type {string | undefined} */
  let refusal;
  const app = createApp({
    cache,
    profiles: createProfiles({ cache, store, queue, ttl_ms: config.cache_ttl_ms }),
    sessions: createSessions({ cache, store, ttl_ms: config.session_ttl_ms }),
    metrics: createMetrics({
      profile_cache_entries: { help: 'Entries in the cache.', value: cache.size },
      profile_store_waiting: { help: 'Profiles that wait to be stored.', value: queue.size },
      profile_store_batches_total: { help: 'Transactions.', value: () => queue.counts.batches },
      profile_store_profiles_total: { help: 'Profiles stored.', value: () => queue.counts.profiles },
      profile_store_failures_total: { help: 'Transactions that failed.', value: () => queue.counts.failures },
    }),
    log,
    bounds: { limit_bytes: config.body_limit_bytes, timeout_ms: config.body_timeout_ms },
    readiness() {
      if (!store.healthy()) return 'the store has failed';
      if (queue.full()) return 'too many profiles wait to be stored';
      return refusal;
    },
    now: Date.now,
  });
  return {
    app,
    queue,
    /** @param {string} reason why the service is not ready from now on */
    refuse(reason) {
      refusal = reason;
    },
  };
}

/** @param {import('node:http').Server} server */
function urlOf(server) {
  const { address, family, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Takes no more connections and waits for the answers that are due.
 * @param {import('node:http').Server} server
 * @param {number} grace_ms after which connections are cut
 */
async function closeServer(server, grace_ms) {
  const closed = once(server, 'close');
  server.close();
  // An answer on its way when the server closed leaves its connection open and idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
