// @ts-check
/** Several processes on one port. Each serves the connections that it accepts, and Redis is between them. */

import cluster from 'node:cluster';
import { once } from 'node:events';
import { startService } from './service.js';

/** @param {import('./config.js').Config} config @returns {Promise<{ stop: () => Promise<void> }>} */
export async function startProcesses(config) {
  if (config.processes === 1) return startService(config);
  if (cluster.isWorker) return startWorker(config);
  const workers = Array.from({ length: config.processes }, () => cluster.fork());
  let stopping = false;
  for (const worker of workers) {
    worker.on('exit', (code) => {
      // Without one of them half of the members would be gone: whoever watches the service starts it anew.
      if (!stopping) process.exit(code || 1);
    });
  }
  await Promise.all(workers.map((worker) => once(worker, 'listening')));
  return {
    async stop() {
      stopping = true;
      const ended = workers.map((worker) => once(worker, 'exit'));
      for (const worker of workers) worker.process.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

/** @param {import('./config.js').Config} config */
async function startWorker(config) {
  const { stop } = await startService(config);
  return {
    async stop() {
      await stop();
      // Else the channel to the first process keeps this one.
      cluster.worker?.disconnect();
    },
  };
}
