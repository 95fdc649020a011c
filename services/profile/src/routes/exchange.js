// @ts-check
/** What the routes have in common: who asks, and how a profile is answered. */

import { etagOf } from '../http/etag.js';
import { profileKey } from '../profiles.js';
import { bearerToken, sessionKey, unauthorised } from '../sessions.js';

/** @import { Cache } from '../ports.js' */
/** @import { Exchange, Reply } from '../http/router.js' */
/** @import { Profile } from '../game/profile.js' */

/**
 * The user of the token and the profile's text, in one round trip to the cache.
 * @param {Cache} cache
 * @param {Exchange} exchange
 * @param {string} id of the profile
 * @returns {Promise<{ user: string, cached: string | undefined }>}
 * @throws {import('../errors.js').Problem} token_missing, token_invalid
 */
export async function identify(cache, { req }, id) {
  const token = bearerToken(req.headers.authorization);
  const [user, cached] = await cache.getMany([sessionKey(token), profileKey(id)]);
  if (user === undefined) throw unauthorised('token_invalid');
  return { user, cached };
}

/**
 * @param {number} status
 * @param {{ profile: Profile, text: string }} held
 * @param {string[]} [headers]
 * @returns {Reply}
 */
export function profileReply(status, { profile, text }, headers = []) {
  return {
    status,
    headers: ['content-type', 'application/json', 'etag', etagOf(profile), ...headers],
    body: text,
  };
}
