// @ts-check
/** The settings of a worker, and of the service as one process. */

import { randomBytes } from 'node:crypto';
import { ConfigError, integer, LOG_LEVELS, oneOf } from '@plimsoll/service-common/settings.js';
import { isLoopback } from './guard/origins.js';

/** @import { Env } from '@plimsoll/service-common/settings.js' */

/**
 * @typedef {object} Config
 * @property {string} name of this worker, which no other ever had
 * @property {string} host
 * @property {string | undefined} public_host by which clients reach the port that holds them; undefined: by `host`
 * @property {number} port that takes sprites, and has the page; 0 takes a free one
 * @property {number} held_port that holds clients; 0 takes a free one
 * @property {string} log_level
 * @property {import('./clients/types.js').Limits} limits
 * @property {number} metrics_port on the loopback interface, whatever `host` is; 0 takes a free one
 * @property {number} connections at most, on the port that holds clients
 * @property {number} short_connections at most, on the port that takes sprites
 * @property {import('./guard/guard.js').Protection} protection
 * @property {number} tick_ms the unit of all that is in ticks
 * @property {number} ping_ticks
 * @property {number} idle_ticks
 * @property {import('./steward/steward.js').Patience} patience
 * @property {import('@plimsoll/service-common/body.js').Bounds} bounds of what is thrown
 * @property {boolean} strangers whether those without a ticket may throw, to anyone
 * @property {number} shutdown_grace_ms
 */

const SWITCH = /** @type {const} */ (['on', 'off']);

const TICK_MS = 1_000;
/** Connections beside those of clients: a client that comes back, one that is turned away. */
export const SPARE_SHARE = 1.02;
export const SPARE = 64;

/**
 * @param {Env} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  const capacity = integer(env, 'SPRITES_CAPACITY', 15_000, 1, 1_000_000);
  const host = env.HOST || '127.0.0.1';
  const patience = readPatience(env);
  const strangers = oneOf(env, 'SPRITES_STRANGERS', 'off', SWITCH) === 'on';
  if (strangers) demandLoopback(host, 'SPRITES_STRANGERS=on lets everybody throw at everybody');
  return {
    name: name(env),
    host,
    public_host: publicHost(env, host),
    port: integer(env, 'PORT', 3000, 0, 65_535),
    held_port: integer(env, 'SPRITES_HELD_PORT', 3001, 0, 65_535),
    metrics_port: integer(env, 'SPRITES_METRICS_PORT', 3002, 0, 65_535),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    limits: {
      capacity,
      mail: integer(env, 'SPRITES_MAIL', 16, 1, 1_000),
      grace_ticks: patience.grace_ticks,
    },
    connections: Math.ceil(capacity * SPARE_SHARE) + SPARE,
    short_connections: integer(env, 'SPRITES_SHORT_CONNECTIONS', 2_048, 1, 1_000_000),
    protection: { limits: readLimits(env, host), origins: readOrigins(env) },
    tick_ms: TICK_MS,
    ping_ticks: integer(env, 'SPRITES_PING_S', 120, 1, 900),
    idle_ticks: integer(env, 'SPRITES_IDLE_S', 66, 1, 900),
    patience,
    bounds: {
      limit_bytes: integer(env, 'SPRITES_BODY_LIMIT_BYTES', 1_024, 64, 65_536),
      timeout_ms: integer(env, 'SPRITES_BODY_TIMEOUT_MS', 5_000, 1, 65_000),
    },
    strangers,
    shutdown_grace_ms: integer(env, 'SPRITES_SHUTDOWN_GRACE_MS', 3_000, 0, 600_000),
  };
}

/** @param {Env} env @returns {import('./steward/steward.js').Patience} */
export function readPatience(env) {
  return { settling_ticks: 0, silent_ticks: 5, grace_ticks: integer(env, 'SPRITES_GRACE_S', 30, 1, 900) };
}

/** @param {Env} env @param {string} host @returns {import('./guard/guard.js').Limits | undefined} */
function readLimits(env, host) {
  const limits = {
    throws_per_s: integer(env, 'SPRITES_THROWS_PER_S', 10, 1, 1_000_000),
    address_throws_per_s: integer(env, 'SPRITES_ADDRESS_THROWS_PER_S', 100, 1, 1_000_000),
    address_joins_per_s: integer(env, 'SPRITES_ADDRESS_JOINS_PER_S', 20, 1, 1_000_000),
    address_connections: integer(env, 'SPRITES_ADDRESS_CONNECTIONS', 256, 1, 1_000_000),
  };
  if (oneOf(env, 'SPRITES_LIMITS', 'on', SWITCH) === 'on') return limits;
  demandLoopback(host, 'SPRITES_LIMITS=off lets one address take everything');
  return undefined;
}

/** @param {Env} env */
function readOrigins(env) {
  const origins = (env.SPRITES_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  return origins.filter((origin) => {
    if (origin !== '' && !isOrigin(origin)) {
      throw new ConfigError(
        `SPRITES_ORIGINS must be origins such as https://sprites.example, separated by commas; found "${origin}"`,
      );
    }
    return origin !== '';
  });
}

/** @param {string} text */
function isOrigin(text) {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** @param {string} host @param {string} why */
function demandLoopback(host, why) {
  if (!isLoopback(host)) throw new ConfigError(`${why}, so HOST must be a loopback address; found "${host}"`);
}

/** @param {Env} env @param {string} host */
function publicHost(env, host) {
  const text = env.SPRITES_PUBLIC_HOST || undefined;
  if (text === undefined && (host === '0.0.0.0' || host === '::')) {
    throw new ConfigError(
      `SPRITES_PUBLIC_HOST must say by which name or address clients come where HOST is every address; found nothing`,
    );
  }
  if (text === undefined || /^[A-Za-z0-9.-]{1,253}$|^\[[0-9a-fA-F:.]+\]$/.test(text)) return text;
  throw new ConfigError(
    `SPRITES_PUBLIC_HOST must be a name or an address, of IPv6 in brackets; found "${text}"`,
  );
}

/** @param {Env} env */
function name(env) {
  const text = env.SPRITES_NAME || `w${randomBytes(5).toString('hex')}`;
  if (/^[a-z0-9]{1,16}$/.test(text)) return text;
  throw new ConfigError(`SPRITES_NAME must be 1 to 16 small letters and digits; found "${text}"`);
}
