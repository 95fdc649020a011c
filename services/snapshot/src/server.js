// @ts-check
/** The process: environment in, exit code out. */

import { runProcess } from '@plimsoll/service-common/process.js';
import { readConfig } from './config.js';
import { startService } from './service.js';

await runProcess(readConfig, async (config) => {
  const service = await startService(config);
  return {
    async stop() {
      await service.stop();
      // The client library may leave a thread of its own behind, which would keep the process alive.
      process.exit();
    },
  };
});
