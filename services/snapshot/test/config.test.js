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
    log_level: 'error',
    ca_addresses: ['127.0.0.1'],
    ca_port: 5064,
    groups_file: undefined,
    timeout_ms: 1_000,
    max_pvs: 1_000,
    max_channels: 10_000,
    max_streams: 100,
    stall_ms: 10_000,
    shutdown_grace_ms: 3_000,
  });
});

test('several addresses', () => {
  assert.deepEqual(readConfig({ EPICS_CA_ADDR_LIST: ' 10.0.0.1, 10.0.0.2 ' }).ca_addresses, [
    '10.0.0.1',
    '10.0.0.2',
  ]);
});

for (const [name, value] of [
  ['PORT', '65536'],
  ['LOG_LEVEL', 'loud'],
  ['EPICS_CA_SERVER_PORT', '5000'],
  ['EPICS_CA_SERVER_PORT', '5064.5'],
  ['EPICS_CA_ADDR_LIST', 'beamline'],
  ['EPICS_CA_ADDR_LIST', '127.0.0.1:5064'],
  ['EPICS_CA_ADDR_LIST', ','],
  ['SNAPSHOT_TIMEOUT_MS', '1s'],
  ['SNAPSHOT_TIMEOUT_MS', '0'],
  ['SNAPSHOT_MAX_PVS', '-1'],
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
