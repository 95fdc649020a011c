// @ts-check
/**
 * What a service stands on, put together from its settings: `embedded` needs nothing but a directory, `real` needs Redis
 * and a store that speaks MongoDB's protocol.
 */

/** @import { Config } from '../config.js' */
/** @import { Store, WorkingSet } from '../ports.js' */

/**
 * @typedef {object} Backend
 * @property {WorkingSet} working
 * @property {Store} store
 * @property {Record<string, { help: string, value: () => number }>} gauges its part of the metrics
 * @property {Record<string, unknown>} about what it uses, for the log
 * @property {() => Promise<void>} drain stores what this process alone knows; rejects if that fails
 * @property {() => Promise<void>} close
 */

/**
 * @param {Config} config
 * @param {import('pino').Logger} log
 * @returns {Promise<Backend>}
 */
export async function openBackend(config, log) {
  // Only what is used is loaded: the embedded service starts without a driver for anything else.
  const { open } = config.store === 'real' ? await import('./real.js') : await import('./embedded.js');
  return open(config, log);
}
