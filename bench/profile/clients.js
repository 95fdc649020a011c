// @ts-check
/**
 * What a Redis client costs the service for the two round trips of a warm turn: fetch session and profile, replace the
 * profile by the service's own script. 64 turns at a time. Clients are measured in turn, each time in a process of its
 * own, so that none of them runs in code that another one has warmed up; run it as
 *
 *   bench/profile/run taskset -c 0 node bench/profile/clients.js [ROUNDS]
 *
 * which starts Redis on another core. The clients that the service does not use are installed into .tools/redis-clients.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createBatch } from '../../services/profile/src/batch.js';

const TURNS = 30_000;
const AT_ONCE = 64;
const USERS = 1_000;
const ROUNDS = 7;
const PROFILE = JSON.stringify({ text: 'x'.repeat(1_280) });
const SESSION = JSON.stringify({ user: 'u1', check: 'x'.repeat(32), expires_ms: null });
const LUA = readFileSync(new URL('../../services/profile/src/redis/commit.lua', import.meta.url), 'utf8');

/**
 * @typedef {object} Client
 * @property {(keys: string[]) => Promise<(string | null)[]>} get
 * @property {(keys: string[], args: string[]) => Promise<number[]>} commit
 * @property {(key: string, text: string) => Promise<unknown>} set
 * @property {() => unknown} close
 *
 * @typedef {{ turns_per_s: number, cpu_us: number }} Cost `cpu_us` of one turn
 */

const url = process.env.PROFILE_REDIS_URL ?? 'redis://127.0.0.1:6379';
const others = fileURLToPath(new URL('../../.tools/redis-clients', import.meta.url));
const fromService = createRequire(new URL('../../services/profile/package.json', import.meta.url));
const fromOthers = createRequire(`${others}/package.json`);

/** The first is what the service does, and what the others are set against. @type {Record<string, () => Promise<Client>>} */
const candidates = {
  'ioredis 6, questions put together': async () => together(ioredis(fromService('ioredis').Redis, {})),
  'iovalkey 0.4, questions put together': async () => together(ioredis(fromOthers('iovalkey'), {})),
  'redis 6, questions put together': async () => together(await nodeRedis()),
  'ioredis 6, autopipelining': async () =>
    ioredis(fromService('ioredis').Redis, { enableAutoPipelining: true }),
  'redis 6, which pipelines by itself': nodeRedis,
  'ioredis 6, one by one': async () => ioredis(fromService('ioredis').Redis, {}),
};

const [what = `${ROUNDS}`] = process.argv.slice(2);
if (what in candidates) process.stdout.write(JSON.stringify(await costOf(what)));
else compareAll(Number(what));

/** Rounds forwards and backwards in turn, so that a machine that becomes faster or slower favours nobody. @param {number} rounds */
function compareAll(rounds) {
  if (!(rounds >= 1)) throw new Error(`expected a number of rounds; found "${what}"`);
  install();
  const names = Object.keys(candidates);
  /** @type {Map<string, Cost[]>} */
  const costs = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const text = execFileSync(process.execPath, [fileURLToPath(import.meta.url), name], {
        encoding: 'utf8',
      });
      costs.get(name)?.push(JSON.parse(text));
    }
  }
  const own = (costs.get(names[0]) ?? []).map(({ cpu_us }) => cpu_us);
  process.stdout.write('| client | turns/s | range | CPU per turn, µs | range | × the first | range |\n');
  process.stdout.write('|---|--:|---|--:|---|--:|---|\n');
  for (const [name, measured] of costs) {
    const cells = [
      spread(
        measured.map(({ turns_per_s }) => turns_per_s),
        0,
      ),
      spread(
        measured.map(({ cpu_us }) => cpu_us),
        1,
      ),
      spread(
        measured.map(({ cpu_us }, round) => cpu_us / own[round]),
        2,
      ),
    ];
    process.stdout.write(`| ${name} | ${cells.join(' | ')} |\n`);
  }
}

/** Median and range, as two cells of a table. @param {number[]} values @param {number} digits */
function spread(values, digits) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
  const [at, least, most] = [median, sorted[0], sorted[sorted.length - 1]].map((value) =>
    value.toFixed(digits),
  );
  return `${at} | ${least}–${most}`;
}

function install() {
  mkdirSync(others, { recursive: true });
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', others, ...quietly, 'redis@6.3.1', 'iovalkey@0.4.0']);
}

/** @param {string} name @returns {Promise<Cost>} */
async function costOf(name) {
  const client = await candidates[name]();
  await measure(client, TURNS / 3);
  const cost = await measure(client, TURNS);
  await client.close();
  return cost;
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

/** @param {Client} client @param {number} turns @returns {Promise<Cost>} */
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
