// @ts-check
/** Which engine is behind the bus of a process of a fleet. */

import { openPrimaryBus } from './primary.js';

/** @import { OpenBus } from './bus.js' */

export const ENGINES = /** @type {const} */ (['primary', 'redis', 'nats']);

/** @typedef {typeof ENGINES[number]} Engine */

/** Where each is unless told otherwise. @type {Record<Engine, string>} */
export const DEFAULT_URLS = {
  primary: '',
  redis: 'redis://127.0.0.1:6379',
  nats: 'nats://127.0.0.1:4222',
};

/**
 * A client is loaded only where it is needed: it costs memory in each of the processes.
 * @param {Engine} engine @param {string} url @param {string} prefix @returns {Promise<OpenBus>}
 */
export async function busOf(engine, url, prefix) {
  switch (engine) {
    case 'redis':
      return (await import('./redis.js')).createRedisBus(url, prefix);
    case 'nats':
      return (await import('./nats.js')).createNatsBus(url, prefix);
    default:
      return openPrimaryBus;
  }
}
