// @ts-check
/**
 * One turn of the game. What it brings depends only on the profile and the action, so that a run can be
 * repeated: the wind is a hash of the profile's id and version.
 */

import { catalogue } from './catalogue.js';

/** @import { Profile } from './profile.js' */
/** @typedef {'sail' | 'fish' | 'trade' | 'rest'} Action */

export const ACTIONS = /** @type {Action[]} */ (['sail', 'fish', 'trade', 'rest']);

const XP_PER_LEVEL = 500;
/** What the most tiring action takes: with less than this a crew can only rest. */
const LEAST_ENERGY_PERCENT = 5;

/** @type {Record<Action, (profile: Profile, wind: number) => { xp: number, gold: number, note: string }>} */
const RULES = {
  sail(profile, wind) {
    profile.energy_percent -= 5;
    const miles = 100 + (wind % 400);
    const storm = wind % 7 === 0;
    profile.port = catalogue.ports[wind % catalogue.ports.length];
    profile.counters.voyages += 1;
    profile.counters.miles += miles;
    if (storm) profile.counters.storms_weathered += 1;
    return {
      xp: storm ? 30 : 15,
      gold: 0,
      note: `${storm ? 'weathered a storm to' : 'sailed to'} ${profile.port}`,
    };
  },

  fish(profile, wind) {
    profile.energy_percent -= 3;
    profile.counters.catches += 1;
    return { xp: 8, gold: 1 + (wind % 9), note: `sold a catch in ${profile.port}` };
  },

  trade(profile, wind) {
    profile.energy_percent -= 2;
    const { item, price } = catalogue.goods[wind % catalogue.goods.length];
    const asked = price + ((wind >>> 8) % price);
    if (profile.hold[item] > 0) {
      profile.hold[item] -= 1;
      profile.counters.sales += 1;
      return { xp: 10, gold: asked, note: `sold ${item} in ${profile.port}` };
    }
    const stowed = Object.values(profile.hold).reduce((sum, count) => sum + count, 0);
    const bought = Math.min(3, Math.floor(profile.gold / asked), catalogue.hold_limit - stowed);
    profile.hold[item] += bought;
    return { xp: 4, gold: -bought * asked, note: `bought ${bought} ${item} in ${profile.port}` };
  },

  rest(profile) {
    profile.energy_percent = Math.min(100, profile.energy_percent + 40);
    profile.counters.rests += 1;
    return { xp: 1, gold: 0, note: `waited for the tide in ${profile.port}` };
  },
};

/**
 * Changes the profile in place. A tired crew rests whatever it was told.
 * @param {Profile} profile
 * @param {Action} action
 * @param {number} now_ms
 */
export function takeTurn(profile, action, now_ms) {
  const rested = action !== 'rest' && profile.energy_percent < LEAST_ENERGY_PERCENT ? 'rest' : action;
  const { xp, gold, note } = RULES[rested](profile, windOf(profile));
  profile.xp += xp;
  profile.gold += gold;
  profile.level = 1 + Math.floor(profile.xp / XP_PER_LEVEL);
  if (gold > 0) profile.counters.gold_earned += gold;
  profile.last_turns.shift();
  profile.last_turns.push({ number: profile.version, action: rested, at_ms: now_ms, xp, gold, note });
}

/**
 * FNV-1a (Fowler, Noll, Vo; 32 bits) of id and version.
 * @param {Profile} profile
 */
function windOf({ id, version }) {
  let hash = 0x811c9dc5 ^ version;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
