// @ts-check
/**
 * Batches from the queue in Redis. What is taken stays in a list of the persister until it is settled: whoever dies in
 * between, it is taken again, and writing a profile again has no effect.
 */

import { randomUUID } from 'node:crypto';
import { decode, processingKey, profileKey, QUEUE, startOf } from '../redis/keys.js';

/** @import { Connection } from '../redis/connection.js' */
/** @import { Batch } from './loop.js' */

/**
 * @param {object} options
 * @param {Connection} options.connection
 * @param {string} options.name of this persister; the same again after a crash
 * @param {number} options.most profiles wanted in one batch
 * @param {number} options.ttl_ms how long a profile stays in the cache after it was stored
 */
export function createListSource({ connection: { read, write }, name, most, ttl_ms }) {
  const processing = processingKey(name);

  return {
    /** @returns {Promise<Batch | undefined>} */
    async take() {
      /** @type {string[]} */
      const [batch, ...ids] = await write((redis) =>
        redis.takeBatch(2, QUEUE, processing, most, `#${randomUUID()}`),
      );
      if (batch === undefined) return undefined;
      // The newest state of each, which may be newer than the change that queued it.
      const values = await read((redis) => redis.mget(ids.map(profileKey)));
      const found = ids.flatMap((id, index) => {
        const value = values[index];
        // One that is not there was stored before, and its time has passed.
        return value === null ? [] : [{ id, ...decode(value) }];
      });
      return {
        changes: found.map(({ id, version, text }) => ({ id, version, text: text === 'null' ? null : text })),
        full: ids.length >= most,
        async settle() {
          const keys = [processing, ...found.map(({ id }) => profileKey(id))];
          const starts = found.map(({ etag }) => startOf(etag));
          await write((redis) => redis.settleBatch(keys.length, ...keys, batch, ttl_ms, ...starts));
        },
      };
    },

    /** Changes that wait, those that are being worked on not included. */
    waiting: () => read((redis) => redis.llen(QUEUE)),
  };
}
