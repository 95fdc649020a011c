// @ts-check
/**
 * Users for load runs: u1, u2 … with a profile each, in the store and in the cache, signed in for good with the
 * tokens token-u1, token-u2 … The configuration allows it on a loopback address only.
 */

import { newProfile } from './game/profile.js';
import { profileKey } from './profiles.js';
import { sessionKey } from './sessions.js';

/** @import { Cache, Store } from './ports.js' */

const BATCH = 1_000;

/**
 * @param {object} options
 * @param {number} options.count
 * @param {Cache} options.cache
 * @param {Pick<Store, 'readProfile' | 'createUsers'>} options.store
 * @param {number} options.ttl_ms of the profiles in the cache
 * @param {number} options.now_ms
 */
export async function seedUsers({ count, cache, store, ttl_ms, now_ms }) {
  for (let first = 1; first <= count; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => `u${first + index}`);
    await store.createUsers(ids.map((id) => newcomer(id, now_ms)));
    for (const id of ids) {
      await cache.set(sessionKey(`token-${id}`), id, Number.POSITIVE_INFINITY);
      // An earlier run may have left it in the store, played or removed.
      const text = await store.readProfile(id);
      if (text !== undefined) await cache.set(profileKey(id), text, ttl_ms);
    }
  }
}

/** @param {string} id @param {number} now_ms */
function newcomer(id, now_ms) {
  const profile = newProfile(id, id, now_ms);
  return {
    user: { id, salt: null, secret_hash: null },
    profile: { id, version: profile.version, text: JSON.stringify(profile) },
  };
}
