// @ts-check
/** The service on Redis and a document store: what it promises while parts of it come and go. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { persist, useRealParts, withRedis, withStore } from './real-parts.js';
import { start, temporaryDirectory } from './support.js';

const { skip, settings, servers } = useRealParts();

/** Asks until the response is what it is waited for. @template T @param {() => Promise<T>} ask @param {(response: T) => boolean} wanted */
async function until(ask, wanted) {
  for (;;) {
    const response = await ask();
    if (wanted(response)) return response;
    await wait(5);
  }
}

/** @param {string} url @param {string} id */
function storedText(url, id) {
  return withStore(url, async (database) => {
    const found = await database.collection('profiles').findOne({ _id: /** @type {any} */ (id) });
    return found?.profile === undefined ? undefined : JSON.stringify(found.profile);
  });
}

/** @param {string} url @param {string} id milliseconds to live; -1: for ever, -2: it is not there */
const ttlOf = (url, id) => withRedis(url, (redis) => redis.pttl(`profile:${id}`));

test('a change stays in the cache until the store has it, and then as long as it may', {
  skip,
}, async (t) => {
  const env = settings();
  const { turn } = await start(t, env);
  const { text } = await turn('u1');
  const { PROFILE_REDIS_URL: redis, PROFILE_MONGODB_URL: store } = env;
  assert.equal(await ttlOf(redis, 'u1'), -1);
  assert.notEqual(await storedText(store, 'u1'), text);
  await persist(t, env);
  await until(
    () => ttlOf(redis, 'u1'),
    (ttl) => ttl > 0,
  );
  assert.equal(await storedText(store, 'u1'), text);
  await turn('u1');
  await until(
    () => ttlOf(redis, 'u1'),
    (ttl) => ttl === -1 || ttl > 0,
  );
});

test('a profile that has left the cache is read from the store', { skip }, async (t) => {
  const env = settings({ PROFILE_CACHE_TTL_MS: '200' });
  const { ask, turn } = await start(t, env);
  await turn('u1', 'sail');
  await persist(t, env);
  await until(
    () => ttlOf(env.PROFILE_REDIS_URL, 'u1'),
    (ttl) => ttl === -2,
  );
  const { json } = await turn('u1', 'sail');
  assert.deepEqual([json.version, json.counters.voyages, json.achievements], [3, 2, ['first voyage']]);
  assert.match((await ask('/metrics')).text, /profile_turns_total\{path="cold"\} 1\n/);
});

test('of many writers with the same tag, in two processes, one wins', { skip }, async (t) => {
  const env = settings();
  const [one, other] = [await start(t, env), await start(t, env)];
  const { json, headers } = await one.ask('/profiles/u1', { token: 'token-u1' });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : other).ask('/profiles/u1', {
        method: 'PUT',
        token: 'token-u1',
        body: { name: `writer ${index}`, settings: json.settings },
        headers: { 'if-match': headers.get('etag') ?? '' },
      }),
    ),
  );
  const won = responses.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(responses.filter(({ status }) => status === 412).length, 19);
  assert.equal((await other.ask('/profiles/u1', { token: 'token-u1' })).text, won[0].text);
});

test('turns in two processes all count', { skip }, async (t) => {
  const env = settings();
  const services = [await start(t, env), await start(t, env)];
  const responses = await Promise.all(
    Array.from({ length: 16 }, (_, index) => services[index % 2].turn('u1', 'rest')),
  );
  const done = responses.filter(({ status }) => status === 200).length;
  const { json } = await services[0].ask('/profiles/u1', { token: 'token-u1' });
  assert.deepEqual([json.version, json.counters.rests], [1 + done, done]);
});

for (const batch of ['1', '2', '256']) {
  test(`questions go to Redis up to ${batch} at a time`, { skip }, async (t) => {
    const { turn } = await start(t, settings({ PROFILE_REDIS_BATCH: batch, PROFILE_REDIS_LINGER_MS: '1' }));
    const responses = await Promise.all(['u1', 'u2', 'u3', 'u9'].map((id) => turn(id)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 401],
    );
    assert.deepEqual(
      responses.slice(0, 3).map(({ json }) => json.id),
      ['u1', 'u2', 'u3'],
    );
  });
}

test('when too many changes wait they are refused, until a persister takes them', { skip }, async (t) => {
  const env = settings({ PROFILE_QUEUE_LIMIT: '2', PROFILE_REDIS_TIMEOUT_MS: '200' });
  const { ask, turn } = await start(t, env);
  await turn('u1');
  await turn('u1');
  const refused = await turn('u2');
  assert.deepEqual([refused.status, refused.json.code], [503, 'queue_full']);
  assert.equal((await ask('/health/ready')).json.detail, 'too many profiles wait to be stored');
  await persist(t, env);
  await until(
    () => ask('/health/ready'),
    ({ status }) => status === 200,
  );
  assert.equal((await turn('u2')).json.version, 2);
});

