// @ts-check
/** The store in a document database. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMongoStore } from '../src/store/mongodb.js';
import { useRealParts, withStore } from './real-parts.js';

const { skip, settings } = useRealParts();

/** @param {import('node:test').TestContext} t */
async function open(t) {
  const { PROFILE_MONGODB_URL: url } = settings();
  const store = await openMongoStore({ url, timeout_ms: 5_000 });
  t.after(() => store.close());
  return { url, store };
}

/** @param {string} id @param {number} version */
const change = (id, version) => ({ id, version, text: JSON.stringify({ id, version }) });

test('a profile is a document and comes back as it went', { skip }, async (t) => {
  const { url, store } = await open(t);
  const text =
    '{"id":"a","version":1,"name":"Käpt’n","last":[{"at_ms":1700000000000,"share":0.5}],"none":null,"e":[]}';
  await store.writeProfiles([{ id: 'a', version: 1, text }]);
  assert.equal(await store.readProfile('a'), text);
  assert.equal(await store.readProfile('b'), undefined);
  const document = await withStore(url, (database) =>
    database.collection('profiles').findOne({ 'profile.name': 'Käpt’n' }),
  );
  assert.equal(document?.version, 1);
});

test('an older change and the same change again have no effect, others of the batch have', {
  skip,
}, async (t) => {
  const { store } = await open(t);
  await store.writeProfiles([change('a', 5), change('b', 1)]);
  await store.writeProfiles([change('a', 4), change('b', 2), change('a', 5), change('c', 1)]);
  for (const [id, version] of /** @type {const} */ ([
    ['a', 5],
    ['b', 2],
    ['c', 1],
  ]))
    assert.equal(await store.readProfile(id), change(id, version).text);
});

test('two who write one new profile at the same time leave the newer', { skip }, async (t) => {
  const { store } = await open(t);
  const versions = [3, 1, 4, 2];
  await Promise.all(versions.map((version) => store.writeProfiles([change('a', version)])));
  assert.equal(await store.readProfile('a'), change('a', 4).text);
});

test('a removed profile is not brought back by a change that comes late', { skip }, async (t) => {
  const { store } = await open(t);
  await store.writeProfiles([change('a', 1)]);
  await store.writeProfiles([{ id: 'a', version: 3, text: null }]);
  await store.writeProfiles([change('a', 2)]);
  assert.equal(await store.readProfile('a'), undefined);
});

test('of users with one name the first is kept', { skip }, async (t) => {
  const { store } = await open(t);
  const user = (/** @type {string} */ id, /** @type {number} */ byte) => ({
    user: { id, salt: Buffer.from([byte]), secret_hash: Buffer.from([byte, byte]) },
    profile: change(id, 1),
  });
  assert.equal(await store.createUsers([user('a', 1), user('b', 1)]), 2);
  assert.equal(await store.createUsers([user('b', 2), user('c', 2)]), 1);
  const kept = await store.readUser('b');
  assert.deepEqual([...(kept?.secret_hash ?? [])], [1, 1]);
  assert.equal(await store.readUser('d'), undefined);
});

test('a store that is not there is told by its address, without the password', async () => {
  await assert.rejects(
    openMongoStore({ url: 'mongodb://user:secret@127.0.0.1:1/profile', timeout_ms: 1_000 }),
    /^Error: failed to reach the store at mongodb:\/\/…@127\.0\.0\.1:1\/profile: .*ECONNREFUSED/,
  );
});
