// @ts-check
/** Reading by threads: each waits for one process variable at a time, by a client of its own. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** @import { Reading } from '../src/ca/client.js' */
/** @import { Variant } from './variants.js' */
/** @typedef {{ ca_addresses: string[], ca_port: number }} Addresses */
/** @typedef {Awaited<ReturnType<typeof startThread>>} Thread */

/**
 * Starts a thread for each process variable, all at once, and ends them when they have read.
 * @param {Addresses} addresses
 * @returns {Variant}
 */
export function aThreadEach(addresses) {
  return async (_client, names, timeout_ms) => {
    /** @type {Map<string, Reading>} */
    const read = new Map();
    await Promise.all(
      names.map(async (name) => {
        const thread = await startThread(addresses);
        await readInto(read, thread, name, timeout_ms);
        await thread.end();
      }),
    );
    return read;
  };
}

/**
 * Threads that are kept. Whichever is free takes the next process variable.
 * @param {Addresses} addresses
 * @param {number} size
 */
export async function openPool(addresses, size) {
  const threads = await Promise.all(Array.from({ length: size }, () => startThread(addresses)));
  return {
    /** @type {Variant} */
    async read(_client, names, timeout_ms) {
      /** @type {Map<string, Reading>} */
      const read = new Map();
      const left = names.values();
      await Promise.all(
        threads.map(async (thread) => {
          for (const name of left) await readInto(read, thread, name, timeout_ms);
        }),
      );
      return read;
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/**
 * @param {Map<string, Reading>} read
 * @param {Thread} thread
 * @param {string} name
 * @param {number} timeout_ms
 */
async function readInto(read, thread, name, timeout_ms) {
  const reading = await thread.read(name, timeout_ms);
  if (reading !== undefined) read.set(name, reading);
}

/** Resolves when its client is open. @param {Addresses} addresses */
async function startThread(addresses) {
  const worker = new Worker(new URL('thread.js', import.meta.url), { workerData: addresses });
  await once(worker, 'message');
  return {
    /** @param {string} name @param {number} timeout_ms @returns {Promise<Reading | undefined>} undefined: no value in time */
    async read(name, timeout_ms) {
      worker.postMessage({ name, timeout_ms });
      const [reading] = await once(worker, 'message');
      return reading;
    },
    async end() {
      await worker.terminate();
    },
  };
}
