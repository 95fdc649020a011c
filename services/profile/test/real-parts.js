// @ts-check
/** Redis and a store for the tests of one file. Each test has a database of its own in both. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { missingServers, startRedis, startStore } from '../backing/servers.js';
import { readConfig } from '../src/config.js';
import { startPersister } from '../src/persisting/service.js';

/** @import { TestContext } from 'node:test' */
/** @import { Server } from '@plimsoll/service-common/testing/programs.js' */

/** Redis has this many databases. */
const DATABASES = 16;

/**
 * Call it at the top of a file.
 * @returns {{ skip: string | false, settings: (more?: Record<string, string>) => Record<string, string>, servers: () => Servers }} `skip` says what is
 *   missing here, for each test; `settings` makes new databases
 */
export function useRealParts() {
  const missing = missingServers();
  if (missing !== undefined) {
    if (process.env.CI === 'true') throw new Error(missing);
    process.stderr.write(`SKIPPED, all tests on real parts: ${missing}\n`);
    return { skip: missing, settings: () => ({}), servers: () => /** @type {any} */ ({}) };
  }

  /** @type {Servers} */
  let servers;
  /** @type {string} */
  let directory;
  let given = 0;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'profile-parts-'));
    servers = await startServers(directory);
  });
  after(async () => {
    await Promise.all([servers.redis.kill(), servers.store.kill()]);
    // A child by which Redis saves may outlive it by a moment, and still write.
    await rm(directory, { recursive: true, maxRetries: 10, retryDelay: 100 });
  });

  return {
    skip: false,
    servers: () => servers,
    settings(more = {}) {
      const number = given;
      given += 1;
      if (given > DATABASES) throw new Error(`a file may have ${DATABASES} tests on real parts`);
      return {
        PROFILE_STORE: 'real',
        PROFILE_REDIS_URL: `${servers.redis.url}/${number}`,
        PROFILE_MONGODB_URL: servers.store.url.replace(/profile$/, `profile${number}`),
        PROFILE_FLUSH_INTERVAL_MS: '5',
        PROFILE_PERSISTER_PORT: '0',
        ...more,
      };
    },
  };
}

/** @typedef {{ redis: Server, store: Server, restartRedis: () => Promise<void>, restartStore: () => Promise<void> }} Servers */

/** @param {string} directory @returns {Promise<Servers>} */
async function startServers(directory) {
  const places = { redis: join(directory, 'redis'), store: join(directory, 'store') };
  const servers = {
    redis: await startRedis({ directory: places.redis }),
    store: await startStore({ directory: places.store }),
    /** On the port that it had, with the data that it had. */
    async restartRedis() {
      servers.redis = await startRedis({ directory: places.redis, port: servers.redis.port });
    },
    async restartStore() {
      servers.store = await startStore({ directory: places.store, port: servers.store.port });
    },
  };
  return servers;
}

/**
 * A persister in this process.
 * @param {TestContext} t
 * @param {Record<string, string>} env
 */
export async function persist(t, env) {
  /** @type {string[]} */
  const lines = [];
  const persister = await startPersister(readConfig(env), { write: (line) => void lines.push(line) });
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= persister.stop();
    return stopped;
  }
  t.after(stop);
  return { url: persister.url, stop, lines };
}

/** Empties the databases of some settings. @param {Record<string, string>} env */
export async function clear({ PROFILE_REDIS_URL, PROFILE_MONGODB_URL }) {
  await withRedis(PROFILE_REDIS_URL, (redis) => redis.flushdb());
  await withStore(PROFILE_MONGODB_URL, (database) =>
    Promise.all(['profiles', 'users'].map((name) => database.collection(name).deleteMany({}))),
  );
}

/** @template T @param {string} url @param {(redis: Redis) => Promise<T>} use */
export async function withRedis(url, use) {
  const redis = new Redis(url);
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** @template T @param {string} url @param {(database: import('mongodb').Db) => Promise<T>} use */
export async function withStore(url, use) {
  const client = new MongoClient(url);
  try {
    return await use(client.db());
  } finally {
    await client.close();
  }
}
