// @ts-check
/** What a fleet consists of: how many processes of which sort, and on which ports. Pure. */

import { ConfigError } from '@plimsoll/service-common/settings.js';
import { SPARE, SPARE_SHARE } from '../config.js';

/** Descriptors of a process that are no connections: files, pipes, the bus, and some that come and go. */
const OTHER_DESCRIPTORS = 200;

/**
 * @typedef {object} FleetPlan
 * @property {number} holders processes that hold clients
 * @property {number} capacity clients of each
 * @property {number} takers processes that take short requests
 * @property {number[]} ports of the holders, and one more for a holder that replaces another
 */

/**
 * @param {object} wish
 * @param {number} wish.connections
 * @param {number} wish.takers
 * @param {number} wish.first_port of the holders; 0: each takes a free one
 * @param {number} wish.descriptors that a process may open
 * @param {number} [wish.holders] if not as few as can hold them all
 * @returns {FleetPlan}
 * @throws {ConfigError}
 */
export function planFleet({ connections, takers, first_port, descriptors, holders }) {
  const most = Math.floor((descriptors - OTHER_DESCRIPTORS - SPARE) / SPARE_SHARE);
  if (most < 1) {
    throw new ConfigError(
      `a process may open ${descriptors} descriptors, of which ${OTHER_DESCRIPTORS + SPARE} are needed beside connections; hint: ulimit -n`,
    );
  }
  const fewest = Math.ceil(connections / most);
  if (holders !== undefined && holders < fewest) {
    throw new ConfigError(
      `${connections} connections need at least ${fewest} holders of ${most} each (${descriptors} descriptors); found ${holders}`,
    );
  }
  const count = holders ?? fewest;
  const last = first_port + count;
  if (first_port !== 0 && last > 65_535) {
    throw new ConfigError(`${count} holders need ports up to ${last}; expected at most 65535`);
  }
  return {
    holders: count,
    // Clients spread at random over holders with room, so they all fit only if each has a little more.
    capacity: Math.min(most, Math.ceil((connections / count) * SPARE_SHARE)),
    takers,
    ports: Array.from({ length: count + 1 }, (_, index) => (first_port === 0 ? 0 : first_port + index)),
  };
}

/** How many descriptors this process may open. @param {string} limits the text of /proc/self/limits */
export function descriptorsOf(limits) {
  const found = /^Max open files\s+(\d+)/m.exec(limits);
  return found === null ? 1_024 : Number(found[1]);
}
