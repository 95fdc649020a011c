// @ts-check
/** The service as one process: a worker with both ports, and the steward beside it. */

import { pino } from 'pino';
import { createLocalBus } from './bus/local.js';
import { startSteward } from './steward/start.js';
import { startWorker } from './worker.js';

/** @import { Config } from './config.js' */

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const openBus = createLocalBus();
  const steward = await startSteward(config, openBus);
  try {
    const worker = await startWorker(config, { holds: true, takes: true }, openBus, log);
    return {
      ...worker,
      steward: steward.steward,
      async stop() {
        await worker.stop();
        await steward.stop();
      },
    };
  } catch (error) {
    await steward.stop();
    throw error;
  }
}
