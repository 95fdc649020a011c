// @ts-check
/**
 * The bus through a primary process, by `process.send`: what is sent from one worker to another is handed on by the
 * primary, which has the steward as well. Nothing but Node.js is needed, and everything ends with the primary.
 */

import { createBound } from './bound.js';
import { EVERY_WORKER, STEWARD } from './bus.js';

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Ends, OpenBus } from './bus.js' */

/** @typedef {{ bus: [to: string, text: string] } | { lost: true }} Parcel what goes between a worker and the primary */

/** In the primary. */
export function createPrimaryBus() {
  /** @type {Ends['receive'] | undefined} */
  let steward;
  /** @type {Map<string, (text: string) => void>} */
  const workers = new Map();

  /** @param {string} to @param {string} text */
  function route(to, text) {
    if (to === STEWARD) steward?.(text);
    else if (to === EVERY_WORKER) for (const send of workers.values()) send(text);
    else workers.get(to)?.(text);
  }

  return {
    /** @type {OpenBus} of the steward, which lives in this process */
    open: async ({ receive }) => {
      steward = receive;
      return {
        send: route,
        async close() {
          steward = undefined;
        },
      };
    },

    /** @param {string} name @param {ChildProcess} child from now on it can send and is sent to */
    attach(name, child) {
      const bound = createBound(() => child.connected && child.send(/** @type {Parcel} */ ({ lost: true })));
      workers.set(name, (text) => {
        if (!child.connected || !bound.takes(text.length)) return;
        child.send(/** @type {Parcel} */ ({ bus: ['', text] }), () => bound.left(text.length));
      });
      child.on('message', (/** @type {Partial<{ bus: [string, string] }>} */ { bus }) => {
        if (bus !== undefined) route(bus[0], bus[1]);
      });
      child.once('exit', () => workers.delete(name));
    },
  };
}

/** @type {OpenBus} In a worker. */
export async function openPrimaryBus({ receive, lost }) {
  /** @param {Partial<{ bus: [string, string], lost: true }>} message */
  function take({ bus, lost: hasLost }) {
    if (bus !== undefined) receive(bus[1]);
    if (hasLost) lost();
  }
  process.on('message', take);
  return {
    send: (to, text) => void process.send?.(/** @type {Parcel} */ ({ bus: [to, text] })),
    async close() {
      process.off('message', take);
    },
  };
}
