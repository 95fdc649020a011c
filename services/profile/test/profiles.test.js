// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support.js';

const settings = {
  sound: false,
  music: false,
  hints: false,
  colour_blind: true,
  volume_percent: 10,
  language: 'de',
};
const choice = { name: 'Käpt’n Blaubär', settings };

/** @param {Awaited<ReturnType<typeof start>>} service @param {string} id */
async function etagOf({ ask }, id) {
  return (await ask(`/profiles/${id}`, { token: 'token-u1' })).headers.get('etag') ?? '';
}

test('a profile is read, and not sent again while the tag is the same', async (t) => {
  const { ask, turn } = await start(t);
  const read = await ask('/profiles/u1', { token: 'token-u1' });
  assert.equal(read.status, 200);
  assert.equal(read.json.id, 'u1');
  const etag = read.headers.get('etag') ?? '';
  for (const known of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
    const again = await ask('/profiles/u1', { token: 'token-u1', headers: { 'if-none-match': known } });
    assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag], known);
  }
  await turn('u1');
  const changed = await ask('/profiles/u1', { token: 'token-u1', headers: { 'if-none-match': etag } });
  assert.equal(changed.status, 200);
});

test('HEAD responds with the headers of GET', async (t) => {
  const { ask } = await start(t);
  const read = await ask('/profiles/u1', { token: 'token-u1' });
  const head = await ask('/profiles/u1', { method: 'HEAD', token: 'token-u1' });
  assert.deepEqual([head.status, head.text], [200, '']);
  for (const name of ['etag', 'content-type', 'content-length']) {
    assert.equal(head.headers.get(name), read.headers.get(name));
  }
});

test('an id in percent-encoding is the same id', async (t) => {
  const { ask } = await start(t);
  assert.equal((await ask('/profiles/%751', { token: 'token-u1' })).status, 200);
  assert.equal((await ask('/profiles/%E0%A4', { token: 'token-u1' })).json.code, 'malformed_path');
});

test("another's profile and one that does not exist get the same response", async (t) => {
  const { ask } = await start(t);
  const other = await ask('/profiles/u2', { token: 'token-u1' });
  const none = await ask('/profiles/nobody', { token: 'token-u1' });
  assert.equal(other.status, 404);
  assert.equal(other.text, none.text);
});

test('PUT replaces what the player may set and nothing else', async (t) => {
  const service = await start(t);
  const { ask } = service;
  const before = await ask('/profiles/u1', { token: 'token-u1' });
  const etag = before.headers.get('etag') ?? '';
  const put = await ask('/profiles/u1', {
    method: 'PUT',
    token: 'token-u1',
    body: choice,
    headers: { 'if-match': etag },
  });
  assert.equal(put.status, 200);
  const { version, updated_ms } = put.json;
  assert.deepEqual(put.json, { ...before.json, ...choice, version, updated_ms });
  assert.equal(version, before.json.version + 1);
  assert.equal(put.headers.get('etag'), await etagOf(service, 'u1'));
});

for (const [name, question, status, code] of /** @type {[string, any, number, string][]} */ ([
  ['without If-Match', { headers: {} }, 428, 'etag_missing'],
  ['with a stale tag', { headers: { 'if-match': '"1-0"' } }, 412, 'etag_stale'],
  ['with a weak tag', { headers: { 'if-match': 'W/"1-0"' } }, 412, 'etag_stale'],
  ['of what belongs to the game', { body: { ...choice, gold: 1e6 } }, 422, 'invalid_body'],
  ['of half the settings', { body: { name: 'x', settings: { sound: true } } }, 422, 'invalid_body'],
  [
    'with a volume out of range',
    { body: { name: 'x', settings: { ...settings, volume_percent: 101 } } },
    422,
    'invalid_body',
  ],
  ['without a token', { token: undefined }, 401, 'token_missing'],
  ["of another's profile", { token: 'token-u2' }, 404, 'profile_not_found'],
])) {
  test(`PUT ${name} is refused as ${code}`, async (t) => {
    const { ask } = await start(t);
    const usual = { method: 'PUT', token: 'token-u1', body: choice, headers: { 'if-match': '*' } };
    const response = await ask('/profiles/u1', { ...usual, ...question });
    assert.deepEqual([response.status, response.json.code], [status, code]);
    assert.equal((await ask('/profiles/u1', { token: 'token-u1' })).json.version, 1);
  });
}

test('a removed profile is gone, also after it was stored', async (t) => {
  const service = await start(t, { PROFILE_FLUSH_INTERVAL_MS: '1' });
  const { ask, turn } = service;
  const removal = { method: 'DELETE', token: 'token-u1' };
  assert.equal((await ask('/profiles/u1', removal)).json.code, 'etag_missing');
  assert.equal(
    (await ask('/profiles/u1', { ...removal, headers: { 'if-match': '"1-0"' } })).json.code,
    'etag_stale',
  );
  const etag = await etagOf(service, 'u1');
  const gone = await ask('/profiles/u1', { ...removal, headers: { 'if-match': etag } });
  assert.deepEqual([gone.status, gone.text], [204, '']);
  assert.equal((await turn('u1')).json.code, 'profile_not_found');
  while (!/profile_store_waiting 0\n/.test((await ask('/metrics')).text));
  assert.equal((await turn('u1')).json.code, 'profile_not_found');
});

