// @ts-check
/** Takes batches from a source and writes them to the store, one at a time, until it is stopped. */

import { setTimeout as wait } from 'node:timers/promises';

/** @import { ProfileChange, Store } from '../ports.js' */

/**
 * @typedef {object} Batch
 * @property {ProfileChange[]} changes one for each profile
 * @property {boolean} full as many as were wanted: more may wait
 * @property {() => Promise<void>} settle tells the source that the store has them
 */

/**
 * @param {object} options
 * @param {{ take: () => Promise<Batch | undefined> }} options.source
 * @param {Pick<Store, 'writeProfiles'>} options.store
 * @param {number} options.interval_ms to wait after a batch that is not full, so that others can join, and after a failure
 * @param {(error: unknown) => void} options.onError the batch is taken again
 */
export function startLoop({ source, store, interval_ms, onError }) {
  const counts = { batches: 0, profiles: 0, failures: 0 };
  const stopping = new AbortController();
  let failed = false;

  async function run() {
    while (!stopping.signal.aborted) {
      if (!(await pass())) await wait(interval_ms, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** @returns {Promise<boolean>} whether to go on at once */
  async function pass() {
    try {
      const batch = await source.take();
      if (batch !== undefined) {
        await store.writeProfiles(batch.changes);
        await batch.settle();
        counts.batches += 1;
        counts.profiles += batch.changes.length;
      }
      failed = false;
      return batch?.full ?? false;
    } catch (error) {
      failed = true;
      counts.failures += 1;
      onError(error);
      return false;
    }
  }

  const running = run();
  return {
    counts,
    /** Whether the last pass went wrong. */
    failed: () => failed,
    /** Ends after the batch that is being written. */
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
