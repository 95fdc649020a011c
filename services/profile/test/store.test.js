// @ts-check
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite.js';
import { temporaryDirectory } from './support.js';

/** @param {import('node:test').TestContext} t */
async function open(t) {
  const path = join(await temporaryDirectory(t), 'profiles.db');
  const store = await openSqliteStore(path);
  t.after(() => store.close());
  return { path, store };
}

test('what was written is there after closing and opening again', async (t) => {
  const { path, store } = await open(t);
  const user = { id: 'ada', salt: new Uint8Array([1, 2]), secret_hash: new Uint8Array([3]) };
  assert.equal(await store.createUsers([{ user, profile: { id: 'ada', version: 1, text: '{"v":1}' } }]), 1);
  await store.writeProfiles([{ id: 'other', version: 1, text: 'ä' }]);
  await store.close();
  const again = await openSqliteStore(path);
  t.after(() => again.close());
  assert.equal(await again.readProfile('ada'), '{"v":1}');
  assert.equal(await again.readProfile('other'), 'ä');
  assert.equal(await again.readProfile('none'), undefined);
  const found = await again.readUser('ada');
  assert.deepEqual([...(found?.salt ?? [])], [1, 2]);
  assert.deepEqual([...(found?.secret_hash ?? [])], [3]);
  assert.equal(await again.readUser('none'), undefined);
});

test('a user that exists is left as it is, with its profile', async (t) => {
  const { store } = await open(t);
  const guest = (/** @type {string} */ id, /** @type {string} */ text) => ({
    user: { id, salt: null, secret_hash: null },
    profile: { id, version: 9, text },
  });
  assert.equal(await store.createUsers([guest('a', 'first')]), 1);
  assert.equal(await store.createUsers([guest('a', 'second'), guest('b', 'first')]), 1);
  assert.deepEqual([await store.readProfile('a'), await store.readProfile('b')], ['first', 'first']);
});

test('an older version never covers a newer one', async (t) => {
  const { store } = await open(t);
  await store.writeProfiles([{ id: 'a', version: 5, text: 'five' }]);
  await store.writeProfiles([{ id: 'a', version: 4, text: 'four' }]);
  await store.writeProfiles([{ id: 'a', version: 5, text: null }]);
  assert.equal(await store.readProfile('a'), 'five');
  await store.writeProfiles([{ id: 'a', version: 6, text: null }]);
  assert.equal(await store.readProfile('a'), undefined);
});

test('a batch that fails leaves nothing behind', async (t) => {
  const { store } = await open(t);
  const broken = /** @type {any} */ ({ id: 'b', version: null, text: 'two' });
  await assert.rejects(
    store.writeProfiles([{ id: 'a', version: 1, text: 'one' }, broken]),
    /^Error: failed to writeProfiles in .*profiles\.db: NOT NULL constraint failed: profiles\.version$/,
  );
  assert.equal(await store.readProfile('a'), undefined);
  assert.equal(store.healthy(), true);
});

test('a file that is not a database is refused by name', async (t) => {
  const directory = await temporaryDirectory(t);
  await assert.rejects(
    openSqliteStore(join(directory, 'missing', 'profiles.db')),
    /^Error: failed to open in .*missing/,
  );
});

test('a closed store says so', async (t) => {
  const { store } = await open(t);
  await store.close();
  assert.equal(store.healthy(), false);
  await assert.rejects(store.readProfile('a'), /the store is closed/);
});
