// @ts-check
/** The settings of a worker, and of the service as one process. */

import { randomBytes } from 'node:crypto';
import { ConfigError, integer, LOG_LEVELS, oneOf } from '@plimsoll/service-common/settings.js';

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
 * @property {number} connections at most, on the port that holds clients
 * @property {number} tick_ms the unit of all that is in ticks
 * @property {number} ping_ticks
 * @property {number} idle_ticks
 * @property {import('./steward/steward.js').Patience} patience
 * @property {import('@plimsoll/service-common/body.js').Bounds} bounds of what is thrown
 * @property {boolean} strangers whether those without a ticket may throw, to anyone
 * @property {number} shutdown_grace_ms
 */

const SWITCH = /** @type {const} */ (['on', 'off']);
const LOOPBACK = /^(localhost|::1|127(\.\d{1,3}){3})$/;

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
  if (strangers && !LOOPBACK.test(host)) {
    throw new ConfigError(
      `SPRITES_STRANGERS lets everybody throw at everybody, so HOST must be a loopback address; found "${host}"`,
    );
  }
  return {
    name: name(env),
    host,
    public_host: publicHost(env, host),
    port: integer(env, 'PORT', 3000, 0, 65_535),
    held_port: integer(env, 'SPRITES_HELD_PORT', 3001, 0, 65_535),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    limits: {
      capacity,
      mail: integer(env, 'SPRITES_MAIL', 16, 1, 1_000),
      grace_ticks: patience.grace_ticks,
    },
    connections: Math.ceil(capacity * SPARE_SHARE) + SPARE,
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
