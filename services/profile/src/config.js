// @ts-check
/** The settings of the service and of the persister. */

import { availableParallelism } from 'node:os';
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
 * @property {string | undefined} data_dir where profiles.db lives; undefined: a temporary directory
 * @property {number} seed_users
 * @property {number} cache_ttl_ms how long a profile stays in the cache after its last change
 * @property {number} cache_entries
 * @property {number} session_ttl_ms
 * @property {number} sessions that were signed in to and have not expired, at most
 * @property {number} flush_interval_ms
 * @property {number} flush_batch profiles in one transaction
 * @property {number} queue_limit profiles that may wait to be stored
 * @property {number} body_limit_bytes
 * @property {number} body_timeout_ms
 * @property {number} shutdown_grace_ms
 * @property {'embedded' | 'real'} store what the service stands on; all that follows is for `real`
 * @property {string} redis_url
 * @property {string} mongodb_url
 * @property {number} redis_timeout_ms after which a silent Redis counts as gone
 * @property {number} redis_batch requests whose questions to Redis are sent together; 1: each on its own
 * @property {number} redis_linger_ms how long questions wait for others to join them; 0: until the turn of the loop ends
 * @property {'list' | 'zeromq'} handover how the persister learns of changes
 * @property {string} zeromq_url
 * @property {number} workers processes that share the port; 0: one for each core
 * @property {string} persister_name
 * @property {number} persister_port of its health and metrics; 0 takes a free one
 */

const STORES = /** @type {const} */ (['embedded', 'real']);
const HANDOVERS = /** @type {const} */ (['list', 'zeromq']);
const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;

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
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    data_dir: env.PROFILE_DATA_DIR || undefined,
    seed_users: integer(env, 'PROFILE_SEED_USERS', 0, 0, 1_000_000),
    cache_ttl_ms: integer(env, 'PROFILE_CACHE_TTL_MS', 600_000, 1, 86_400_000),
    cache_entries: integer(env, 'PROFILE_CACHE_ENTRIES', 200_000, 2, 10_000_000),
    session_ttl_ms: integer(env, 'PROFILE_SESSION_TTL_MS', 3_600_000, 1, 2_592_000_000),
    sessions: integer(env, 'PROFILE_SESSIONS', 50_000, 1, 10_000_000),
    flush_interval_ms: integer(env, 'PROFILE_FLUSH_INTERVAL_MS', 500, 1, 60_000),
    flush_batch: integer(env, 'PROFILE_FLUSH_BATCH', 500, 1, 10_000),
    queue_limit: integer(env, 'PROFILE_QUEUE_LIMIT', 100_000, 1, 10_000_000),
    body_limit_bytes: integer(env, 'PROFILE_BODY_LIMIT_BYTES', 16_384, 64, 16_777_216),
    body_timeout_ms: integer(env, 'PROFILE_BODY_TIMEOUT_MS', 5_000, 1, 65_000),
    shutdown_grace_ms: integer(env, 'PROFILE_SHUTDOWN_GRACE_MS', 3_000, 0, 600_000),
    store: oneOf(env, 'PROFILE_STORE', 'embedded', STORES),
    redis_url: address(env, 'PROFILE_REDIS_URL', 'redis://127.0.0.1:6379', ['redis:', 'rediss:', 'unix:']),
    mongodb_url: address(env, 'PROFILE_MONGODB_URL', 'mongodb://127.0.0.1:27017/profile', [
      'mongodb:',
      'mongodb+srv:',
    ]),
    redis_timeout_ms: integer(env, 'PROFILE_REDIS_TIMEOUT_MS', 1_000, 10, 60_000),
    redis_batch: integer(env, 'PROFILE_REDIS_BATCH', 256, 1, 1_000),
    redis_linger_ms: integer(env, 'PROFILE_REDIS_LINGER_MS', 0, 0, 100),
    handover: oneOf(env, 'PROFILE_HANDOVER', 'list', HANDOVERS),
    zeromq_url: address(env, 'PROFILE_ZEROMQ_URL', 'tcp://127.0.0.1:3002', ['tcp:', 'ipc:']),
    workers: integer(env, 'PROFILE_WORKERS', 1, 0, 1_024) || availableParallelism(),
    persister_name: name(env, 'PROFILE_PERSISTER_NAME', 'persister-1'),
    persister_port: integer(env, 'PROFILE_PERSISTER_PORT', 3001, 0, 65_535),
  };
  if (config.seed_users > 0 && !LOOPBACK.test(config.host)) {
    throw new ConfigError(
      `PROFILE_SEED_USERS makes users whose tokens anyone can guess, so HOST must be a loopback address; found "${config.host}"`,
    );
  }
  if (config.store === 'embedded' && config.workers > 1) {
    throw new ConfigError(
      `PROFILE_WORKERS must be 1 where PROFILE_STORE is embedded, because each worker would have a store of its own; found ${config.workers}`,
    );
  }
  if (config.store === 'embedded' && config.seed_users * 2 > config.cache_entries) {
    throw new ConfigError(
      `PROFILE_CACHE_ENTRIES must hold a session and a profile of each of the ${config.seed_users} seeded users; found ${config.cache_entries}`,
    );
  }
  return config;
}

/**
 * The address of a server. One with a password in it is not repeated.
 * @param {Env} env
 * @param {string} name
 * @param {string} fallback
 * @param {string[]} schemes
 */
function address(env, name, fallback, schemes) {
  const text = env[name] || fallback;
  const scheme = text.slice(0, text.indexOf(':') + 1);
  if (schemes.includes(scheme)) return text;
  throw new ConfigError(`${name} must begin with one of ${schemes.join(', ')}; found "${scheme || text}"`);
}

/**
 * @param {Env} env
 * @param {string} variable
 * @param {string} fallback
 */
function name(env, variable, fallback) {
  const text = env[variable] || fallback;
  if (/^[A-Za-z0-9_.-]{1,64}$/.test(text)) return text;
  throw new ConfigError(`${variable} must be 1 to 64 letters, digits, dots, dashes; found "${text}"`);
}
