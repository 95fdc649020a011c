// @ts-check
/** The settings of the service. */

import { ConfigError, integer, LOG_LEVELS, oneOf } from '@plimsoll/service-common/settings.js';

/**
 * @typedef {object} Config
 * @property {string} host
 * @property {number} port 0 takes a free one
 * @property {string} log_level
 * @property {string | undefined} redis where processes tell each other what is said; undefined for one process
 * @property {number} processes
 */

/** @param {import('@plimsoll/service-common/settings.js').Env} env @returns {Config} */
export function readConfig(env) {
  const config = {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    redis: env.REDIS_URL || undefined,
    processes: integer(env, 'CHAT_PROCESSES', 1, 1, 64),
  };
  if (config.processes > 1 && config.redis === undefined) {
    throw new ConfigError(
      `CHAT_PROCESSES needs REDIS_URL, by which processes tell each other what is said; found ${config.processes} processes without it`,
    );
  }
  return config;
}
