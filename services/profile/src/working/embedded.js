// @ts-check
/** The working set inside the process: a cache in memory, and the write-behind queue. */

/** @import { MemoryCache } from '../cache/memory.js' */
/** @import { Store, WorkingSet } from '../ports.js' */
/** @import { WriteBehind } from '../write-behind.js' */

/** @param {string} id */
const profileKey = (id) => `profile:${id}`;
/** @param {string} session */
const sessionKey = (session) => `session:${session}`;

/**
 * @param {object} parts
 * @param {MemoryCache} parts.cache
 * @param {Pick<Store, 'readProfile' | 'healthy'>} parts.store
 * @param {WriteBehind} parts.queue
 * @param {number} parts.ttl_ms how long a profile stays after its last change
 * @returns {WorkingSet}
 */
export function createEmbeddedWorkingSet({ cache, store, queue, ttl_ms }) {
  return {
    async look(session, id) {
      return [cache.get(sessionKey(session)), id === undefined ? undefined : cache.get(profileKey(id))];
    },

    async openSession(session, text, session_ttl_ms) {
      cache.set(sessionKey(session), text, session_ttl_ms);
    },

    async profile(id) {
      return cache.get(profileKey(id));
    },

    async load(id) {
      const stored = queue.pending(id) === undefined ? await store.readProfile(id) : undefined;
      // It may have been changed or removed while the store was read: what waits in the queue is newer.
      const change = queue.pending(id);
      const text = change === undefined ? stored : (change.text ?? 'null');
      return text === undefined ? undefined : cache.add(profileKey(id), text, ttl_ms);
    },

    async commit(from, { id, version, text }) {
      if (queue.full()) return 'full';
      if (from === null) cache.set(profileKey(id), text, ttl_ms);
      else if (!cache.replace(profileKey(id), from.text, text, ttl_ms)) return 'changed';
      queue.add({ id, version, text: text === 'null' ? null : text });
      return 'done';
    },

    waiting: queue.size,

    obstacle() {
      if (!store.healthy()) return 'the store has failed';
      if (queue.full()) return 'too many profiles wait to be stored';
      return undefined;
    },
  };
}
