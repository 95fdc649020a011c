// @ts-check
/** The settings of the service. */

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
 * @property {boolean} compression of responses, when the client accepts it
 * @property {boolean} template_cache whether the template is read and compiled once instead of for each page
 * @property {boolean} console_log whether each request also prints what it shows by console.log
 * @property {string} log_level
 * @property {'stdout' | 'file' | 'none'} log_sink where lines of all levels go; file: info.log in the directory of the logs
 * @property {string | undefined} log_dir where info.log, warn.log and error.log go; undefined: nowhere
 */

const SWITCH = /** @type {const} */ (['on', 'off']);
const LOG_SINKS = /** @type {const} */ (['stdout', 'file', 'none']);

/**
 * @param {Env} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  const config = {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    ...readTransport(env),
    compression: oneOf(env, 'COMPRESSION', 'on', SWITCH) === 'on',
    template_cache: oneOf(env, 'TEMPLATE_CACHE', 'on', SWITCH) === 'on',
    console_log: oneOf(env, 'CONSOLE_LOG', 'off', SWITCH) === 'on',
    log_level: oneOf(env, 'LOG_LEVEL', 'info', LOG_LEVELS),
    log_sink: oneOf(env, 'LOG_SINK', 'stdout', LOG_SINKS),
    log_dir: env.LOG_DIR || undefined,
  };
  if (config.log_sink === 'file' && config.log_dir === undefined) {
    throw new ConfigError('LOG_DIR must be a directory when LOG_SINK is file; found nothing');
  }
  return config;
}
