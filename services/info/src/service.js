// @ts-check
/** The service put together and listening. */

import { listen } from '@plimsoll/service-common/listening.js';
import { createApp } from './app.js';
import { Problem } from './errors.js';
import { collectFacts } from './facts.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';

const SHUTDOWN_GRACE_MS = 3_000;

/**
 * @param {import('./config.js').Config} config
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` finishes what is in flight
 */
export async function startService(config) {
  const log = createLog(config);
  /** @type {string | undefined} */
  let refusal;
  const app = createApp({
    config,
    log,
    metrics: createMetrics(),
    facts: collectFacts,
    readiness: () => refusal,
  });
  const { url, close } = await listen(app, { ...config, Problem });
  log.info('listening', { url });
  return {
    url,
    async stop() {
      refusal = 'the service is stopping';
      log.info('stopping');
      await close(SHUTDOWN_GRACE_MS);
      log.end();
    },
  };
}
