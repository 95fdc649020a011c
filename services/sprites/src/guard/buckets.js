// @ts-check
/**
 * Token buckets by key, in bounded memory: of more than `keys`, the one that has been idle longest is forgotten, which
 * by then is full anyway unless very many are in use at once. Pure: it is told the time.
 */

export class Buckets {
  #token_ms;
  #burst_ms;
  #keys;
  /** When the bucket of a key is full again; the key that was used last comes last. @type {Map<string, number>} */
  #full_ms = new Map();

  /**
   * @param {object} options
   * @param {number} options.per_s tokens that come in a second
   * @param {number} options.burst tokens that a full bucket has
   * @param {number} options.keys that are remembered at most
   */
  constructor({ per_s, burst, keys }) {
    this.#token_ms = 1e3 / per_s;
    this.#burst_ms = burst * this.#token_ms;
    this.#keys = keys;
  }

  get size() {
    return this.#full_ms.size;
  }

  /**
   * Takes a token, if there is one.
   * @param {string} key
   * @param {number} now_ms
   * @returns {number} milliseconds until there is one; 0: it was taken
   */
  take(key, now_ms) {
    const before_ms = Math.max(this.#full_ms.get(key) ?? 0, now_ms);
    const after_ms = before_ms + this.#token_ms;
    const wait_ms = after_ms - this.#burst_ms - now_ms;
    const taken = wait_ms <= ROUNDING_MS;
    this.#full_ms.delete(key);
    this.#full_ms.set(key, taken ? after_ms : before_ms);
    if (this.#full_ms.size > this.#keys) this.#forget();
    return taken ? 0 : wait_ms;
  }

  #forget() {
    for (const key of this.#full_ms.keys()) {
      this.#full_ms.delete(key);
      return;
    }
  }
}

/** A third of a second taken three times is a second. */
const ROUNDING_MS = 1e-6;
