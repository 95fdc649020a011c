// @ts-check
/** The settings of the service. */

import { integer, LOG_LEVELS, oneOf } from '@plimsoll/service-common/settings.js';

/**
 * @typedef {object} Config
 * @property {string} host
 * @property {number} port 0 takes a free one
 * @property {string} log_level
 * @property {string} file of the database; `:memory:` keeps nothing
 * @property {number} most_bookmarks of a user
 */

/** @param {import('@plimsoll/service-common/settings.js').Env} env @returns {Config} */
export function readConfig(env) {
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    file: env.BOOKMARKS_FILE || ':memory:',
    most_bookmarks: integer(env, 'BOOKMARKS_MOST', 10_000, 1, 1_000_000),
  };
}
