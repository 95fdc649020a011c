// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../src/cache/memory.js';
import { identify } from '../src/routes/exchange.js';
import { bearerToken, createSessions } from '../src/sessions.js';
import { openSqliteStore } from '../src/store/sqlite.js';
import { halvesOf, isOpen } from '../src/tokens.js';
import { createEmbeddedWorkingSet } from '../src/working/embedded.js';
import { createWriteBehind } from '../src/write-behind.js';
import { start } from './support.js';

test('a new name becomes a user with a profile, and its token opens it', async (t) => {
  const { ask } = await start(t);
  const body = { user: 'ada', secret: 'difference engine' };
  const first = await ask('/sessions', { method: 'POST', body });
  assert.equal(first.status, 201);
  assert.equal(first.headers.get('cache-control'), 'no-store');
  assert.equal(first.json.profile, '/profiles/ada');
  assert.ok(first.json.expires_ms > Date.now());
  const again = await ask('/sessions', { method: 'POST', body });
  assert.equal(again.status, 201);
  assert.notEqual(again.json.token, first.json.token);
  for (const { json } of [first, again]) {
    assert.equal((await ask('/profiles/ada', { token: json.token })).json.owner, 'ada');
  }
});

test('a wrong secret, none, and the name of a guest open nothing', async (t) => {
  const { ask } = await start(t);
  const signIn = (/** @type {object} */ body) => ask('/sessions', { method: 'POST', body });
  await signIn({ user: 'ada', secret: 'difference engine' });
  await signIn({ user: 'guest' });
  for (const body of [
    { user: 'ada', secret: 'analytical engine' },
    { user: 'ada' },
    { user: 'guest' },
    { user: 'guest', secret: 'difference engine' },
  ]) {
    const response = await signIn(body);
    assert.deepEqual(
      [response.status, response.json.code],
      [401, 'credentials_invalid'],
      JSON.stringify(body),
    );
  }
});

test('of two who register one name at the same time, one gets it', async (t) => {
  const { ask } = await start(t);
  const responses = await Promise.all(
    ['first secret', 'other secret'].map((secret) =>
      ask('/sessions', { method: 'POST', body: { user: 'ada', secret } }),
    ),
  );
  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 401]);
});

test('one who registers twice at the same time gets both sessions', async (t) => {
  const { ask } = await start(t);
  const body = { user: 'ada', secret: 'difference engine' };
  const responses = await Promise.all([1, 2].map(() => ask('/sessions', { method: 'POST', body })));
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 201],
  );
});

for (const body of [
  {},
  { user: '' },
  { user: '../u1' },
  { user: 'x'.repeat(33) },
  { user: 7 },
  { user: 'ada', secret: 'short' },
  { user: 'ada', admin: true },
]) {
  test(`credentials such as ${JSON.stringify(body).slice(0, 40)} are refused`, async (t) => {
    const { ask } = await start(t);
    const response = await ask('/sessions', { method: 'POST', body });
    assert.deepEqual([response.status, response.json.code], [422, 'invalid_body']);
  });
}

test('a seeded name cannot be registered by somebody else', async (t) => {
  const { ask } = await start(t);
  const response = await ask('/sessions', { method: 'POST', body: { user: 'u1', secret: 'let me in now' } });
  assert.deepEqual([response.status, response.json.code], [401, 'credentials_invalid']);
});

test('a token expires, and nothing that is kept is a token', async (t) => {
  let clock_ms = 0;
  const cache = createMemoryCache({ entries: 10, now: () => 0 });
  const store = await openSqliteStore(':memory:');
  t.after(() => store.close());
  const queue = createWriteBehind({
    store,
    interval_ms: 1,
    batch: 1,
    limit: 1,
    onError: (error) => assert.fail(`${error}`),
  });
  const working = createEmbeddedWorkingSet({ cache, store, queue, ttl_ms: 1 });
  const now = () => clock_ms;
  const { token, expires_ms } = await createSessions({ working, store, ttl_ms: 1_000, most: 1, now }).open({
    user: 'ada',
  });
  assert.equal(expires_ms, 1_000);

  const [text = ''] = await working.look(halvesOf(token).name);
  assert.ok(!text.includes(token), text);
  const exchange = /** @type {any} */ ({ req: { headers: { authorization: `Bearer ${token}` } } });
  clock_ms = 999;
  assert.equal((await identify({ working, now }, exchange)).user, 'ada');
  clock_ms = 1_000;
  await assert.rejects(identify({ working, now }, exchange), { code: 'token_invalid' });
});

test('above the limit nobody is signed in or becomes a user, until a session has expired', async () => {
  let clock_ms = 0;
  /** @type {string[]} */
  const opened = [];
  /** @type {Map<string, any>} */
  const users = new Map();
  const sessions = createSessions({
    working: /** @type {any} */ ({
      openSession: async (/** @type {string} */ name) => void opened.push(name),
    }),
    store: {
      readUser: async (id) => users.get(id),
      createUsers: async ([{ user }]) => Number(users.set(user.id, user) !== undefined),
    },
    ttl_ms: 1_000,
    most: 3,
    now: () => clock_ms,
  });
  // What was refused does not count.
  await sessions.open({ user: 'ada', secret: 'difference engine' });
  for (let at = 0; at < 5; at += 1) {
    await assert.rejects(sessions.open({ user: 'ada', secret: 'analytical engine' }), {
      code: 'credentials_invalid',
    });
  }
  clock_ms = 400;
  await sessions.open({ user: 'guest1' });
  await sessions.open({ user: 'guest2' });
  await assert.rejects(sessions.open({ user: 'guest3' }), {
    status: 503,
    code: 'too_many_sessions',
    headers: ['retry-after', '1'],
  });
  assert.deepEqual([...users.keys()], ['ada', 'guest1', 'guest2']);
  for (clock_ms = 1_000; clock_ms < 20_000; clock_ms += 100) {
    await sessions.open({ user: `guest${clock_ms}` }).catch(() => {});
  }
  assert.ok(opened.length >= 50 && opened.length <= 63, `3 in each second: ${opened.length}`);
});

test('half of the hash finds a session and the other half must agree', () => {
  const { name, check } = halvesOf('token');
  assert.deepEqual([name.length, check.length], [32, 32]);
  const session = { user: 'ada', check, expires_ms: null };
  assert.equal(isOpen(session, check, 0), true);
  assert.equal(isOpen(session, halvesOf('tokem').check, 0), false);
});

test('the scheme of the header is case-insensitive', () => {
  assert.equal(bearerToken('bearer abc'), 'abc');
  assert.equal(bearerToken('BEARER  abc '), 'abc');
  assert.throws(() => bearerToken('Bearer'), { code: 'token_missing' });
});
