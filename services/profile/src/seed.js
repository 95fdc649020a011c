// @ts-check
/**
 * Users for load runs: u1, u2 … with a profile each, in the store and in the working set, signed in for good with the
 * tokens token-u1, token-u2 … The configuration allows it on a loopback address only.
 */

import { newProfile } from './game/profile.js';
import { openSession } from './sessions.js';

/** @import { Store, WorkingSet } from './ports.js' */

const BATCH = 1_000;

/**
 * @param {{ working: WorkingSet, store: Pick<Store, 'createUsers'> }} backend
 * @param {{ count: number, now_ms: number }} options
 */
export async function seedUsers({ working, store }, { count, now_ms }) {
  for (let first = 1; first <= count; first += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, count - first + 1) }, (_, index) => `u${first + index}`);
    await store.createUsers(ids.map((id) => newcomer(id, now_ms)));
    await Promise.all(ids.map((id) => bringIn(working, id, now_ms)));
  }
}

/** @param {WorkingSet} working @param {string} id @param {number} now_ms */
async function bringIn(working, id, now_ms) {
  await openSession(working, `token-${id}`, { user: id, ttl_ms: Number.POSITIVE_INFINITY, now_ms });
  // An earlier run may have left it played or removed, here or in the store.
  if ((await working.profile(id)) === undefined) await working.load(id);
}

/** @param {string} id @param {number} now_ms */
function newcomer(id, now_ms) {
  const profile = newProfile(id, id, now_ms);
  return {
    user: { id, salt: null, secret_hash: null },
    profile: { id, version: profile.version, text: JSON.stringify(profile) },
  };
}
