// @ts-check
/** Which slots of a worker are taken, by whom: a stamp and a secret for each. All in arrays, and each step takes the same time. */

import { Secrets } from '../secrets.js';

/** The slot of nobody. */
export const NOBODY = -1;

export class Slots {
  #newSecret;
  #stamps;
  #secrets;
  /** Slots that are taken, without order, and where each is in that list. */
  #taken;
  #positions;
  #free;
  count = 0;

  /** @param {number} capacity @param {() => string} newSecret 16 hexadecimal digits that nobody can guess */
  constructor(capacity, newSecret) {
    this.capacity = capacity;
    this.#newSecret = newSecret;
    this.#stamps = new Uint32Array(capacity);
    this.#secrets = new Secrets(capacity);
    this.#taken = new Int32Array(capacity);
    this.#positions = new Int32Array(capacity);
    this.#free = new Int32Array(capacity).map((_, index) => capacity - 1 - index);
  }

  /** @returns {number} one that was free; there has to be one */
  take() {
    const slot = this.#free[this.capacity - 1 - this.count];
    this.#secrets.set(slot, this.#newSecret());
    this.#taken[this.count] = slot;
    this.#positions[slot] = this.count;
    this.count += 1;
    return slot;
  }

  /** The next who has it has another stamp. @param {number} slot */
  release(slot) {
    this.#stamps[slot] += 1;
    this.count -= 1;
    const last = this.#taken[this.count];
    this.#taken[this.#positions[slot]] = last;
    this.#positions[last] = this.#positions[slot];
    this.#free[this.capacity - 1 - this.count] = slot;
  }

  /** Whether somebody with that stamp has it. @param {number} slot @param {number} stamp */
  has(slot, stamp) {
    const position = this.#positions[slot];
    return this.#stamps[slot] === stamp && position < this.count && this.#taken[position] === slot;
  }

  /** One that is taken. @param {number} index below the count */
  at(index) {
    return this.#taken[index];
  }

  /** @param {number} slot */
  stamp(slot) {
    return this.#stamps[slot];
  }

  /** @param {number} slot */
  secret(slot) {
    return this.#secrets.at(slot);
  }
}
