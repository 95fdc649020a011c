// @ts-check
/** The settings of the service. */

import { isIPv4 } from 'node:net';
import { ConfigError, integer, LOG_LEVELS, oneOf } from '@plimsoll/service-common/settings.js';
import { readTransport } from '@plimsoll/service-common/transport.js';

/** @import { Env } from '@plimsoll/service-common/settings.js' */
/** @import { Transport } from '@plimsoll/service-common/transport.js' */

/**
 * @typedef {object} Config
 * @property {string} host
 * @property {number} port 0 takes a free one
 * @property {Transport['http']} http version
 * @property {Transport['tls']} tls undefined: clear text
 * @property {string} log_level
 * @property {string[]} ca_addresses IPv4 addresses that are asked for process variables
 * @property {number} ca_port
 * @property {string | undefined} groups_file names for lists of process variables; undefined: there are none
 * @property {number} timeout_ms for all that is dead in a snapshot, when the request does not say
 * @property {number} max_pvs in one request
 * @property {number} max_channels kept open
 * @property {number} max_streams of events at once
 * @property {number} stall_ms after which a client that does not read its events is cut
 * @property {number} shutdown_grace_ms
 */

/** The client library ignores a lower one without a word. */
const LEAST_CA_PORT = 5001;

/**
 * @param {Env} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    ...readTransport(env),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    ca_addresses: addresses(env.EPICS_CA_ADDR_LIST || '127.0.0.1'),
    ca_port: integer(env, 'EPICS_CA_SERVER_PORT', 5064, LEAST_CA_PORT, 65_535),
    groups_file: env.SNAPSHOT_GROUPS || undefined,
    timeout_ms: integer(env, 'SNAPSHOT_TIMEOUT_MS', 1_000, 1, 10_000),
    max_pvs: integer(env, 'SNAPSHOT_MAX_PVS', 1_000, 1, 100_000),
    max_channels: integer(env, 'SNAPSHOT_MAX_CHANNELS', 10_000, 1, 1_000_000),
    max_streams: integer(env, 'SNAPSHOT_MAX_STREAMS', 100, 0, 10_000),
    stall_ms: integer(env, 'SNAPSHOT_STALL_MS', 10_000, 1, 600_000),
    shutdown_grace_ms: integer(env, 'SNAPSHOT_SHUTDOWN_GRACE_MS', 3_000, 0, 600_000),
  };
}

/** @param {string} text */
function addresses(text) {
  const list = text.split(/[\s,]+/).filter((part) => part !== '');
  if (list.length > 0 && list.every((part) => isIPv4(part))) return list;
  throw new ConfigError(
    `EPICS_CA_ADDR_LIST must be IPv4 addresses with spaces between them; found "${text}"`,
  );
}
