// @ts-check
/**
 * The write-behind queue: what was changed in the cache reaches the store on a later turn of the loop, in
 * batches. Several changes to one profile become one write of the last. What is in here is lost if the process
 * is killed.
 */

/** @import { ProfileChange, Store } from './ports.js' */

/**
 * @typedef {object} WriteBehind
 * @property {(change: ProfileChange) => void} add
 * @property {(id: string) => ProfileChange | undefined} pending the newest change that is not stored yet
 * @property {() => number} size profiles that wait
 * @property {() => boolean} full
 * @property {() => Promise<void>} drain writes everything; rejects when the store fails
 * @property {{ batches: number, profiles: number, failures: number }} counts since the start
 */

/**
 * @param {object} options
 * @param {Pick<Store, 'writeProfiles'>} options.store
 * @param {number} options.interval_ms between a change and the write of its batch, so that others can join
 * @param {number} options.batch greatest number of profiles in one transaction
 * @param {number} options.limit
 * @param {(error: unknown) => void} options.onError the batch is kept and tried again after the interval
 * @returns {WriteBehind}
 */
export function createWriteBehind({ store, interval_ms, batch, limit, onError }) {
  /** @type {Map<string, ProfileChange>} */
  const waiting = new Map();
  /** @type {Map<string, ProfileChange>} */
  let writing = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<void> | undefined} */
  let flushing;
  const counts = { batches: 0, profiles: 0, failures: 0 };

  function wake() {
    if (timer !== undefined || flushing !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      flush().catch(onError);
    }, interval_ms);
  }

  /** One flush at a time; it ends when the store has everything that waited when it began. */
  function flush() {
    flushing ??= writeAll(waiting.size).finally(() => {
      flushing = undefined;
      if (waiting.size > 0) wake();
    });
    return flushing;
  }

  /** @param {number} count */
  async function writeAll(count) {
    for (let written = 0; written < count; written += batch)
      await writeBatch(Math.min(batch, count - written));
  }

  /** @param {number} count */
  async function writeBatch(count) {
    for (const [id, change] of waiting) {
      if (writing.size === count) break;
      writing.set(id, change);
      waiting.delete(id);
    }
    try {
      await store.writeProfiles([...writing.values()]);
      counts.batches += 1;
      counts.profiles += writing.size;
    } catch (error) {
      counts.failures += 1;
      for (const [id, change] of writing) if (!waiting.has(id)) waiting.set(id, change);
      throw error;
    } finally {
      writing = new Map();
    }
  }

  return {
    add(change) {
      waiting.set(change.id, change);
      wake();
    },
    pending: (id) => waiting.get(id) ?? writing.get(id),
    size: () => waiting.size + writing.size,
    full: () => waiting.size >= limit,
    async drain() {
      try {
        while (waiting.size + writing.size > 0) await flush();
      } finally {
        clearTimeout(timer);
        timer = undefined;
      }
    },
    counts,
  };
}
