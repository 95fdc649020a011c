// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { readConfig } from '../src/config.js';

test('without settings the defaults hold', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    http: '1.1',
    tls: undefined,
    compression: true,
    template_cache: true,
    console_log: false,
    log_level: 'info',
    log_sink: 'stdout',
    log_dir: undefined,
  });
});

test('each setting is read', () => {
  const env = {
    HOST: '::1',
    PORT: '0',
    HTTP_VERSION: 'both',
    TLS_CERT: 'cert.pem',
    TLS_KEY: 'key.pem',
    COMPRESSION: 'off',
    TEMPLATE_CACHE: 'off',
    CONSOLE_LOG: 'on',
    LOG_LEVEL: 'error',
    LOG_SINK: 'file',
    LOG_DIR: '/tmp',
  };
  assert.deepEqual(readConfig(env), {
    host: '::1',
    port: 0,
    http: 'both',
    tls: { cert: 'cert.pem', key: 'key.pem' },
    compression: false,
    template_cache: false,
    console_log: true,
    log_level: 'error',
    log_sink: 'file',
    log_dir: '/tmp',
  });
});

for (const [name, value] of [
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80a'],
  ['COMPRESSION', 'yes'],
  ['CONSOLE_LOG', 'true'],
  ['TEMPLATE_CACHE', '1'],
  ['LOG_LEVEL', 'verbose'],
  ['LOG_SINK', 'syslog'],
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

test('a log file needs a directory', () => {
  assert.throws(() => readConfig({ LOG_SINK: 'file' }), /^Error: LOG_DIR must be a directory/);
});
