// @ts-check
/**
 * Bearer tokens. A token is 256 random bits, known to its holder alone: the working set keeps no token but its
 * SHA-256. Half of the hash is the name under which the session is found; the other half is compared in constant time.
 * How long the search takes tells nothing, because nobody can choose the hash of a token bit by bit.
 */

import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** @typedef {{ user: string, check: string, expires_ms: number | null }} Session null: it never expires */

const NAME_LENGTH = 32;

export const newToken = () => randomBytes(32).toString('base64url');

/**
 * @param {string} token
 * @returns {{ name: string, check: string }} two halves of its hash
 */
export function halvesOf(token) {
  const digest = hash('sha256', token, 'hex');
  return { name: digest.slice(0, NAME_LENGTH), check: digest.slice(NAME_LENGTH) };
}

/**
 * @param {Session} session found under the token's name
 * @param {string} check the token's other half
 * @param {number} now_ms
 */
export function isOpen({ check: wanted, expires_ms }, check, now_ms) {
  return (
    timingSafeEqual(Buffer.from(check), Buffer.from(wanted)) && (expires_ms === null || now_ms < expires_ms)
  );
}
