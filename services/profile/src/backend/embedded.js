// @ts-check
/** Everything inside the process: a cache in memory, SQLite in a thread. */

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryCache } from '../cache/memory.js';
import { openSqliteStore } from '../store/sqlite.js';
import { createEmbeddedWorkingSet } from '../working/embedded.js';
import { createWriteBehind } from '../write-behind.js';

/** @import { Config } from '../config.js' */

/**
 * @param {Config} config
 * @param {import('pino').Logger} log
 * @returns {Promise<import('./backend.js').Backend>}
 */
export async function open(config, log) {
  const { data_dir, remove } = await openDirectory(config.data_dir);
  const store = await openSqliteStore(join(data_dir, 'profiles.db')).catch(async (error) => {
    await remove();
    throw error;
  });
  const cache = createMemoryCache({ entries: config.cache_entries });
  const queue = createWriteBehind({
    store,
    interval_ms: config.flush_interval_ms,
    batch: config.flush_batch,
    limit: config.queue_limit,
    onError: (err) => log.error({ err, waiting: queue.size() }, 'failed to store profiles; will try again'),
  });
  return {
    working: createEmbeddedWorkingSet({ cache, store, queue, ttl_ms: config.cache_ttl_ms }),
    store,
    gauges: {
      profile_cache_entries: { help: 'Entries in the cache.', value: cache.size },
      profile_store_batches_total: { help: 'Transactions.', value: () => queue.counts.batches },
      profile_store_profiles_total: { help: 'Profiles stored.', value: () => queue.counts.profiles },
      profile_store_failures_total: { help: 'Transactions that failed.', value: () => queue.counts.failures },
    },
    about: { data_dir },
    drain: queue.drain,
    async close() {
      await store.close();
      await remove();
    },
  };
}

/** @param {string | undefined} configured without it, a temporary directory that `remove` removes */
async function openDirectory(configured) {
  if (configured === undefined) {
    const data_dir = await mkdtemp(join(tmpdir(), 'profile-'));
    return { data_dir, remove: () => rm(data_dir, { recursive: true }) };
  }
  await mkdir(configured, { recursive: true });
  return { data_dir: configured, remove: async () => {} };
}
