// @ts-check
/** The process: environment in, exit code out. */

import cluster from 'node:cluster';
import { runProcess } from '@plimsoll/service-common/process.js';
import { readConfig } from './config.js';
import { startService } from './service.js';
import { startWorkers } from './workers/primary.js';

await runProcess(readConfig, async (config) => {
  if (config.workers > 1 && cluster.isPrimary) return startWorkers(config);
  const service = await startService(config);
  return {
    async stop() {
      await service.stop();
      // The line to the primary would keep this process alive.
      cluster.worker?.disconnect();
    },
  };
});
