// @ts-check
/**
 * The connections of one port: at most so many, and of one address at most so many. One too many is told so in the
 * response to its first request; those who come in numbers all the same are closed at once.
 */

import { Problem, RETRY } from '../errors.js';

/** Connections above a limit that are told why. */
export const SURPLUS = 64;

/** @typedef {{ address: string, open: number }} Tally the connections of an address, as long as it has any */
/** @typedef {'no_room' | 'too_many_connections'} Refusal */

export class Gate {
  #most;
  #most_of_address;
  /** @type {Map<string, Tally>} */
  #tallies = new Map();
  open = 0;
  refused = 0;

  /** @param {number} most @param {number} most_of_address */
  constructor(most, most_of_address) {
    this.#most = most;
    this.#most_of_address = most_of_address;
  }

  /** @param {string} address @returns {Tally} to be left with */
  enter(address) {
    const tally = this.#tallies.get(address) ?? { address, open: 0 };
    if (tally.open === 0) this.#tallies.set(address, tally);
    tally.open += 1;
    this.open += 1;
    return tally;
  }

  /** @param {Tally} tally */
  leave(tally) {
    tally.open -= 1;
    this.open -= 1;
    if (tally.open === 0) this.#tallies.delete(tally.address);
  }

  /** Why the connection that came last is one too many. @param {Tally} tally @returns {Refusal | undefined} */
  refusal(tally) {
    const refusal =
      tally.open > this.#most_of_address
        ? 'too_many_connections'
        : this.open > this.#most
          ? 'no_room'
          : undefined;
    if (refusal !== undefined) this.refused += 1;
    return refusal;
  }

  /** Whether not even that is said. @param {Tally} tally */
  isFlooded(tally) {
    return tally.open > this.#most_of_address + SURPLUS || this.open > this.#most + SURPLUS;
  }

  /** @param {Refusal} refusal @param {string[]} headers beside when to come again */
  problem(refusal, ...headers) {
    const detail =
      refusal === 'no_room'
        ? `expected at most ${this.#most} connections at a time`
        : `expected at most ${this.#most_of_address} connections of one address at a time`;
    return new Problem(refusal, detail, { headers: [...RETRY.headers, ...headers] });
  }
}
