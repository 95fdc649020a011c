// @ts-check
/**
 * Who is asking. A token is 256 random bits, known to the cache alone, under which it keeps the user's name
 * until the session expires. A token is found by a hash map, never compared byte by byte with a secret one.
 */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from './errors.js';
import { newProfile } from './game/profile.js';

/** @import { Cache, Store, User } from './ports.js' */

const derive = /** @type {(secret: string, salt: Uint8Array, length: number) => Promise<Buffer>} */ (
  promisify(scrypt)
);

/** @param {string} token */
export const sessionKey = (token) => `session:${token}`;

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
 * @param {object} parts
 * @param {Cache} parts.cache
 * @param {Pick<Store, 'readUser' | 'createUsers'>} parts.store
 * @param {number} parts.ttl_ms
 * @param {() => number} [parts.now]
 */
export function createSessions({ cache, store, ttl_ms, now = Date.now }) {
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
     * @throws {Problem} credentials_invalid
     */
    async open({ user, secret }) {
      await admit(user, secret);
      const token = randomBytes(32).toString('base64url');
      await cache.set(sessionKey(token), user, ttl_ms);
      return { user, token, expires_ms: now() + ttl_ms };
    },
  };
}

/** @typedef {ReturnType<typeof createSessions>} Sessions */
