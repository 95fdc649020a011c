// @ts-check
/** Who the members of the lattice are: arrays, so that a million of them are nothing that garbage collection looks at. */

import { Secrets } from '../secrets.js';

const FIRST_CAPACITY = 1024;

export class Members {
  #workers = new Int32Array(FIRST_CAPACITY);
  #slots = new Int32Array(FIRST_CAPACITY);
  #stamps = new Uint32Array(FIRST_CAPACITY);
  #secrets = new Secrets(FIRST_CAPACITY);
  /** @type {number[]} */
  #free = [];
  #end = 0;

  /** @param {number} worker @param {number} slot @param {number} stamp @param {string} secret @returns {number} the member */
  add(worker, slot, stamp, secret) {
    const member = this.#free.pop() ?? this.#end++;
    if (member === this.#workers.length) this.#grow();
    this.set(member, worker, slot, stamp, secret);
    return member;
  }

  /** @param {number} member @param {number} worker @param {number} slot @param {number} stamp @param {string} secret */
  set(member, worker, slot, stamp, secret) {
    this.#workers[member] = worker;
    this.#slots[member] = slot;
    this.#stamps[member] = stamp;
    this.#secrets.set(member, secret);
  }

  /** @param {number} member */
  remove(member) {
    this.#free.push(member);
  }

  /** @param {number} member */
  worker(member) {
    return this.#workers[member];
  }

  /** @param {number} member */
  slot(member) {
    return this.#slots[member];
  }

  /** @param {number} member */
  stamp(member) {
    return this.#stamps[member];
  }

  /** @param {number} member */
  secret(member) {
    return this.#secrets.at(member);
  }

  #grow() {
    this.#workers = doubled(this.#workers, new Int32Array(2 * this.#workers.length));
    this.#slots = doubled(this.#slots, new Int32Array(2 * this.#slots.length));
    this.#stamps = doubled(this.#stamps, new Uint32Array(2 * this.#stamps.length));
    this.#secrets.grow();
  }
}

/** @template {Int32Array | Uint32Array} T @param {T} from @param {T} to */
function doubled(from, to) {
  to.set(from);
  return to;
}