test('a change to a profile that was removed meanwhile does not bring it back', async (t) => {
  const service = await start(t);
  const headers = { 'if-match': await etagOf(service, 'u1') };
  const question = { token: 'token-u1', headers };
  assert.equal((await service.ask('/profiles/u1', { ...question, method: 'DELETE' })).status, 204);
  for (const more of [{}, { method: 'PUT', body: choice }, { method: 'DELETE' }]) {
    const { status, json } = await service.ask('/profiles/u1', { ...question, ...more });
    assert.deepEqual([status, json.code], [404, 'profile_not_found']);
  }
});

test('of many writers with the same tag one wins', async (t) => {
  const service = await start(t);
  const headers = { 'if-match': await etagOf(service, 'u1') };
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      service.ask('/profiles/u1', {
        method: 'PUT',
        token: 'token-u1',
        body: { name: `writer ${index}`, settings },
        headers,
      }),
    ),
  );
  const won = responses.filter(({ status }) => status === 200);
  assert.equal(won.length, 1);
  assert.equal(responses.filter(({ json }) => json.code === 'etag_stale').length, 19);
  assert.equal((await service.ask('/profiles/u1', { token: 'token-u1' })).text, won[0].text);
});

test('of two clients at the same time, one who plays and one who sets, neither loses a change', async (t) => {
  const { ask, turn } = await start(t);
  const before = await ask('/profiles/u1', { token: 'token-u1' });
  async function put() {
    for (;;) {
      const etag = (await ask('/profiles/u1', { token: 'token-u1' })).headers.get('etag') ?? '';
      const headers = { 'if-match': etag };
      const question = { method: 'PUT', token: 'token-u1', body: choice, headers };
      const { status, json } = await ask('/profiles/u1', question);
      if (status === 200) return;
      assert.ok(['etag_stale', 'profile_busy'].includes(json.code), json.code);
    }
  }
  async function play() {
    let done = 0;
    for (let number = 0; number < 30; number += 1) done += (await turn('u1', 'rest')).status === 200 ? 1 : 0;
    return done;
  }
  const [turns] = await Promise.all([play(), put(), put()]);
  const { json } = await ask('/profiles/u1', { token: 'token-u1' });
  assert.deepEqual([json.name, json.settings], [choice.name, settings]);
  assert.equal(json.counters.rests, before.json.counters.rests + turns);
  assert.equal(json.version, before.json.version + turns + 2);
});

test('a clone is made from what the client saw, under a new id of the same owner', async (t) => {
  const service = await start(t);
  const { ask, turn } = service;
  await turn('u1', 'fish');
  const source = await ask('/profiles/u1', { token: 'token-u1' });
  const body = { source: '/profiles/u1', etag: source.headers.get('etag') };
  const made = await ask('/profiles', { method: 'POST', token: 'token-u1', body });
  assert.equal(made.status, 201);
  const path = made.headers.get('location') ?? '';
  assert.equal(path, `/profiles/${made.json.id}`);
  const { id, version, created_ms, updated_ms } = made.json;
  assert.notEqual(id, 'u1');
  assert.deepEqual(made.json, { ...source.json, id, version, created_ms, updated_ms });
  const copy = await ask(path, { token: 'token-u1' });
  assert.equal(copy.text, made.text);
  assert.equal((await ask(path, { token: 'token-u2' })).status, 404);
  const played = await ask(`${path}/turns`, { method: 'POST', token: 'token-u1', body: { action: 'fish' } });
  assert.equal(played.json.counters.catches, 2);
  assert.equal((await ask('/profiles/u1', { token: 'token-u1' })).text, source.text, 'the source changed');
});

for (const [name, change, status, code] of /** @type {[string, any, number, string][]} */ ([
  ['a source that has changed', { etag: '"1-0"' }, 412, 'source_changed'],
  ['a source that is gone', { source: '/profiles/nobody' }, 404, 'profile_not_found'],
  ["another's source", { source: '/profiles/u2' }, 404, 'profile_not_found'],
  ['a source elsewhere', { source: 'http://example.org/profiles/u1' }, 422, 'invalid_body'],
  ['no tag', { etag: undefined }, 422, 'invalid_body'],
  ['a field too many', { id: 'u9' }, 422, 'invalid_body'],
])) {
  test(`a clone of ${name} is refused as ${code}`, async (t) => {
    const service = await start(t);
    const body = { source: '/profiles/u1', etag: await etagOf(service, 'u1'), ...change };
    const response = await service.ask('/profiles', { method: 'POST', token: 'token-u1', body });
    assert.deepEqual([response.status, response.json.code], [status, code]);
  });
}

test('a source that was removed after the client saw it cannot be cloned', async (t) => {
  const service = await start(t);
  const etag = await etagOf(service, 'u1');
  await service.ask('/profiles/u1', { method: 'DELETE', token: 'token-u1', headers: { 'if-match': etag } });
  const body = { source: '/profiles/u1', etag };
  const response = await service.ask('/profiles', { method: 'POST', token: 'token-u1', body });
  assert.deepEqual([response.status, response.json.code], [404, 'profile_not_found']);
});

test('a clone needs a token', async (t) => {
  const { ask } = await start(t);
  const response = await ask('/profiles', {
    method: 'POST',
    body: { source: '/profiles/u1', etag: '"1-0"' },
  });
  assert.equal(response.json.code, 'token_missing');
});
