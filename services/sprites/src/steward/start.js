// @ts-check
/** The steward put together: its end of the bus, and its clock. */

import { createOutbox, forEachLine, STEWARD } from '../bus/bus.js';
import { Steward } from './steward.js';

/** @import { Bus, OpenBus } from '../bus/bus.js' */

/**
 * @param {{ patience: import('./steward.js').Patience, tick_ms: number }} config
 * @param {OpenBus} openBus
 */
export async function startSteward({ patience, tick_ms }, openBus) {
  const outbox = createOutbox(STEWARD, (to, text) => bus.send(to, text));
  const steward = new Steward({ post: outbox.post, patience });
  /** @type {Bus} */
  const bus = await openBus({
    name: STEWARD,
    receive: (text) => forEachLine(text, (from, fields) => steward.receive(from, fields)),
    lost: () => steward.start(),
  });
  steward.start();
  const clock = setInterval(() => steward.tick(), tick_ms);
  return {
    steward,
    async stop() {
      clearInterval(clock);
      outbox.flush();
      await bus.close();
    },
  };
}
