// @ts-check
/** The bus of one process: texts are handed on in a later turn, as every other engine does. */

import { EVERY_WORKER, STEWARD } from './bus.js';

/** @import { Ends, OpenBus } from './bus.js' */

/** @returns {OpenBus} whose ends reach each other */
export function createLocalBus() {
  /** @type {Map<string, Ends['receive']>} */
  const ends = new Map();

  return async ({ name, receive }) => {
    ends.set(name, receive);
    return {
      send(to, text) {
        const names = to === EVERY_WORKER ? [...ends.keys()].filter((end) => end !== STEWARD) : [to];
        setImmediate(() => {
          for (const end of names) ends.get(end)?.(text);
        });
      },
      async close() {
        ends.delete(name);
      },
    };
  };
}
