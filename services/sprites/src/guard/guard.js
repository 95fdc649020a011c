// @ts-check
/**
 * What keeps a client from harming the others: how often it may throw and join, how many connections it may have, and
 * from which pages it may come. One for each process, which counts for itself.
 */

import { Problem } from '../errors.js';
import { networkOf } from './address.js';
import { Buckets } from './buckets.js';
import { Gate } from './gate.js';
import { originCheck } from './origins.js';

/**
 * @typedef {object} Limits
 * @property {number} throws_per_s of a client
 * @property {number} address_throws_per_s
 * @property {number} address_joins_per_s
 * @property {number} address_connections at a time, on each port
 *
 * @typedef {object} Protection
 * @property {Limits | undefined} limits undefined: none
 * @property {string[]} origins of pages elsewhere that may use the service
 */

/** Of what comes in a second, so much can be saved up. */
const BURST_S = 3;
/** Clients and addresses that are remembered, each: some 10 MB. */
const MOST_KEYS = 65_536;

/** @typedef {ReturnType<typeof createGuard>} Guard */

/**
 * @param {Protection & { host: string, public_host: string | undefined }} options
 * @param {() => number} [now_ms]
 */
export function createGuard({ limits, origins, host, public_host }, now_ms = () => performance.now()) {
  const counts = { throws: 0, joins: 0, origins: 0 };
  const mayUse = originCheck({ host, public_host, origins });
  const throwsOfClient = limit(limits?.throws_per_s, 'throws', 'throws a second of one client');
  const throwsOfAddress = limit(limits?.address_throws_per_s, 'throws', 'throws a second of one address');
  const joinsOfAddress = limit(limits?.address_joins_per_s, 'joins', 'new clients a second of one address');

  /**
   * @param {number | undefined} per_s undefined: without end
   * @param {'throws' | 'joins'} what
   * @param {string} words
   * @returns {(key: string) => void} throws the problem where a key has used up what it may
   */
  function limit(per_s, what, words) {
    if (per_s === undefined) return () => {};
    const buckets = new Buckets({ per_s, burst: per_s * BURST_S, keys: MOST_KEYS });
    return (key) => {
      const wait_ms = buckets.take(key, now_ms());
      if (wait_ms === 0) return;
      counts[what] += 1;
      const wait_s = Math.ceil(wait_ms / 1e3);
      throw new Problem(
        `too_many_${what}`,
        `expected at most ${per_s} ${words}; hint: come again in ${wait_s} s`,
        { headers: ['retry-after', `${wait_s}`] },
      );
    };
  }

  return {
    /** What was refused. */
    counts,

    /** Under which a connection is counted. @param {import('node:net').Socket} socket */
    addressOf: (socket) => (limits === undefined ? '' : networkOf(socket.remoteAddress)),

    /** @param {string | undefined} origin @throws {Problem} foreign_origin */
    checkOrigin(origin) {
      if (mayUse(origin)) return;
      counts.origins += 1;
      throw new Problem(
        'foreign_origin',
        `found ${JSON.stringify(origin?.slice(0, 100))}, expected a page of this host (HOST, SPRITES_PUBLIC_HOST) or one of SPRITES_ORIGINS`,
      );
    },

    /** @param {string} address @param {string} [ticket] of whoever has one @throws {Problem} too_many_throws */
    checkThrow(address, ticket) {
      // One client that throws too often leaves something to the others at its address.
      if (ticket !== undefined) throwsOfClient(ticket);
      throwsOfAddress(address);
    },

    /** @param {string} address @throws {Problem} too_many_joins */
    checkJoin: joinsOfAddress,

    /** For a port. @param {number} most connections */
    gate: (most) => new Gate(most, limits?.address_connections ?? Number.POSITIVE_INFINITY),
  };
}
