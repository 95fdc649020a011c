// @ts-check
/**
 * What a Redis client costs the service for the two round trips of a warm turn: fetch session and profile, replace the
 * profile by the service's own script. 64 turns at a time, one process; run it as
 *
 *   bench/profile/run taskset -c 0 node bench/profile/clients.js
 *
 * which starts Redis on another core. The clients that the service does not use are installed into .tools/redis-clients.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createBatch } from '../../services/profile/src/batch.js';

const TURNS = 50_000;
const AT_ONCE = 64;
const USERS = 1_000;
const PROFILE = JSON.stringify({ text: 'x'.repeat(1_280) });
const SESSION = JSON.stringify({ user: 'u1', check: 'x'.repeat(32), expires_ms: null });
const LUA = readFileSync(new URL('../../services/profile/src/redis/commit.lua', import.meta.url), 'utf8');

/**
 * @typedef {object} Client
 * @property {(keys: string[]) => Promise<(string | null)[]>} get
 * @property {(keys: string[], args: string[]) => Promise<number[]>} commit
 * @property {(key: string, text: string) => Promise<unknown>} set
 * @property {() => unknown} close
 */

const url = process.env.PROFILE_REDIS_URL ?? 'redis://127.0.0.1:6379';
const others = fileURLToPath(new URL('../../.tools/redis-clients', import.meta.url));
mkdirSync(others, { recursive: true });
execFileSync('npm', [
  'install',
  '--prefix',
  others,
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  'redis@6.3.1',
  'iovalkey@0.4.0',
]);
const fromService = createRequire(new URL('../../services/profile/package.json', import.meta.url));
const fromOthers = createRequire(`${others}/package.json`);

/** @type {Record<string, () => Promise<Client>>} */
const candidates = {
  'ioredis 6, one by one': async () => ioredis(fromService('ioredis').Redis, {}),
  'ioredis 6, autopipelining': async () =>
    ioredis(fromService('ioredis').Redis, { enableAutoPipelining: true }),
  'iovalkey 0.4, autopipelining': async () => ioredis(fromOthers('iovalkey'), { enableAutoPipelining: true }),
  'redis 6': nodeRedis,
  'ioredis 6, questions put together': async () => together(ioredis(fromService('ioredis').Redis, {})),
  'redis 6, questions put together': async () => together(await nodeRedis()),
};

process.stdout.write('| client | turns/s | CPU per turn, µs |\n|---|---|---|\n');
for (const [name, open] of Object.entries(candidates)) {
  const client = await open();
  await measure(client, TURNS / 5);
  const { turns_per_s, cpu_us } = await measure(client, TURNS);
  process.stdout.write(`| ${name} | ${Math.round(turns_per_s)} | ${cpu_us.toFixed(1)} |\n`);
  await client.close();
}

/** @param {any} Redis @param {object} options @returns {Client} */
function ioredis(Redis, options) {
  const redis = new Redis(url, { ...options, scripts: { commitProfiles: { lua: LUA } } });
  return {
    get: (keys) => redis.mget(keys),
    commit: (keys, args) => redis.commitProfiles(keys.length, ...keys, ...args),
    set: (key, text) => redis.set(key, text),
    close: () => redis.disconnect(),
  };
}

/** @returns {Promise<Client>} */
async function nodeRedis() {
  const redis = fromOthers('redis').createClient({ url });
  await redis.connect();
  const sha = await redis.scriptLoad(LUA);
  return {
    get: (keys) => redis.mGet(keys),
    commit: (keys, args) => redis.evalSha(sha, { keys, arguments: args }),
    set: (key, text) => redis.set(key, text),
    close: () => redis.close(),
  };
}

/** As the service does it. @param {Client} client @returns {Client} */
function together(client) {
  const get = createBatch(async (/** @type {string[][]} */ lists) => {
    const values = await client.get(lists.flat());
    return lists.map((_, index) => values.slice(2 * index, 2 * index + 2));
  }, 256);
  const commit = createBatch(
    (/** @type {{ keys: string[], args: string[] }[]} */ items) =>
      client.commit(
        [items[0].keys[0], ...items.map(({ keys }) => keys[1])],
        [...items[0].args.slice(0, 2), ...items.flatMap(({ args }) => args.slice(2))],
      ),
    256,
  );
  return { ...client, get, commit: async (keys, args) => [await commit({ keys, args })] };
}

/** @param {Client} client @param {number} turns */
async function measure(client, turns) {
  const versions = Array.from({ length: USERS }, () => 1);
  await Promise.all(versions.map((_, user) => client.set(`session:${user}`, SESSION)));
  await Promise.all(versions.map((_, user) => client.set(`profile:u${user}`, `"1"\n${PROFILE}`)));
  let begun = 0;

  /** Its own users, one turn after the other. @param {number} first */
  async function play(first) {
    for (let user = first; begun < turns; user = user + AT_ONCE < USERS ? user + AT_ONCE : first) {
      begun += 1;
      const [, value] = await client.get([`session:${user}`, `profile:u${user}`]);
      const text = /** @type {string} */ (value).slice(/** @type {string} */ (value).indexOf('\n') + 1);
      const from = `"${versions[user]}"\n`;
      versions[user] += 1;
      const args = ['10000000', '', from, `"${versions[user]}"\n${text}`, `u${user}`];
      const [waiting] = await client.commit(['queue:profiles', `profile:u${user}`], args);
      if (waiting < 1) throw new Error(`the profile of u${user} was not replaced`);
    }
  }

  const cpu = process.cpuUsage();
  const began_ms = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => play(first)));
  const elapsed_s = (performance.now() - began_ms) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { turns_per_s: turns / elapsed_s, cpu_us: (user + system) / turns };
}
