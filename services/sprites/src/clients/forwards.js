// @ts-check
/** Where clients are now that were here a moment ago, for what still comes to their old addresses. */

/** @import { Address } from '../ticket.js' */

/** How long what comes is sent on. */
const FORWARDING_TICKS = 10;

export class Forwards {
  /** @type {Map<string, Address & { secret: string, ticks: number }>} */
  #all = new Map();

  /** @param {number} slot @param {number} stamp @param {Address} to @param {string} secret that the client had here */
  add(slot, stamp, to, secret) {
    this.#all.set(`${slot}.${stamp}`, { ...to, secret, ticks: FORWARDING_TICKS });
  }

  /** @param {number} slot @param {number} stamp */
  get(slot, stamp) {
    return this.#all.get(`${slot}.${stamp}`);
  }

  tick() {
    for (const [address, forward] of this.#all) {
      forward.ticks -= 1;
      if (forward.ticks === 0) this.#all.delete(address);
    }
  }
}
