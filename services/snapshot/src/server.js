// @ts-check
/** The process: environment in, exit code out. */

import { readConfig } from './config.js';
import { startService } from './service.js';

try {
  const service = await startService(readConfig(process.env));
  let stopping = false;
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      try {
        await service.stop();
        // The client library may leave a thread of its own behind, which would keep the process alive.
        process.exit();
      } catch (error) {
        fail('stop cleanly', error);
      }
    });
  }
} catch (error) {
  fail('start', error);
}

/** @param {string} what @param {unknown} error */
function fail(what, error) {
  process.stderr.write(`failed to ${what}: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
