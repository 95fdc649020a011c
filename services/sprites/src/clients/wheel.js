// @ts-check
/**
 * When something is due for a slot, in ticks: one list of slots for each tick, kept in arrays. Setting and clearing
 * takes no memory, however many slots wait.
 */

const NOWHERE = -1;

export class Wheel {
  #heads;
  #next;
  #previous;
  #bucket;
  #now = 0;

  /** @param {number} slots @param {number} span_ticks more than anything that is set */
  constructor(slots, span_ticks) {
    this.#heads = new Int32Array(span_ticks).fill(NOWHERE);
    this.#next = new Int32Array(slots).fill(NOWHERE);
    this.#previous = new Int32Array(slots).fill(NOWHERE);
    this.#bucket = new Int32Array(slots).fill(NOWHERE);
  }

  /** Instead of what was due for the slot before. @param {number} slot @param {number} ticks from 1 */
  set(slot, ticks) {
    this.clear(slot);
    const bucket = (this.#now + Math.min(ticks, this.#heads.length - 1)) % this.#heads.length;
    const head = this.#heads[bucket];
    this.#next[slot] = head;
    if (head !== NOWHERE) this.#previous[head] = slot;
    this.#previous[slot] = NOWHERE;
    this.#heads[bucket] = slot;
    this.#bucket[slot] = bucket;
  }

  /** @param {number} slot */
  clear(slot) {
    const bucket = this.#bucket[slot];
    if (bucket === NOWHERE) return;
    const next = this.#next[slot];
    const previous = this.#previous[slot];
    if (previous === NOWHERE) this.#heads[bucket] = next;
    else this.#next[previous] = next;
    if (next !== NOWHERE) this.#previous[next] = previous;
    this.#bucket[slot] = NOWHERE;
  }

  /** One tick later: calls with each slot for which it is time. @param {(slot: number) => void} due */
  tick(due) {
    this.#now = (this.#now + 1) % this.#heads.length;
    for (let slot = this.#heads[this.#now]; slot !== NOWHERE; slot = this.#heads[this.#now]) {
      this.clear(slot);
      due(slot);
    }
  }
}
