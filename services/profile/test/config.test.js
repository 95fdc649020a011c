// @ts-check
import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { readConfig } from '../src/config.js';

test('without settings the defaults hold', () => {
  const { host, port, log_level, data_dir, seed_users } = readConfig({});
  assert.deepEqual(
    { host, port, log_level, data_dir, seed_users },
    { host: '127.0.0.1', port: 3000, log_level: 'error', data_dir: undefined, seed_users: 0 },
  );
});

test('a setting that is empty is not set', () => {
  assert.deepEqual(readConfig({ PORT: '', HOST: '', LOG_LEVEL: '', PROFILE_DATA_DIR: '' }), readConfig({}));
});

test('seeded users are for loopback addresses', () => {
  for (const host of ['127.0.0.1', '127.8.9.10', '::1', 'localhost']) {
    assert.equal(readConfig({ HOST: host, PROFILE_SEED_USERS: '5' }).seed_users, 5);
  }
  for (const host of ['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.org']) {
    assert.throws(
      () => readConfig({ HOST: host, PROFILE_SEED_USERS: '5' }),
      /^Error: PROFILE_SEED_USERS .* loopback/,
    );
    assert.equal(readConfig({ HOST: host }).host, host);
  }
});

test('the cache must hold the seeded users', () => {
  assert.throws(
    () => readConfig({ PROFILE_SEED_USERS: '50', PROFILE_CACHE_ENTRIES: '99' }),
    /^Error: PROFILE_CACHE_ENTRIES must hold .* 50 .*; found 99$/,
  );
});

test('one worker for each core, where they share a store', () => {
  assert.equal(readConfig({ PROFILE_STORE: 'real', PROFILE_WORKERS: '3' }).workers, 3);
  assert.equal(readConfig({ PROFILE_STORE: 'real', PROFILE_WORKERS: '0' }).workers, availableParallelism());
  assert.throws(() => readConfig({ PROFILE_WORKERS: '2' }), /^Error: PROFILE_WORKERS must be 1 .*; found 2$/);
});

test('an address of the wrong kind is refused without its password', () => {
  assert.throws(
    () => readConfig({ PROFILE_REDIS_URL: 'http://:secret@host' }),
    (error) => {
      assert.match(
        `${error}`,
        /^Error: PROFILE_REDIS_URL must begin with one of redis:, rediss:, unix:; found "http:"$/,
      );
      return true;
    },
  );
});

for (const [name, value] of [
  ['PROFILE_STORE', 'mongodb'],
  ['PROFILE_HANDOVER', 'nats'],
  ['PROFILE_PERSISTER_NAME', 'a b'],
  ['PORT', '65536'],
  ['PORT', '3e3'],
  ['LOG_LEVEL', 'loud'],
  ['PROFILE_SEED_USERS', '-1'],
  ['PROFILE_CACHE_TTL_MS', '10s'],
  ['PROFILE_CACHE_TTL_MS', '0'],
  ['PROFILE_BODY_LIMIT_BYTES', '1.5'],
  ['PROFILE_QUEUE_LIMIT', '99999999999999999999'],
]) {
  test(`${name}=${value} is refused by name and value`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${name} must be `) &&
        error.message.endsWith(`; found "${value}"`),
    );
  });
}
