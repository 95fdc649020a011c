// @ts-check
/**
 * How workers and the steward of the lattice exchange messages: a face with several engines behind it. A message is a
 * line of fields; those of one turn of the loop to the same receiver travel together.
 */

/** The name of the process that has the lattice. */
export const STEWARD = 'steward';
/** All workers. The steward is none. */
export const EVERY_WORKER = 'all';

/**
 * One end of an engine. What is sent arrives at most once, and in order from one sender to one receiver. When an engine
 * may have lost something, it says so.
 * @typedef {object} Bus
 * @property {(to: string, text: string) => void} send to a worker by its name, to STEWARD or to EVERY_WORKER; a name that
 *   nobody has is no error
 * @property {() => Promise<void>} close after what was sent has left this process
 *
 * @typedef {object} Ends
 * @property {string} name of this end
 * @property {(text: string) => void} receive
 * @property {() => void} lost messages may have been lost; called when the bus works again
 *
 * @typedef {(ends: Ends) => Promise<Bus>} OpenBus
 */

/** A text above this size goes out before the turn ends, so that no engine is handed megabytes at once. */
const MOST_CHARACTERS = 128 * 1024;

/**
 * Collects lines for each receiver until the turn of the loop is over.
 * @param {string} from
 * @param {(to: string, text: string) => void} send
 */
export function createOutbox(from, send) {
  /** @type {Map<string, string>} */
  let waiting = new Map();
  let scheduled = false;

  function flush() {
    scheduled = false;
    const texts = waiting;
    waiting = new Map();
    for (const [to, text] of texts) send(to, text);
  }

  return {
    /** @param {string} to @param {...(string | number)} fields without tabs and ends of lines */
    post(to, ...fields) {
      const text = `${waiting.get(to) ?? from}\n${fields.join('\t')}`;
      if (text.length > MOST_CHARACTERS) {
        waiting.delete(to);
        send(to, text);
        return;
      }
      waiting.set(to, text);
      if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    },
    flush,
  };
}

/** @typedef {ReturnType<typeof createOutbox>['post']} Post */

/**
 * Takes a text apart again.
 * @param {string} text
 * @param {(from: string, fields: string[]) => void} receive
 */
export function forEachLine(text, receive) {
  const [from, ...lines] = text.split('\n');
  for (const line of lines) receive(from, line.split('\t'));
}
