// @ts-check
/** What a process of ours does: starts a service with the settings of its environment, and stops it when it is told to. */

import { readConfig } from './config.js';

/** @import { Config } from './config.js' */

/**
 * @param {(config: Config) => Promise<{ stop: () => Promise<void> }>} start
 */
export async function runProcess(start) {
  try {
    const service = await start(readConfig(process.env));
    let stopping = false;
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
      process.on(signal, async () => {
        if (stopping) return;
        stopping = true;
        try {
          await service.stop();
        } catch (error) {
          fail('stop cleanly', error);
        }
      });
    }
  } catch (error) {
    fail('start', error);
  }
}

/** @param {string} what @param {unknown} error */
function fail(what, error) {
  process.stderr.write(`failed to ${what}: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
