// @ts-check
/**
 * What belongs to one page and ends with it. An AbortSignal would do the same; with eleven calls to a page, adding and
 * removing its listeners was worth avoiding.
 */

/** @typedef {'deadline' | 'client_gone'} EndReason */

export class Scope {
  /** @type {Set<(reason: EndReason) => void>} */
  #cancels = new Set();
  /** @type {EndReason | undefined} */
  ended;

  /** `cancel` is called when the page ends before `release`. @param {(reason: EndReason) => void} cancel */
  hold(cancel) {
    this.#cancels.add(cancel);
  }

  /** @param {(reason: EndReason) => void} cancel */
  release(cancel) {
    this.#cancels.delete(cancel);
  }

  /** Cancels what is held, once. @param {EndReason} reason */
  end(reason) {
    if (this.ended !== undefined) return;
    this.ended = reason;
    for (const cancel of this.#cancels) cancel(reason);
    this.#cancels.clear();
  }
}
