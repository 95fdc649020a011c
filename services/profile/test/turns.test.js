// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { catalogue } from '../src/game/catalogue.js';
import { newProfile } from '../src/game/profile.js';
import { refreshStanding } from '../src/game/standing.js';
import { ACTIONS, takeTurn } from '../src/game/turn.js';
import { assertAllCount, start } from './support.js';

test('a turn changes the profile and sends it with its tag', async (t) => {
  const { ask, turn } = await start(t);
  const first = await turn('u1', 'fish');
  assert.equal(first.status, 200);
  assert.equal(first.json.version, 2);
  assert.equal(first.json.counters.catches, 1);
  assert.equal(first.json.last_turns.at(-1).action, 'fish');
  const second = await turn('u1', 'fish');
  assert.equal(second.json.version, 3);
  assert.notEqual(second.headers.get('etag'), first.headers.get('etag'));
  const read = await ask('/profiles/u1', { token: 'token-u1' });
  assert.equal(read.text, second.text);
  assert.equal(read.headers.get('etag'), second.headers.get('etag'));
});

test('a warm turn parses twice and stringifies once', async (t) => {
  const { url, turn } = await start(t, { PROFILE_FLUSH_INTERVAL_MS: '60000' });
  await turn('u1');
  const agent = new Agent();
  t.after(() => agent.destroy());
  const parse = t.mock.method(JSON, 'parse');
  const stringify = t.mock.method(JSON, 'stringify');
  const headers = { authorization: 'Bearer token-u1', 'content-type': 'application/json' };
  const sent = request(`${url}/profiles/u1/turns`, { method: 'POST', headers, agent }).end(
    '{"action":"sail"}',
  );
  const [res] = await once(sent, 'response');
  await once(res.resume(), 'end');
  assert.equal(res.statusCode, 200);
  assert.deepEqual([parse.mock.callCount(), stringify.mock.callCount()], [2, 1]);
});

test('a turn can be asked for again without being taken twice', async (t) => {
  const { ask } = await start(t);
  const etag = (await ask('/profiles/u1', { token: 'token-u1' })).headers.get('etag') ?? '';
  const turn = {
    method: 'POST',
    token: 'token-u1',
    body: { action: 'rest' },
    headers: { 'if-match': etag },
  };
  assert.equal((await ask('/profiles/u1/turns', turn)).json.version, 2);
  const again = await ask('/profiles/u1/turns', turn);
  assert.deepEqual([again.status, again.json.code], [412, 'etag_stale']);
});

test('turns of one profile at the same time all count', async (t) => {
  const { ask, turn } = await start(t);
  await assertAllCount(await Promise.all(Array.from({ length: 40 }, () => turn('u1', 'rest'))), ask);
});

for (const [name, question, status, code] of /** @type {[string, any, number, string][]} */ ([
  ['no token', { token: undefined }, 401, 'token_missing'],
  ['another scheme', { token: undefined, headers: { authorization: 'Basic dTE6' } }, 401, 'token_missing'],
  ['an unknown token', { token: 'token-u9' }, 401, 'token_invalid'],
  ['the token of another user', { token: 'token-u2' }, 404, 'profile_not_found'],
  ['an action that is not in the game', { body: { action: 'fly' } }, 422, 'invalid_body'],
  ['no action', { body: {} }, 422, 'invalid_body'],
  ['a field too many', { body: { action: 'sail', gold: 1e9 } }, 422, 'invalid_body'],
  ['a poisoned prototype', { body: '{"action":"sail","__proto__":{"gold":1}}' }, 422, 'invalid_body'],
  ['a list', { body: [] }, 422, 'invalid_body'],
  ['broken JSON', { body: '{"action":' }, 400, 'malformed_json'],
  ['an empty body', { body: '' }, 400, 'malformed_json'],
  ['8,000 levels', { body: '['.repeat(8_000) + ']'.repeat(8_000) }, 400, 'malformed_json'],
  [
    'a body of text',
    { body: 'sail', headers: { 'content-type': 'text/plain' } },
    415,
    'unsupported_media_type',
  ],
  ['a large body', { body: { action: 'x'.repeat(20_000) } }, 413, 'body_too_large'],
  ['a very large body', { body: { action: 'x'.repeat(200_000) } }, 413, 'body_too_large'],
  ['another method', { method: 'PUT' }, 405, 'method_not_allowed'],
])) {
  test(`a turn with ${name} is refused as ${code}`, async (t) => {
    const { ask } = await start(t);
    const usual = { method: 'POST', token: 'token-u1', body: { action: 'sail' } };
    const response = await ask('/profiles/u1/turns', { ...usual, ...question });
    assert.equal(response.status, status);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.equal(response.json.code, code);
    assert.equal(response.json.type, `urn:problem:profile:${code}`);
    assert.equal(response.headers.get('allow'), status === 405 ? 'POST' : null);
    assert.equal(response.headers.get('www-authenticate'), status === 401 ? 'Bearer realm="profile"' : null);
    const { json } = await ask('/profiles/u1', { token: 'token-u1' });
    assert.equal(json.version, 1, 'a refused turn changed the profile');
  });
}

test('a fault in the body is told with its place', async (t) => {
  const { ask } = await start(t);
  const body = { action: 'fly', speed: 3 };
  const { json } = await ask('/profiles/u1/turns', { method: 'POST', token: 'token-u1', body });
  assert.deepEqual(json.errors, [
    { pointer: '', detail: 'must NOT have additional properties; found "speed"' },
    { pointer: '/action', detail: 'must be equal to one of the allowed values: sail, fish, trade, rest' },
  ]);
});

test('the game is repeatable, fair and its profile stays at about 1.3 kB', () => {
  for (const action of ACTIONS) {
    const played = [0, 0].map(() => {
      const profile = newProfile('u1000', 'u1000', 1_700_000_000_000);
      for (let number = 0; number < 5_000; number += 1) {
        takeTurn(profile, action, 1_700_000_000_000 + number);
        profile.version += 1;
        const stowed = Object.values(profile.hold).reduce((sum, count) => sum + count, 0);
        assert.ok(profile.gold >= 0, 'gold below zero');
        assert.ok(profile.energy_percent >= 0 && profile.energy_percent <= 100, 'energy out of bounds');
        assert.ok(
          stowed <= catalogue.hold_limit && Math.min(...Object.values(profile.hold)) >= 0,
          'hold out of bounds',
        );
      }
      refreshStanding(profile, 1_700_000_000_000);
      return JSON.stringify(profile);
    });
    assert.equal(played[0], played[1]);
    assert.ok(Math.abs(played[0].length - 1_300) < 150, `${played[0].length} bytes after 5,000 × ${action}`);
  }
});

test('standing grows with what was done', () => {
  const profile = newProfile('u1', 'u1', 0);
  refreshStanding(profile, 1);
  assert.deepEqual(profile.achievements, []);
  const before = profile.standing;
  profile.counters.voyages = 100;
  profile.level = 80;
  refreshStanding(profile, 2);
  assert.deepEqual(profile.achievements, ['first voyage', 'old salt']);
  assert.ok(profile.standing.rating > before.rating);
  assert.notEqual(profile.standing.rank, before.rank);
  assert.equal(profile.standing.computed_ms, 2);
});
