// @ts-check
/** The service as one process: a worker with both ports, and the keeper beside it. */

import { pino } from 'pino';
import { createLocalBus } from './bus/local.js';
import { startKeeper } from './keeper/start.js';
import { startWorker } from './worker.js';

/** @import { Config } from './config.js' */

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const openBus = createLocalBus();
  const keeper = await startKeeper(config, openBus);
  try {
    const worker = await startWorker(config, { holds: true, takes: true }, openBus, log);
    return {
      ...worker,
      keeper: keeper.keeper,
      async stop() {
        await worker.stop();
        await keeper.stop();
      },
    };
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}
