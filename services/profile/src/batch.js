// @ts-check

/**
 * Gathers what is asked in one turn of the event loop and asks it in one go: a round trip costs the same for one and
 * for many. Nobody waits longer for it, since what is asked goes out when the turn ends.
 * @template Item, Answer
 * @param {(items: Item[]) => Promise<Answer[]>} ask answers in the order of the items
 * @param {number} most items in one go
 * @returns {(item: Item) => Promise<Answer>}
 */
export function createBatch(ask, most) {
  /** @type {Item[]} */
  let items = [];
  /** @type {{ resolve: (answer: Answer) => void, reject: (error: unknown) => void }[]} */
  let waiters = [];

  function send() {
    const asked = items;
    const waiting = waiters;
    items = [];
    waiters = [];
    ask(asked).then(
      (answers) => {
        for (let index = 0; index < waiting.length; index += 1) waiting[index].resolve(answers[index]);
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
      else if (items.length === 1)
        setImmediate(() => {
          if (items.length > 0) send();
        });
    });
}
