// @ts-check
/** Where each client is and who is next to it, as the steward last said. */

import { SIDES, xOf, yOf } from '../lattice/spiral.js';
import { addressText, parseAddress } from '../ticket.js';

/** @import { Address } from '../ticket.js' */
/** @import { Crew } from './crew.js' */

const NOBODY = -1;

export class Neighbours {
  #crew;
  #cells;
  /** Four for each slot. A worker is its number in the crew, or -1. */
  #workers;
  #slots;
  #stamps;

  /** @param {number} slots @param {Crew} crew */
  constructor(slots, crew) {
    this.#crew = crew;
    this.#cells = new Int32Array(slots);
    this.#workers = new Int32Array(4 * slots);
    this.#slots = new Int32Array(4 * slots);
    this.#stamps = new Uint32Array(4 * slots);
  }

  /** @param {number} slot */
  clear(slot) {
    this.#workers.fill(NOBODY, 4 * slot, 4 * slot + 4);
  }

  /** @param {number} slot @param {number} cell @param {string[]} addresses one for each side, '-' for nobody */
  set(slot, cell, addresses) {
    this.#cells[slot] = cell;
    for (const [side, text] of addresses.entries()) {
      const at = 4 * slot + side;
      const address = parseAddress(text);
      this.#workers[at] = text === '-' ? NOBODY : this.#crew.indexOf(address.worker);
      this.#slots[at] = address.slot;
      this.#stamps[at] = address.stamp;
    }
  }

  /** @param {number} slot */
  cell(slot) {
    return this.#cells[slot];
  }

  /** @param {number} slot @param {number} side @returns {Address | undefined} */
  at(slot, side) {
    const at = 4 * slot + side;
    if (this.#workers[at] === NOBODY) return undefined;
    return {
      worker: this.#crew.nameOf(this.#workers[at]),
      slot: this.#slots[at],
      stamp: this.#stamps[at],
    };
  }

  /** For the client itself. @param {number} slot */
  describe(slot) {
    /** @type {Record<string, string>} */
    const neighbours = {};
    for (const [side, name] of SIDES.entries()) {
      const found = this.at(slot, side);
      if (found !== undefined) neighbours[name] = addressText(found.worker, found.slot, found.stamp);
    }
    const cell = this.#cells[slot];
    return { cell: [xOf(cell), yOf(cell)], neighbours, people: this.#crew.people };
  }
}
