// @ts-check
/** What the routes have in common: who asks, and how a profile is sent. */

import { Problem } from '../errors.js';
import { etagOf, matches } from '../http/etag.js';
import { parseTogether } from '../json.js';
import { bearerToken, unauthorised } from '../sessions.js';
import { halvesOf, isOpen } from '../tokens.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Profile } from '../game/profile.js' */
/** @import { Exchange, Reply } from '@plimsoll/service-common/router.js' */
/** @import { Found, Held } from '../profiles.js' */

/**
 * The user of the token and, if it is in the working set, the profile: one round trip, one parse.
 * @param {Pick<import('../app.js').Parts, 'working' | 'now'>} parts
 * @param {Exchange} exchange
 * @param {string} [id] of the profile
 * @returns {Promise<{ user: string, found: Found | undefined }>}
 * @throws {import('../errors.js').Problem} token_missing, token_invalid
 */
export async function identify({ working, now }, { req }, id) {
  const { name, check } = halvesOf(bearerToken(req.headers.authorization));
  const [sessionText, text] = await working.look(name, id);
  if (sessionText === undefined) throw unauthorised('token_invalid');
  const [session, profile] = parseTogether([sessionText, text]);
  if (!isOpen(session, check, now())) throw unauthorised('token_invalid');
  return { user: session.user, found: text === undefined ? undefined : { profile, text } };
}

/**
 * @param {number} status
 * @param {Held} held
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

/**
 * @param {IncomingMessage} req
 * @param {Profile} profile
 * @throws {Problem} etag_missing, etag_stale
 */
export function requireMatch(req, profile) {
  const wanted = req.headers['if-match'];
  if (wanted === undefined) throw new Problem('etag_missing', 'send the ETag of the profile that you change');
  const etag = etagOf(profile);
  if (!matches(wanted, etag, { weak: false })) throw new Problem('etag_stale', `found ${etag}`);
}
