// @ts-check
/** The keeper put together: its end of the bus, and its clock. */

import { createOutbox, forEachLine, KEEPER } from '../bus/bus.js';
import { Keeper } from './keeper.js';

/** @import { Bus, OpenBus } from '../bus/bus.js' */

/**
 * @param {{ patience: import('./keeper.js').Patience, tick_ms: number }} config
 * @param {OpenBus} openBus
 */
export async function startKeeper({ patience, tick_ms }, openBus) {
  const outbox = createOutbox(KEEPER, (to, text) => bus.send(to, text));
  const keeper = new Keeper({ post: outbox.post, patience });
  /** @type {Bus} */
  const bus = await openBus({
    name: KEEPER,
    receive: (text) => forEachLine(text, (from, fields) => keeper.receive(from, fields)),
    lost: () => keeper.start(),
  });
  keeper.start();
  const clock = setInterval(() => keeper.tick(), tick_ms);
  return {
    keeper,
    async stop() {
      clearInterval(clock);
      outbox.flush();
      await bus.close();
    },
  };
}
