// @ts-check
/**
 * Profiles as the routes see them: read through the working set, changed by compare-and-set. A profile is a text in the
 * working set and in the store; a request parses it once and writes it once.
 */

import { Problem } from './errors.js';
import { etagOf } from './http/etag.js';

/** @import { Profile } from './game/profile.js' */
/** @import { Outcome, WorkingSet } from './ports.js' */

/** @typedef {{ profile: Profile, text: string }} Held the profile and the JSON text it was read from or written to */
/** @typedef {{ profile: Profile | null, text: string }} Found a null profile was removed */

const ATTEMPTS = 8;
const RETRY = { headers: ['retry-after', '1'] };

/**
 * @param {object} parts
 * @param {WorkingSet} parts.working
 * @param {() => number} [parts.now]
 */
export function createProfiles({ working, now = Date.now }) {
  /**
   * @param {string} id
   * @param {string} user only an owner sees a profile; to others it does not exist
   * @param {Found | undefined} found in the working set; if not, the store is asked
   * @returns {Promise<Held & { warm: boolean }>}
   */
  async function read(id, user, found) {
    const { profile, text } = found ?? parsed(await working.load(id)) ?? { profile: null, text: '' };
    if (profile?.owner !== user) throw new Problem('profile_not_found');
    return { profile, text, warm: found !== undefined };
  }

  return {
    read,

    /** @param {string} id @returns {Promise<Found | undefined>} as it is in the working set */
    find: async (id) => parsed(await working.profile(id)),

    /**
     * Reads, lets `change` make the next profile of it and commits that. Calls `change` again, with a fresh copy, if
     * another request came between.
     * @param {string} id
     * @param {string} user
     * @param {Found | undefined} found
     * @param {(profile: Profile, now_ms: number, warm: boolean) => Profile | null} change null removes the profile
     * @returns {Promise<Held & { warm: boolean }>} as it is after the change; as it was if it was removed
     */
    async change(id, user, found, change) {
      let known = found;
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const { profile, text, warm } = await read(id, user, known);
        const etag = etagOf(profile);
        const now_ms = now();
        const version = profile.version + 1;
        const next = change(profile, now_ms, warm);
        if (next !== null) {
          next.version = version;
          next.updated_ms = now_ms;
        }
        const to = {
          id,
          version,
          etag: etagOf({ version, updated_ms: now_ms }),
          text: JSON.stringify(next),
        };
        const outcome = await working.commit({ etag, text }, to);
        if (isDone(outcome)) return { profile: next ?? profile, text: to.text, warm };
        known = parsed(await working.profile(id));
      }
      throw new Problem('profile_busy', undefined, RETRY);
    },

    /**
     * @param {Profile} profile under an id that is new
     * @returns {Promise<Held>}
     */
    async add(profile) {
      const { id, version } = profile;
      const text = JSON.stringify(profile);
      const outcome = await working.commit(null, { id, version, etag: etagOf(profile), text });
      if (!isDone(outcome)) throw new Error(`the new profile ${id} exists already`);
      return { profile, text };
    },
  };
}

/** @param {string | undefined} text @returns {Found | undefined} */
function parsed(text) {
  return text === undefined ? undefined : { profile: JSON.parse(text), text };
}

/** @param {Outcome} outcome @throws {Problem} queue_full */
function isDone(outcome) {
  if (outcome === 'full') throw new Problem('queue_full', undefined, RETRY);
  return outcome === 'done';
}

/** @typedef {ReturnType<typeof createProfiles>} Profiles */
