// @ts-check

/**
 * Gathers what is asked for a moment and asks it in one go: a round trip costs nearly the same for one and for many.
 * @template Item, Result
 * @param {(items: Item[]) => Promise<Result[]>} ask whose results are in the order of the items
 * @param {number} most items in one go
 * @param {(send: () => void) => void} [later] calls `send` when the moment is over; if not given, when this turn of the
 *   event loop ends, so that nobody waits longer for it
 * @returns {(item: Item) => Promise<Result>}
 */
export function createBatch(ask, most, later = setImmediate) {
  /** @type {Item[]} */
  let items = [];
  /** @type {{ resolve: (result: Result) => void, reject: (error: unknown) => void }[]} */
  let waiters = [];

  function send() {
    if (items.length === 0) return;
    const asked = items;
    const waiting = waiters;
    items = [];
    waiters = [];
    ask(asked).then(
      (results) => {
        for (let index = 0; index < waiting.length; index += 1) waiting[index].resolve(results[index]);
      },
      (error) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }

  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiters.push({ resolve, reject });
      if (items.length === most) send();
      else if (items.length === 1) later(send);
    });
}
