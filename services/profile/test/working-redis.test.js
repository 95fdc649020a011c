// @ts-check
/** The scripts in Redis, and what is built on them, each on its own. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createListSource } from '../src/persisting/list.js';
import { openRedis } from '../src/redis/connection.js';
import { durabilityFaults } from '../src/redis/durability.js';
import { createRedisWorkingSet } from '../src/working/redis.js';
import { useRealParts, withRedis } from './real-parts.js';

/** @import { TestContext } from 'node:test' */
/** @import { Snapshot } from '../src/ports.js' */

const { skip, settings } = useRealParts();
const nothing = { readProfile: async () => undefined };

/** @param {TestContext} t @param {Partial<Parameters<typeof createRedisWorkingSet>[0]>} [options] */
async function workingSet(t, options = {}) {
  const { PROFILE_REDIS_URL: url } = settings();
  const connection = await openRedis({ url, timeout_ms: 1_000, log: pino({ level: 'silent' }) });
  t.after(() => connection.close());
  const working = createRedisWorkingSet({
    connection,
    store: nothing,
    ttl_ms: 60_000,
    limit: 100,
    batch: 10,
    ...options,
  });
  return {
    url,
    connection,
    working,
    source: (name = 'one') => createListSource({ connection, name, most: 3, ttl_ms: 60_000 }),
  };
}

/** @param {string} id @param {number} [version] @returns {Snapshot} */
const snapshot = (id, version = 1) => ({ id, version, etag: `"${version}-x"`, text: `{"v":${version}}` });

test('a change is made of what it was thought to be, and queued, or neither', { skip }, async (t) => {
  const { url, working } = await workingSet(t);
  assert.equal(await working.commit(null, snapshot('a')), 'done');
  assert.equal(await working.commit(null, snapshot('a')), 'changed', 'it is there already');
  assert.equal(await working.commit(snapshot('a', 7), snapshot('a', 8)), 'changed');
  assert.equal(await working.commit(snapshot('b'), snapshot('b', 2)), 'changed', 'it is not there');
  assert.equal(await working.commit(snapshot('a'), snapshot('a', 2)), 'done');
  assert.equal(await working.profile('a'), '{"v":2}');
  assert.equal(working.waiting(), 2);
  assert.deepEqual(await withRedis(url, (redis) => redis.lrange('queue:profiles', 0, -1)), ['a', 'a']);
});

test('changes of one turn of the loop go together and are judged one by one', { skip }, async (t) => {
  const { working } = await workingSet(t, { limit: 3 });
  const ids = ['a', 'b', 'b', 'c', 'd'];
  const outcomes = await Promise.all(ids.map((id) => working.commit(null, snapshot(id))));
  assert.deepEqual(outcomes, ['done', 'done', 'changed', 'done', 'full']);
  assert.equal(await working.profile('d'), undefined);
  assert.equal(working.obstacle(), 'too many profiles wait to be stored');
});

test('a session and a profile are read together', { skip }, async (t) => {
  const { working } = await workingSet(t);
  await working.openSession('s', '{"user":"ada"}', 60_000);
  await working.commit(null, snapshot('a'));
  const looks = [
    working.look('s', 'a'),
    working.look('s'),
    working.look('none', 'a'),
    working.look('s', 'none'),
  ];
  assert.deepEqual(await Promise.all(looks), [
    ['{"user":"ada"}', '{"v":1}'],
    ['{"user":"ada"}', undefined],
    [undefined, '{"v":1}'],
    ['{"user":"ada"}', undefined],
  ]);
});

test('what is loaded does not replace what came in the meantime', { skip }, async (t) => {
  /** @type {{ working?: import('../src/ports.js').WorkingSet }} */
  const later = {};
  const store = {
    async readProfile() {
      await later.working?.commit(null, snapshot('a', 5));
      return '{"version":4,"updated_ms":1}';
    },
  };
  const { working } = await workingSet(t, { store });
  later.working = working;
  assert.equal(await working.load('a'), '{"v":5}');
});

