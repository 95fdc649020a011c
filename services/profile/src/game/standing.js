// @ts-check
/**
 * The heavier logic of the cold path: a profile that comes back from the store is given its achievements and
 * its standing anew.
 */

import { catalogue } from './catalogue.js';

/** @import { Profile } from './profile.js' */

/** The fleet that every captain is measured against: ratings 600, 610 … 2590. */
const REFERENCE_FLEET = Array.from({ length: 200 }, (_, index) => 600 + index * 10);
const K_FACTOR = 16;

/**
 * Changes the profile in place.
 * @param {Profile} profile
 * @param {number} now_ms
 */
export function refreshStanding(profile, now_ms) {
  profile.achievements = catalogue.achievements
    .filter(({ counter, least }) => profile.counters[counter] >= least)
    .map(({ name }) => name);
  const rating = Math.round(rate(profile));
  const { rank } = /** @type {{ rank: string }} */ (
    catalogue.ranks.findLast((step) => step.rating <= rating)
  );
  profile.standing = { rating, rank, computed_ms: now_ms };
}

/**
 * Elo's rating (A. Elo, The Rating of Chessplayers, 1978) after one season against the reference fleet, in which
 * the stronger hull wins.
 * @param {Profile} profile
 */
function rate(profile) {
  const hull = 600 + profile.level * 10 + profile.achievements.length * 25;
  let rating = 1000;
  for (const opponent of REFERENCE_FLEET) {
    const expected = 1 / (1 + 10 ** ((opponent - rating) / 400));
    rating += K_FACTOR * ((hull > opponent ? 1 : 0) - expected);
  }
  return Math.max(0, rating);
}
