// @ts-check
/** Kills parts of a running service under load, and looks after each kill what became of what was acknowledged. */

import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from './client.js';
import { startWorld } from './world.js';

/** @import { Client, Counts } from './client.js' */
/** @import { Kind, World } from './world.js' */

/** @typedef {Counts & { kind: Kind, kills: number }} Row `lost` counts acknowledged turns that are not in the store */

const POLL_MS = 10;
/** A persister that stored nothing for so long has nothing left: where there is no queue to look at. */
const QUIET_MS = 500;

/**
 * @param {object} options
 * @param {Kind[]} options.kinds
 * @param {number} options.times
 * @param {number} options.users
 * @param {number} options.seed of the moments
 * @param {'always' | 'everysec' | 'no'} [options.fsync]
 * @param {number} [options.sync_ms] how much longer Redis' syncs to the disk take
 * @param {'list' | 'zeromq'} [options.handover]
 * @param {Record<string, string>} [options.env]
 * @param {(row: Row) => void} [options.onRow]
 * @returns {Promise<Row[]>}
 */
export async function runMatrix({
  kinds,
  times,
  users,
  seed,
  fsync,
  sync_ms,
  handover = 'list',
  env,
  onRow = () => {},
}) {
  const world = await startWorld({ users, fsync, sync_ms, env: { PROFILE_HANDOVER: handover, ...env } });
  const agent = new Agent({ keepAlive: true });
  const random = randomOf(seed);
  const counts = { acknowledged: 0, unknown: 0, lost: 0, duplicated: 0 };
  const pace = createPace();
  const clients = Array.from({ length: users }, (_, index) =>
    createClient({ url: world.url, id: `u${index + 1}`, agent, counts, seen: pace.seen }),
  );
  const drained = handover === 'list' ? () => queueEmpty(world) : () => persisterQuiet(world);
  try {
    const rows = [];
    for (const kind of kinds) {
      Object.assign(counts, { acknowledged: 0, unknown: 0, lost: 0, duplicated: 0 });
      for (let kill = 0; kill < times; kill += 1) {
        for (const client of clients) client.start();
        await pace.turns(users + Math.floor(random() * users * 10));
        // Anywhere within a round trip, not only when a response has just come.
        await wait(random() * 5);
        await world.crash(kind);
        await pace.turns(users);
        await Promise.all(clients.map((client) => client.stop()));
        await Promise.all(clients.map((client) => client.look()));
        await drained();
        counts.lost += await missing(world, clients);
      }
      const row = { kind, kills: times, ...counts };
      rows.push(row);
      onRow(row);
    }
    return rows;
  } finally {
    agent.destroy();
    await world.stop();
  }
}

/** Turns that were acknowledged and that the store does not have. @param {World} world @param {Client[]} clients */
async function missing(world, clients) {
  const stored = await world.profiles();
  const gone = clients.map(({ id, turns }) => Math.max(0, turns() - (stored.get(id)?.counters.rests ?? 0)));
  return gone.reduce((sum, count) => sum + count, 0);
}

/** Counts turns, so that a kill comes after so many, however fast this machine is. */
function createPace() {
  let wanted = Number.POSITIVE_INFINITY;
  let count = 0;
  let reached = () => {};
  return {
    seen() {
      count += 1;
      if (count >= wanted) reached();
    },
    /** @param {number} number from now on */
    turns: (number) =>
      new Promise((resolve) => {
        wanted = count + number;
        reached = () => resolve(undefined);
      }),
  };
}

/** @param {World} world */
async function queueEmpty({ redisUrl }) {
  const redis = new Redis(redisUrl);
  try {
    while ((await redis.exists('queue:profiles', 'processing:persister-1')) > 0) await wait(POLL_MS);
  } finally {
    redis.disconnect();
  }
}

/** @param {World} world */
async function persisterQuiet(world) {
  for (let before = -1, now = await world.stored(); now !== before; ) {
    before = now;
    await wait(QUIET_MS);
    now = await world.stored();
  }
}

/** Mulberry32 (T. Ettinger): numbers from 0 to 1 that a seed repeats. @param {number} seed */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
