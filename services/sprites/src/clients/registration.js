// @ts-check
/** What a worker says to the steward: who it is, who sits there, who wants to sit. */

import { STEWARD } from '../bus/bus.js';

/** @import { Post } from '../bus/bus.js' */
/** @import { Ticket } from '../ticket.js' */
/** @import { Slots } from './slots.js' */

export class Registration {
  #post;
  #slots;
  #url = '';
  #holds = false;
  /** @type {Map<number, Ticket>} clients on their way from another worker, until they are seated */
  #claims = new Map();

  /** @param {Post} post @param {Slots} slots */
  constructor(post, slots) {
    this.#post = post;
    this.#slots = slots;
  }

  /** @param {string} url where its clients go @param {boolean} holds whether it holds any */
  name(url, holds) {
    this.#url = url;
    this.#holds = holds;
  }

  /** Says all, because the steward is new or messages were lost. @param {(slot: number) => number} cellOf -1 for one without */
  introduce(cellOf) {
    const { capacity, count } = this.#slots;
    this.#post(STEWARD, 'hello', this.#url, this.#holds ? capacity : 0, count);
    for (let index = 0; index < count; index += 1) {
      const slot = this.#slots.at(index);
      const cell = cellOf(slot);
      if (cell === -1) this.ask(slot);
      else this.#post(STEWARD, 'here', ...this.#who(slot), cell);
    }
    this.#post(STEWARD, 'all');
  }

  /** It is alive. @param {number} room */
  pulse(room) {
    this.#post(STEWARD, 'pulse', this.#slots.count, this.#holds ? room : 0);
  }

  /** Asks for a seat. @param {number} slot @param {Ticket} [claim] of another worker, whose seat it has */
  ask(slot, claim = this.#claims.get(slot)) {
    if (claim === undefined) {
      this.#post(STEWARD, 'sit', ...this.#who(slot));
      return;
    }
    this.#claims.set(slot, claim);
    this.#post(STEWARD, 'claim', ...this.#who(slot), claim.worker, claim.slot, claim.stamp, claim.secret);
  }

  /** It has its seat, or never will. @param {number} slot @returns {boolean} whether it came from another worker */
  settle(slot) {
    return this.#claims.delete(slot);
  }

  /** It leaves its seat. @param {number} slot */
  rise(slot) {
    this.#post(STEWARD, 'rise', slot, this.#slots.stamp(slot));
  }

  /** @param {number} slot */
  #who(slot) {
    return [slot, this.#slots.stamp(slot), this.#slots.secret(slot)];
  }
}