test('without Redis requests are refused as problems, and with it again all is as it was', {
  skip,
}, async (t) => {
  const env = settings({ LOG_LEVEL: 'warn' });
  const { ask, turn, lines } = await start(t, env);
  const last = await turn('u1');
  await servers().redis.kill();
  const refused = await until(
    () => turn('u1'),
    ({ json }) => json.code === 'cache_unavailable',
  );
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
  assert.equal(refused.headers.get('content-type'), 'application/problem+json');
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ready.json.detail], [503, 'Redis cannot be reached']);
  assert.equal((await ask('/health/live')).status, 200);
  assert.match((await ask('/metrics')).text, /profile_redis_up 0\n/);
  await servers().restartRedis();
  await until(
    () => ask('/health/ready'),
    ({ status }) => status === 200,
  );
  assert.equal((await ask('/profiles/u1', { token: 'token-u1' })).text, last.text);
  assert.equal((await turn('u1')).json.version, 3);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['Redis cannot be reached; will try again', 'Redis is back'],
  );
});

test('a Redis that is silent is as good as gone', { skip }, async (t) => {
  const { turn } = await start(t, settings({ PROFILE_REDIS_TIMEOUT_MS: '200' }));
  const { pid } = servers().redis;
  process.kill(pid, 'SIGSTOP');
  t.after(() => process.kill(pid, 'SIGCONT'));
  const responses = await Promise.all([turn('u1'), turn('u2')]);
  for (const { status, json } of responses) assert.deepEqual([status, json.code], [503, 'cache_unavailable']);
  process.kill(pid, 'SIGCONT');
  await until(
    () => turn('u1'),
    ({ status }) => status === 200,
  );
});

test('without the store warm turns go on, and are stored when it is back', { skip }, async (t) => {
  const env = settings();
  const { ask, turn } = await start(t, env);
  const persister = await persist(t, env);
  await servers().store.kill();
  const last = await turn('u1');
  assert.equal(last.status, 200);
  const stranger = await ask('/sessions', { method: 'POST', body: { user: 'ada' } });
  assert.deepEqual([stranger.status, stranger.json.code], [503, 'store_unavailable']);
  await until(
    () => fetch(`${persister.url}/health/ready`),
    ({ status }) => status === 503,
  );
  await servers().restartStore();
  await until(
    () => fetch(`${persister.url}/health/ready`),
    ({ status }) => status === 200,
  );
  await until(
    () => storedText(env.PROFILE_MONGODB_URL, 'u1'),
    (text) => text === last.text,
  );
});

test('a store that is silent is as good as gone', { skip }, async (t) => {
  const { ask, turn } = await start(t, settings());
  const { pid } = servers().store;
  process.kill(pid, 'SIGSTOP');
  t.after(() => process.kill(pid, 'SIGCONT'));
  const stranger = { method: 'POST', body: { user: 'ada' } };
  const [refused, warm] = await Promise.all([ask('/sessions', stranger), turn('u1')]);
  assert.deepEqual([refused.status, refused.json.code], [503, 'store_unavailable']);
  assert.equal(warm.status, 200);
  process.kill(pid, 'SIGCONT');
  await until(
    () => ask('/sessions', stranger),
    ({ status }) => status === 201,
  );
});

test('changes are handed over by ZeroMQ, and the queue is left alone', { skip }, async (t) => {
  const directory = await temporaryDirectory(t);
  const env = settings({ PROFILE_HANDOVER: 'zeromq', PROFILE_ZEROMQ_URL: `ipc://${directory}/handover` });
  const persister = await persist(t, env);
  const { turn, ask } = await start(t, env);
  await turn('u1');
  const last = await turn('u1');
  await until(
    () => storedText(env.PROFILE_MONGODB_URL, 'u1'),
    (text) => text === last.text,
  );
  const { headers } = await ask('/profiles/u2', { token: 'token-u2' });
  await ask('/profiles/u2', {
    method: 'DELETE',
    token: 'token-u2',
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  await until(
    () => storedText(env.PROFILE_MONGODB_URL, 'u2'),
    (text) => text === undefined,
  );
  assert.equal(await withRedis(env.PROFILE_REDIS_URL, (redis) => redis.exists('queue:profiles')), 0);
  await persister.stop();
});
