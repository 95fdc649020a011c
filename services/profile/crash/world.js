// @ts-check
/** All processes of the profile service on real parts, each of which can be killed and started again where it was. */

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { exchange, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { startRedis, startStore } from '../backing/servers.js';

/** @import { Server } from '@plimsoll/service-common/testing/programs.js' */
/** @typedef {'service' | 'persister' | 'redis' | 'store'} Kind */
/** @typedef {Awaited<ReturnType<typeof startWorld>>} World */

const POLL_MS = 10;

export const KINDS = /** @type {Kind[]} */ (['service', 'persister', 'redis', 'store']);

/**
 * @param {object} options
 * @param {number} options.users u1, u2 … with the tokens token-u1, token-u2 …
 * @param {'always' | 'everysec' | 'no'} [options.fsync]
 * @param {number} [options.sync_ms] how much longer Redis' syncs to the disk take; needs a C compiler and Linux
 * @param {Record<string, string>} [options.env] more settings of service and persister
 */
export async function startWorld({ users, fsync, sync_ms = 0, env = {} }) {
  const directory = await mkdtemp(join(tmpdir(), 'profile-crash-'));
  const place = (/** @type {string} */ name) => join(directory, name);
  const ports = {
    service: await freePort(),
    persister: await freePort(),
    redis: await freePort(),
    store: await freePort(),
  };
  const settings = {
    PORT: `${ports.service}`,
    PROFILE_PERSISTER_PORT: `${ports.persister}`,
    PROFILE_STORE: 'real',
    PROFILE_REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    PROFILE_MONGODB_URL: `mongodb://127.0.0.1:${ports.store}/profile`,
    PROFILE_ZEROMQ_URL: `ipc://${place('handover')}`,
    PROFILE_SEED_USERS: `${users}`,
    PROFILE_FLUSH_INTERVAL_MS: '20',
    PROFILE_REDIS_TIMEOUT_MS: '500',
    ...env,
  };

  const redisEnv = sync_ms > 0 ? { LD_PRELOAD: buildSlowSync(place('slow-sync.so'), sync_ms) } : undefined;

  /** @type {Record<Kind, () => Promise<Server>>} */
  const starts = {
    redis: () => startRedis({ directory: place('redis'), port: ports.redis, fsync, env: redisEnv }),
    store: () => startStore({ directory: place('store'), port: ports.store }),
    service: () => node('server.js', ports.service),
    persister: () => node('persister.js', ports.persister),
  };

  /** @param {string} program @param {number} port */
  function node(program, port) {
    return startServer({
      program: process.execPath,
      args: [fileURLToPath(new URL(`../src/${program}`, import.meta.url))],
      log: place(`${program}.log`),
      port,
      url: `http://127.0.0.1:${port}`,
      env: settings,
      responds: (at) =>
        exchange(at, 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n', (response) => / 200 /.test(response)),
    });
  }

  /** @type {Partial<Record<Kind, Server>>} */
  const running = {};
  async function stop() {
    await Promise.all(Object.values(running).map((server) => server.kill()));
    // A child by which Redis saves may outlive it by a moment, and still write.
    await rm(directory, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
  try {
    for (const kind of /** @type {Kind[]} */ (['redis', 'store', 'service', 'persister']))
      running[kind] = await starts[kind]();
    await written(settings.PROFILE_REDIS_URL);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    url: `http://127.0.0.1:${ports.service}`,
    redisUrl: settings.PROFILE_REDIS_URL,

    /** Kills with SIGKILL and starts again at once. @param {Kind} kind */
    async crash(kind) {
      await running[kind]?.kill();
      running[kind] = await starts[kind]();
    },

    /** What the persister has stored since it started. */
    async stored() {
      const text = await (await fetch(`http://127.0.0.1:${ports.persister}/metrics`)).text();
      return Number(/^profile_store_profiles_total (\d+)$/m.exec(text)?.[1]);
    },

    /** The profiles as they are in the store. @returns {Promise<Map<string, import('../src/game/profile.js').Profile>>} */
    async profiles() {
      const client = new MongoClient(settings.PROFILE_MONGODB_URL);
      try {
        const documents = await client.db().collection('profiles').find().toArray();
        return new Map(documents.map(({ _id, profile }) => [`${_id}`, profile]));
      } finally {
        await client.close();
      }
    },

    stop,
  };
}

/** Waits until Redis has the sessions of the players on the disk: without them nobody could look. @param {string} url */
async function written(url) {
  const redis = new Redis(url);
  try {
    while (
      !/aof_pending_rewrite:0\s+aof_buffer_length:0\s+aof_pending_bio_fsync:0/.test(
        await redis.info('persistence'),
      )
    )
      await wait(POLL_MS);
  } finally {
    redis.disconnect();
  }
}

/** @param {string} path @param {number} sync_ms */
function buildSlowSync(path, sync_ms) {
  const source = fileURLToPath(new URL('./slow-sync.c', import.meta.url));
  execFileSync('cc', ['-shared', '-fPIC', `-DSYNC_MS=${sync_ms}`, '-o', path, source]);
  return path;
}
