// @ts-check
/** The settings of the service. */

import { fileURLToPath } from 'node:url';
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
 * @property {string} description path of the description of the page
 * @property {string} upstreams `embedded`, `within` or the URL of a running fleet
 * @property {'hub' | 'flow'} composition
 * @property {number} connections kept to one upstream, at most
 * @property {number} pages_in_flight above it pages are refused
 * @property {number} warm_up_pages put together before the service listens
 * @property {number} shutdown_grace_ms
 */

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
