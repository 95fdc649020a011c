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

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
const REQUEST_MS = 66_000;
const SWEEP_MS = 20;

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo]
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` finishes what is in flight, stores what
 *   waits and releases everything; it rejects if something could not be stored
 */
export async function startService(config, logTo) {
  // Lines are handed to the kernel in blocks, off the request's path.
  const destination = pino.destination({ dest: 1, sync: false, minLength: 4096 });
  const log = pino({ level: config.log_level }, logTo ?? destination);
  const now = Date.now;

  const data_dir = config.data_dir ?? (await mkdtemp(join(tmpdir(), 'profile-')));
  await mkdir(data_dir, { recursive: true });
  const store = await openSqliteStore(join(data_dir, 'profiles.db'));
  const cache = createMemoryCache({ entries: config.cache_entries });
  const queue = createWriteBehind({
    store,
    interval_ms: config.flush_interval_ms,
    batch: config.flush_batch,
    limit: config.queue_limit,
    onError: (err) => log.error({ err, waiting: queue.size() }, 'failed to store profiles; will try again'),
  });
  const metrics = createMetrics({
    profile_cache_entries: { help: 'Entries in the cache.', value: cache.size },
    profile_store_waiting: { help: 'Profiles that wait to be stored.', value: queue.size },
    profile_store_batches_total: { help: 'Transactions.', value: () => queue.counts.batches },
    profile_store_profiles_total: { help: 'Profiles stored.', value: () => queue.counts.profiles },
    profile_store_failures_total: { help: 'Transactions that failed.', value: () => queue.counts.failures },
  });
  await seedUsers({ count: config.seed_users, cache, store, ttl_ms: config.cache_ttl_ms, now_ms: now() });

  let stopping = false;
  const app = createApp({
    cache,
    profiles: createProfiles({ cache, store, queue, ttl_ms: config.cache_ttl_ms }),
    sessions: createSessions({ cache, store, ttl_ms: config.session_ttl_ms }),
    metrics,
    log,
    bounds: { limit_bytes: config.body_limit_bytes, timeout_ms: config.body_timeout_ms },
    readiness() {
      if (stopping) return 'it is stopping';
      if (!store.healthy()) return 'the store has failed';
      if (queue.full()) return 'too many profiles wait to be stored';
      return undefined;
    },
    now,
  });

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
    app.handle,
  );
  server.on('clientError', answerClientError);
  server.listen(config.port, config.host);
  await once(server, 'listening');
  const { address, family, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  log.info({ url, data_dir }, 'listening');

  return {
    url,
    async stop() {
      stopping = true;
      app.drain();
      await closeServer(server, config.shutdown_grace_ms);
      try {
        await queue.drain();
      } finally {
        await store.close();
        if (config.data_dir === undefined) await rm(data_dir, { recursive: true });
        log.info('stopped');
        log.flush();
      }
    },
  };
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
