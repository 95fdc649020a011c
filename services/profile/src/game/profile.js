// @ts-check
/** What a profile is. It is bounded: however long it is played, it stays around 1.3 kB of JSON. */

import { catalogue } from './catalogue.js';

/**
 * @typedef {{ voyages: number, catches: number, sales: number, rests: number, storms_weathered: number,
 *   gold_earned: number, miles: number }} Counters
 * @typedef {{ number: number, action: string, at_ms: number, xp: number, gold: number, note: string }} TakenTurn
 * @typedef {{ sound: boolean, music: boolean, hints: boolean, colour_blind: boolean, volume_percent: number,
 *   language: string }} Settings
 *
 * @typedef {object} Profile
 * @property {string} id
 * @property {string} owner the user whose profile it is
 * @property {number} version one more at each change
 * @property {number} created_ms
 * @property {number} updated_ms
 * @property {string} name
 * @property {number} level
 * @property {number} xp
 * @property {number} gold
 * @property {number} energy_percent
 * @property {string} port
 * @property {Record<string, number>} hold how much of each good is on board
 * @property {Counters} counters
 * @property {TakenTurn[]} last_turns newest last
 * @property {string[]} achievements
 * @property {{ rating: number, rank: string, computed_ms: number }} standing
 * @property {Settings} settings
 */

/**
 * @param {string} id
 * @param {string} owner
 * @param {number} now_ms
 * @returns {Profile}
 */
export function newProfile(id, owner, now_ms) {
  return {
    id,
    owner,
    version: 1,
    created_ms: now_ms,
    updated_ms: now_ms,
    name: owner,
    level: 1,
    xp: 0,
    gold: 200,
    energy_percent: 100,
    port: catalogue.ports[0],
    hold: Object.fromEntries(catalogue.goods.map(({ item }) => [item, 2])),
    counters: {
      voyages: 0,
      catches: 0,
      sales: 0,
      rests: 0,
      storms_weathered: 0,
      gold_earned: 0,
      miles: 0,
    },
    last_turns: Array.from({ length: 6 }, () => ({
      number: 0,
      action: 'rest',
      at_ms: now_ms,
      xp: 0,
      gold: 0,
      note: `waited for the tide in ${catalogue.ports[0]}`,
    })),
    achievements: [],
    standing: { rating: 1000, rank: catalogue.ranks[0].rank, computed_ms: now_ms },
    settings: {
      sound: true,
      music: true,
      hints: true,
      colour_blind: false,
      volume_percent: 80,
      language: 'en',
    },
  };
}
