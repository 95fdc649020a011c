// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../src/config.js';

test('without settings the defaults hold', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    compression: true,
    console_log: false,
    log_level: 'info',
    log_dir: undefined,
  });
});

test('each setting is read', () => {
  const env = {
    HOST: '::1',
    PORT: '0',
    COMPRESSION: 'off',
    CONSOLE_LOG: 'on',
    LOG_LEVEL: 'error',
    LOG_DIR: '/tmp',
  };
  assert.deepEqual(readConfig(env), {
    host: '::1',
    port: 0,
    compression: false,
    console_log: true,
    log_level: 'error',
    log_dir: '/tmp',
  });
});

for (const [name, value] of [
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['COMPRESSION', 'yes'],
  ['CONSOLE_LOG', 'true'],
  ['LOG_LEVEL', 'verbose'],
]) {
  test(`${name}=${value} is refused by name and value`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(name) &&
        error.message.includes(`"${value}"`),
    );
  });
}
