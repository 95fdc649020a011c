// @ts-check
/**
 * What waits for each client: the newest sprites that it has not acknowledged, numbered. Of more than the bound the oldest
 * go, and the numbers show how many. Where nothing waits there is no object.
 */

export class Mail {
  #most;
  /** By slot: the number of the last sprite for it, and of the last one that was collected. */
  #last;
  #collected;
  /** @type {(string[] | undefined)[]} the last of them is number `#last` */
  #texts;

  /** @param {number} slots @param {number} most */
  constructor(slots, most) {
    this.#most = most;
    this.#last = new Uint32Array(slots);
    this.#collected = new Uint32Array(slots);
    this.#texts = new Array(slots).fill(undefined);
  }

  /** Nothing waits, and numbers go on after one. @param {number} slot @param {number} after */
  reset(slot, after) {
    this.#last[slot] = after;
    this.#collected[slot] = after;
    this.#texts[slot] = undefined;
  }

  /** Numbers begin again, with what waits. @param {number} slot */
  renumber(slot) {
    this.#last[slot] = this.#texts[slot]?.length ?? 0;
    this.#collected[slot] = 0;
  }

  /** @param {number} slot @param {string} text */
  keep(slot, text) {
    this.#last[slot] += 1;
    const texts = this.#texts[slot];
    if (texts === undefined) {
      this.#texts[slot] = [text];
      return;
    }
    if (texts.length === this.#most) texts.shift();
    texts.push(text);
  }

  /** It has all up to a number, and wants what follows. @param {number} slot @param {number} after */
  acknowledge(slot, after) {
    const upTo = Math.min(after, this.#last[slot]);
    this.#collected[slot] = upTo;
    const texts = this.#texts[slot];
    if (texts === undefined) return;
    const left = this.#last[slot] - upTo;
    if (left === 0) this.#texts[slot] = undefined;
    else if (left < texts.length) texts.splice(0, texts.length - left);
  }

  /** What was not collected yet; from now on it is. @param {number} slot */
  collect(slot) {
    const texts = this.#texts[slot] ?? [];
    const next = this.#last[slot];
    const owed = next - this.#collected[slot];
    const fresh = Math.min(owed, texts.length);
    this.#collected[slot] = next;
    return {
      next,
      sprites: fresh === texts.length ? texts : texts.slice(texts.length - fresh),
      missed: owed - fresh,
    };
  }

  /** @param {number} slot */
  isCollected(slot) {
    return this.#collected[slot] === this.#last[slot];
  }

  /** The number of the last one that was collected. @param {number} slot */
  collected(slot) {
    return this.#collected[slot];
  }

  /** All that another worker needs to go on. @param {number} slot @returns {[last: number, ...texts: string[]]} */
  handOver(slot) {
    return [this.#last[slot], ...(this.#texts[slot] ?? [])];
  }

  /** What another worker had, before what has come here. @param {number} slot @param {number} last @param {string[]} texts */
  takeOver(slot, last, texts) {
    const come = this.#texts[slot] ?? [];
    const all = [...texts, ...come].slice(-this.#most);
    const after = this.#collected[slot];
    this.#last[slot] = Math.max(last, after) + come.length;
    this.#texts[slot] = all.length === 0 ? undefined : all;
    this.acknowledge(slot, after);
  }
}