test('what took longer to load than profiles live is not believed', { skip }, async (t) => {
  let clock_ms = 0;
  let reads = 0;
  const store = {
    async readProfile() {
      reads += 1;
      clock_ms += 10;
      return '{"version":1,"updated_ms":1}';
    },
  };
  const { working } = await workingSet(t, { store, ttl_ms: 10, now: () => clock_ms });
  await assert.rejects(working.load('a'), { code: 'profile_busy' });
  assert.equal(reads, 3);
  assert.equal(await working.profile('a'), undefined);
});

test('what was taken and not settled is taken again, by whoever has the name', { skip }, async (t) => {
  const { working, source } = await workingSet(t);
  for (const id of ['a', 'b', 'a', 'c', 'd']) await working.commit(null, snapshot(id));
  const first = await source().take();
  assert.deepEqual(
    first?.changes.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.equal(first?.full, true);
  const again = await source().take();
  assert.deepEqual(again?.changes, first?.changes);
  const other = await source('two').take();
  assert.deepEqual(
    other?.changes.map(({ id }) => id),
    ['d'],
  );
  await again?.settle();
  assert.equal(await source().take(), undefined);
});

test('a batch that was settled late does not take the next one with it', { skip }, async (t) => {
  const { working, source } = await workingSet(t);
  await working.commit(null, snapshot('a'));
  const [mine, theirs] = [await source().take(), await source().take()];
  await mine?.settle();
  await working.commit(null, snapshot('b'));
  await source().take();
  await theirs?.settle();
  assert.deepEqual((await source().take())?.changes, [{ id: 'b', version: 1, text: '{"v":1}' }]);
});

test('a profile that changed while it was stored stays until that is stored too', { skip }, async (t) => {
  const { url, working, source } = await workingSet(t);
  await working.commit(null, snapshot('a'));
  const first = await source().take();
  await working.commit(snapshot('a'), snapshot('a', 2));
  await first?.settle();
  assert.equal(await withRedis(url, (redis) => redis.pttl('profile:a')), -1);
  const second = await source().take();
  assert.deepEqual(second?.changes, [{ id: 'a', version: 2, text: '{"v":2}' }]);
  await second?.settle();
  assert.ok((await withRedis(url, (redis) => redis.pttl('profile:a'))) > 0);
});

test('a Redis that cannot take more says so, and nothing is done by halves', { skip }, async (t) => {
  const { url, working } = await workingSet(t);
  await working.commit(null, snapshot('a'));
  t.after(() => withRedis(url, (redis) => redis.config('SET', 'maxmemory', '0')));
  await withRedis(url, (redis) => redis.config('SET', 'maxmemory', '1'));
  await assert.rejects(working.commit(snapshot('a'), snapshot('a', 2)), { code: 'cache_unavailable' });
  assert.equal(await working.profile('a'), '{"v":1}');
  assert.equal(await withRedis(url, (redis) => redis.llen('queue:profiles')), 1);
});

test('a Redis that is set to forget is noticed', { skip }, async (t) => {
  const { url, connection } = await workingSet(t);
  assert.deepEqual(await durabilityFaults(connection), []);
  const usual = { appendonly: 'yes', maxmemory: '0', 'maxmemory-policy': 'volatile-ttl' };
  const forgetful = { appendonly: 'no', maxmemory: '1gb', 'maxmemory-policy': 'allkeys-lru' };
  const set = (/** @type {Record<string, string>} */ settings) =>
    withRedis(url, (redis) => redis.config('SET', ...Object.entries(settings).flat()));
  t.after(() => set(usual));
  await set(forgetful);
  assert.match(
    (await durabilityFaults(connection)).join('\n'),
    /^appendonly is no: .*\nmaxmemory-policy is allkeys-lru: /,
  );
});

test('a Redis that is not there is told by its address, without the password', async () => {
  const log = pino({ level: 'silent' });
  await assert.rejects(
    openRedis({ url: 'redis://:secret@127.0.0.1:1', timeout_ms: 1_000, log }),
    /^Error: failed to reach Redis at redis:\/\/…@127\.0\.0\.1:1: .*ECONNREFUSED/,
  );
});
