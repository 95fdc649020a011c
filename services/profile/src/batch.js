// @ts-check

/**
 * Gathers what is asked while the last answer is on its way, and asks it in one go: a round trip costs the same for one
 * and for many. With nothing on its way, what is asked in one turn of the event loop goes out when the turn ends.
 * @template Item, Answer
 * @param {(items: Item[]) => Promise<Answer[]>} ask answers in the order of the items
 * @param {number} most items in one go; 1: each goes out at once and on its own
 * @returns {(item: Item) => Promise<Answer>}
 */
export function createBatch(ask, most) {
  if (most === 1) return async (item) => (await ask([item]))[0];

  /** @type {Item[]} */
  const items = [];
  /** @type {{ resolve: (answer: Answer) => void, reject: (error: unknown) => void }[]} */
  const waiters = [];
  let asking = false;

  async function send() {
    const asked = items.splice(0, most);
    const waiting = waiters.splice(0, most);
    try {
      const answers = await ask(asked);
      for (let index = 0; index < waiting.length; index += 1) waiting[index].resolve(answers[index]);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
    if (items.length > 0) send();
    else asking = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      items.push(item);
      waiters.push({ resolve, reject });
      if (asking) return;
      asking = true;
      setImmediate(send);
    });
}
