// @ts-check
/** The process: environment in, exit code out. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createApp } from './app.js';
import { readConfig } from './config.js';
import { collectFacts } from './facts.js';
import { createLog } from './log.js';
import { createMetrics } from './metrics.js';

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
const SHUTDOWN_GRACE_MS = 3_000;

try {
  const config = readConfig(process.env);
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
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: KEEP_ALIVE_MS + 1_000 },
    app,
  );
  server.listen(config.port, config.host);
  await once(server, 'listening');
  log.info('listening', server.address());

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      log.info('stopping', { signal });
      refusal = 'the service is stopping';
      // Takes no more connections, closes the idle ones and lets the others finish; then the process ends by itself.
      server.close(() => log.end());
      setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS).unref();
    });
  }
} catch (error) {
  process.stderr.write(`failed to start: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
