// @ts-check
/**
 * Reads the environment once, at boot. A value that is not understood stops the boot: a switch that was mistyped
 * would otherwise spoil a comparison without a word.
 */

import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Config
 * @property {string} host
 * @property {number} port 0 takes a free one
 * @property {string} log_level
 * @property {string} description path of the description of the page
 * @property {string} upstreams `embedded`, `within` or the URL of a running fleet
 * @property {'hub' | 'flow'} composition
 * @property {number} connections kept to one upstream, at most
 * @property {number} pages_in_flight above it pages are refused
 * @property {number} warm_up_pages put together before the service listens
 * @property {number} shutdown_grace_ms
 */

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

/** A setting that cannot be used; the message names the variable, what was found and what was expected. */
export class ConfigError extends Error {}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  return {
    host: env.HOST || '127.0.0.1',
    port: integer(env, 'PORT', 3000, 0, 65_535),
    log_level: oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS),
    description: env.OVERVIEW_DESCRIPTION || fileURLToPath(new URL('../page.json', import.meta.url)),
    upstreams: upstreams(env.OVERVIEW_UPSTREAMS || 'embedded'),
    composition: oneOf(env, 'OVERVIEW_COMPOSITION', 'hub', /** @type {const} */ (['hub', 'flow'])),
    connections: integer(env, 'OVERVIEW_CONNECTIONS', 64, 1, 10_000),
    pages_in_flight: integer(env, 'OVERVIEW_PAGES_IN_FLIGHT', 1000, 1, 1_000_000),
    warm_up_pages: integer(env, 'OVERVIEW_WARM_UP_PAGES', 0, 0, 100_000),
    shutdown_grace_ms: integer(env, 'OVERVIEW_SHUTDOWN_GRACE_MS', 3_000, 0, 600_000),
  };
}

/** @param {string} text */
function upstreams(text) {
  if (text === 'embedded' || text === 'within') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url.origin;
  throw new ConfigError(
    `OVERVIEW_UPSTREAMS must be embedded, within, or a URL such as http://127.0.0.1:3900; found "${text}"`,
  );
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {string} name
 * @param {number} fallback
 * @param {number} least
 * @param {number} most
 */
function integer(env, name, fallback, least, most) {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}; found "${text}"`);
}

/**
 * @template {string} T
 * @param {Record<string, string | undefined>} env
 * @param {string} name
 * @param {T} fallback
 * @param {readonly T[]} choices
 * @returns {T}
 */
function oneOf(env, name, fallback, choices) {
  const text = env[name] || fallback;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}; found "${text}"`);
}
