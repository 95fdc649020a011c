// @ts-check
/** Who is asking: sign-in, and the session that a token opens. */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from './errors.js';
import { newProfile } from './game/profile.js';
import { halvesOf, newToken } from './tokens.js';

/** @import { Store, User, WorkingSet } from './ports.js' */
/** @import { Session } from './tokens.js' */

const derive = /** @type {(secret: string, salt: Uint8Array, length: number) => Promise<Buffer>} */ (
  promisify(scrypt)
);

/**
 * @param {string | undefined} header the Authorization header
 * @returns {string}
 * @throws {Problem} token_missing
 */
export function bearerToken(header) {
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ')
    throw unauthorised('token_missing');
  return header.slice(7).trim();
}

/** @param {'token_missing' | 'token_invalid' | 'credentials_invalid'} code */
export function unauthorised(code) {
  return new Problem(code, undefined, { headers: ['www-authenticate', 'Bearer realm="profile"'] });
}

/**
 * Makes the session of a token known.
 * @param {Pick<WorkingSet, 'openSession'>} working
 * @param {string} token
 * @param {{ user: string, ttl_ms: number, now_ms: number }} options an infinite time to live never expires
 */
export async function openSession(working, token, { user, ttl_ms, now_ms }) {
  const { name, check } = halvesOf(token);
  /** @type {Session} */
  const session = { user, check, expires_ms: ttl_ms === Number.POSITIVE_INFINITY ? null : now_ms + ttl_ms };
  await working.openSession(name, JSON.stringify(session), ttl_ms);
}

/**
 * How many sessions may be open: each counts until it expires. All live equally long, so the oldest expire first.
 * @param {number} most
 */
function createAllowance(most) {
  /** When each expires, from `first` on; what is before has expired. @type {number[]} */
  let expiries_ms = [];
  let first = 0;
  return {
    /** @param {number} now_ms @param {number} expires_ms @throws {Problem} too_many_sessions */
    take(now_ms, expires_ms) {
      while (expiries_ms[first] <= now_ms) first += 1;
      if (first > most) {
        expiries_ms = expiries_ms.slice(first);
        first = 0;
      }
      if (expiries_ms.length - first >= most) {
        const wait_s = Math.ceil((expiries_ms[first] - now_ms) / 1_000);
        throw new Problem('too_many_sessions', `expected at most ${most}`, {
          headers: ['retry-after', `${wait_s}`],
        });
      }
      expiries_ms.push(expires_ms);
    },

    /** Of one that was taken in vain. */
    giveBack() {
      if (expiries_ms.length > first) expiries_ms.pop();
    },
  };
}

/**
 * @param {object} parts
 * @param {WorkingSet} parts.working
 * @param {Pick<Store, 'readUser' | 'createUsers'>} parts.store
 * @param {number} parts.ttl_ms
 * @param {number} parts.most sessions that are open at once; above, nobody is signed in, and nobody becomes a user
 * @param {() => number} [parts.now]
 */
export function createSessions({ working, store, ttl_ms, most, now = Date.now }) {
  const allowance = createAllowance(most);

  /**
   * A name that is new becomes a user, with a first profile of the same name. A user without a secret is a
   * guest: its only key is this session's token.
   * @param {string} id
   * @param {string | undefined} secret
   */
  async function admit(id, secret) {
    const known = await store.readUser(id);
    if (known !== undefined) return verify(known, secret);
    const salt = secret === undefined ? null : randomBytes(16);
    const secret_hash = salt && secret ? await derive(secret, salt, 32) : null;
    const profile = newProfile(id, id, now());
    const first = { id, version: profile.version, text: JSON.stringify(profile) };
    const created = await store.createUsers([{ user: { id, salt, secret_hash }, profile: first }]);
    if (created === 0) await verify(await store.readUser(id), secret);
  }

  /** @param {User | undefined} user @param {string | undefined} secret */
  async function verify(user, secret) {
    if (!user?.salt || !user.secret_hash || secret === undefined) throw unauthorised('credentials_invalid');
    const { salt, secret_hash } = user;
    const found = await derive(secret, salt, secret_hash.length);
    if (!timingSafeEqual(found, secret_hash)) throw unauthorised('credentials_invalid');
  }

  return {
    /**
     * @param {{ user: string, secret?: string }} credentials
     * @returns {Promise<{ user: string, token: string, expires_ms: number }>}
     * @throws {Problem} credentials_invalid, too_many_sessions
     */
    async open({ user, secret }) {
      const now_ms = now();
      allowance.take(now_ms, now_ms + ttl_ms);
      try {
        await admit(user, secret);
      } catch (error) {
        allowance.giveBack();
        throw error;
      }
      const token = newToken();
      await openSession(working, token, { user, ttl_ms, now_ms });
      return { user, token, expires_ms: now_ms + ttl_ms };
    },
  };
}

/** @typedef {ReturnType<typeof createSessions>} Sessions */
