// @ts-check
/**
 * The working set in Redis. A change replaces the profile, if it still is what it was, and queues its id, in one script:
 * there is no moment at which one has happened without the other. A profile that waits for the store has no time to
 * live; the persister gives it one when the store has it.
 */

import { createBatch } from '../batch.js';
import { Problem } from '../errors.js';
import { etagOf } from '../http/etag.js';
import { encode, profileKey, QUEUE, sessionKey, startOf, textOf } from '../redis/keys.js';

/** @import { Connection } from '../redis/connection.js' */
/** @import { Outcome, Snapshot, Store, WorkingSet } from '../ports.js' */
/** @typedef {{ from: { etag: string } | null, to: Snapshot }} Change */

/** Loads of a profile before the client is asked to come again. */
const ATTEMPTS = 3;

/**
 * @param {object} parts
 * @param {Connection} parts.connection
 * @param {Pick<Store, 'readProfile'>} parts.store
 * @param {number} parts.ttl_ms how long a profile stays after it was stored
 * @param {number} parts.limit changes that may wait
 * @param {number} parts.batch requests whose questions are sent together
 * @param {number} [parts.linger_ms] how long questions wait for others; 0: until the turn of the loop ends
 * @param {(change: Snapshot) => void} [parts.handOver] takes changes instead of the queue, without a promise
 * @param {() => number} [parts.now]
 * @returns {WorkingSet}
 */
export function createRedisWorkingSet({
  connection,
  store,
  ttl_ms,
  limit,
  batch,
  linger_ms = 0,
  handOver,
  now = Date.now,
}) {
  const { read, write } = connection;
  const later =
    linger_ms === 0 ? setImmediate : (/** @type {() => void} */ send) => setTimeout(send, linger_ms);
  let waiting = 0;
  connection.watch((found) => {
    waiting = found;
  });

  const get = createBatch(
    async (/** @type {string[][]} */ lists) => {
      const values = await read((redis) => redis.mget(lists.flat()));
      let next = 0;
      return lists.map(({ length }) => {
        next += length;
        return values.slice(next - length, next).map((value) => value ?? undefined);
      });
    },
    batch,
    later,
  );

  const replace = createBatch(
    async (/** @type {Change[]} */ changes) => {
      const keys = [QUEUE];
      /** @type {(string | number)[]} */
      const args = [limit, handOver === undefined ? '' : ttl_ms];
      for (const { from, to } of changes) {
        keys.push(profileKey(to.id));
        args.push(from === null ? '' : startOf(from.etag), encode(to), to.id);
      }
      /** @type {number[]} */
      const results = await write((redis) => redis.commitProfiles(keys.length, ...keys, ...args));
      return results.map(outcomeOf);
    },
    batch,
    later,
  );

  /** @param {number} result @returns {Outcome} */
  function outcomeOf(result) {
    if (result === 0) return 'changed';
    waiting = result < 0 ? limit : result;
    return result < 0 ? 'full' : 'done';
  }

  /** @param {string} id @returns {Promise<string | undefined>} */
  async function profile(id) {
    const [value] = await get([profileKey(id)]);
    return value === undefined ? undefined : textOf(value);
  }

  return {
    async look(session, id) {
      const keys = id === undefined ? [sessionKey(session)] : [sessionKey(session), profileKey(id)];
      const [text, value] = await get(keys);
      return [text, value === undefined ? undefined : textOf(value)];
    },

    async openSession(session, text, session_ttl_ms) {
      const key = sessionKey(session);
      await write((redis) =>
        session_ttl_ms === Number.POSITIVE_INFINITY
          ? redis.set(key, text)
          : redis.set(key, text, 'PX', session_ttl_ms),
      );
    },

    profile,

    async load(id) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const began_ms = now();
        const known = await profile(id);
        if (known !== undefined) return known;
        const text = await store.readProfile(id);
        if (text === undefined) return undefined;
        // Had it been changed, stored and forgotten while the store was read, the text would be old. That takes longer
        // than its time to live.
        if (now() - began_ms >= ttl_ms) continue;
        const value = encode({ etag: etagOf(JSON.parse(text)), text });
        const other = await write((redis) => redis.set(profileKey(id), value, 'PX', ttl_ms, 'NX', 'GET'));
        return other === null ? text : textOf(other);
      }
      throw new Problem('profile_busy', 'it leaves the cache faster than the store responds');
    },

    async commit(from, to) {
      const outcome = await replace({ from, to });
      if (outcome === 'done' && handOver !== undefined) handOver(to);
      return outcome;
    },

    waiting: () => waiting,

    obstacle() {
      if (!connection.healthy()) return 'Redis cannot be reached';
      if (waiting >= limit) return 'too many profiles wait to be stored';
      return undefined;
    },
  };
}
