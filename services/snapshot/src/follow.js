// @ts-check
/**
 * Follows process variables for one client: first a whole snapshot, then at each interval what is no longer as it was
 * when this client was last told. A client that reads slowly gets fewer events and the same end: nothing waits in line.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { eventText } from './http/event-stream.js';
import { takeSnapshot } from './snapshot.js';

/** @import { Snapshot } from './snapshot.js' */

/**
 * @param {object} parts
 * @param {import('./ca/channels.js').Channels} parts.channels
 * @param {import('./names.js').Wanted[]} parts.wanted
 * @param {number} parts.timeout_ms
 * @param {number} parts.interval_ms from the start of a snapshot to the start of the next, if it is not later already
 * @param {Pick<import('./http/event-stream.js').EventStream, 'signal' | 'send'>} parts.stream
 * @param {(snapshot: Snapshot) => void} parts.taken called for each snapshot
 */
export async function follow({ channels, wanted, timeout_ms, interval_ms, stream, taken }) {
  const { signal, send } = stream;
  /** What the client was told last, by name. @type {Map<string, string>} */
  const told = new Map();
  for (let id = 1; !signal.aborted; id += 1) {
    const started_ms = performance.now();
    const snapshot = await takeSnapshot({ channels, wanted, timeout_ms, signal });
    if (signal.aborted) return;
    taken(snapshot);
    const changed = snapshot.pvs.filter((pv) => {
      const text = JSON.stringify(pv);
      const same = told.get(pv.name) === text;
      told.set(pv.name, text);
      return !same;
    });
    if (id === 1) await send(eventText('snapshot', id, snapshot));
    else if (changed.length > 0) await send(eventText('changes', id, { ...snapshot, pvs: changed }));
    // Something has to be written to learn that a client has gone without a word.
    else await send(': no change\n\n');
    const left_ms = interval_ms - (performance.now() - started_ms);
    await pause(Math.max(left_ms, 0), undefined, { signal }).catch(() => {});
  }
}
