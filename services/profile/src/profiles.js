// @ts-check
/**
 * Profiles as the routes see them: read through the cache, changed by compare-and-set, stored by the
 * write-behind queue. A profile is a text in all three; a request parses it once and writes it once. The text
 * `null` in the cache is a profile that was removed.
 */

import { Problem } from './errors.js';

/** @import { Cache, Store } from './ports.js' */
/** @import { Profile } from './game/profile.js' */
/** @import { WriteBehind } from './write-behind.js' */

/** @typedef {{ profile: Profile, text: string }} Held the profile and the JSON text it was read from or written to */

const ATTEMPTS = 8;

/** @param {string} id */
export const profileKey = (id) => `profile:${id}`;

/**
 * @param {object} parts
 * @param {Cache} parts.cache
 * @param {Pick<Store, 'readProfile'>} parts.store
 * @param {WriteBehind} parts.queue
 * @param {number} parts.ttl_ms
 * @param {() => number} [parts.now]
 */
export function createProfiles({ cache, store, queue, ttl_ms, now = Date.now }) {
  /**
   * The cold path: from the queue if it waits there, else from the store; the cache is filled again.
   * @param {string} id
   * @returns {Promise<string>}
   */
  async function load(id) {
    const stored = queue.pending(id) === undefined ? await store.readProfile(id) : undefined;
    // It may have been changed or removed while the store was read: what waits in the queue is newer.
    const change = queue.pending(id);
    const text = change === undefined ? stored : change.text;
    if (text === undefined || text === null) throw new Problem('profile_not_found');
    return cache.add(profileKey(id), text, ttl_ms);
  }

  /**
   * @param {string} id
   * @param {string} user only an owner sees a profile; to others it does not exist
   * @param {string | undefined} cached
   * @returns {Promise<Held & { warm: boolean }>}
   */
  async function read(id, user, cached) {
    const text = cached ?? (await load(id));
    const profile = /** @type {Profile | null} */ (JSON.parse(text));
    if (profile?.owner !== user) throw new Problem('profile_not_found');
    return { profile, text, warm: cached !== undefined };
  }

  function refuseIfFull() {
    if (queue.full()) throw new Problem('queue_full', undefined, { headers: ['retry-after', '1'] });
  }

  return {
    read,

    /**
     * Reads, lets `change` make the next profile of it, writes that to the cache and leaves it to the queue.
     * Calls `change` again, with a fresh copy, if another request came between.
     * @param {string} id
     * @param {string} user
     * @param {string | undefined} cached
     * @param {(profile: Profile, now_ms: number, warm: boolean) => Profile | null} change null removes the profile
     * @returns {Promise<Held & { warm: boolean }>} as it is after the change; as it was if it was removed
     */
    async change(id, user, cached, change) {
      refuseIfFull();
      const key = profileKey(id);
      let known = cached;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { profile, text, warm } = await read(id, user, known);
        const now_ms = now();
        const version = profile.version + 1;
        const next = change(profile, now_ms, warm);
        if (next !== null) {
          next.version = version;
          next.updated_ms = now_ms;
        }
        const nextText = JSON.stringify(next);
        if (await cache.replace(key, text, nextText, ttl_ms)) {
          queue.add({ id, version, text: next === null ? null : nextText });
          return { profile: next ?? profile, text: nextText, warm };
        }
        [known] = await cache.getMany([key]);
      }
      throw new Problem('profile_busy', undefined, { headers: ['retry-after', '1'] });
    },

    /**
     * @param {Profile} profile under an id that is new
     * @returns {Promise<Held>}
     */
    async add(profile) {
      refuseIfFull();
      const text = JSON.stringify(profile);
      await cache.set(profileKey(profile.id), text, ttl_ms);
      queue.add({ id: profile.id, version: profile.version, text });
      return { profile, text };
    },
  };
}

/** @typedef {ReturnType<typeof createProfiles>} Profiles */
