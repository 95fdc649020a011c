// @ts-check
/** The service put together: opened, seeded, listening; and taken down in the reverse order. */

import { listen } from '@plimsoll/service-common/listening.js';
import { pino } from 'pino';
import { createApp } from './app.js';
import { openBackend } from './backend/backend.js';
import { Problem } from './errors.js';
import { createMetrics } from './metrics.js';
import { createProfiles } from './profiles.js';
import { seedUsers } from './seed.js';
import { createSessions } from './sessions.js';
import { exposition } from './workers/metrics.js';

/** @import { Backend } from './backend/backend.js' */
/** @import { Config } from './config.js' */

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` finishes what is in flight, stores what
 *   waits and releases everything; it rejects if something could not be stored
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const backend = await openBackend(config, log);
  try {
    await seedUsers(backend, { count: config.seed_users, now_ms: Date.now() });
    const { app, refuse } = assemble(config, backend, log);
    const { url, close } = await listen(app.handle, { ...config, Problem });
    log.info({ url, ...backend.about }, 'listening');
    return {
      url,
      async stop() {
        refuse('the service is stopping');
        app.drain();
        try {
          await close(config.shutdown_grace_ms);
          await backend.drain();
        } finally {
          await backend.close();
          log.info('stopped');
        }
      },
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/**
 * @param {Config} config
 * @param {Backend} backend
 * @param {import('pino').Logger} log
 */
function assemble(config, { working, store, gauges }, log) {
  /** @type {string | undefined} */
  let refusal;
  const metrics = createMetrics({
    profile_store_waiting: { help: 'Changes that wait to be stored.', value: working.waiting },
    ...gauges,
  });
  const app = createApp({
    working,
    profiles: createProfiles({ working }),
    sessions: createSessions({ working, store, ttl_ms: config.session_ttl_ms, most: config.sessions }),
    metrics,
    exposition: exposition(metrics.toText),
    log,
    bounds: { limit_bytes: config.body_limit_bytes, timeout_ms: config.body_timeout_ms },
    readiness: () => working.obstacle() ?? refusal,
    now: Date.now,
  });
  return {
    app,
    /** @param {string} reason why the service is not ready from now on */
    refuse(reason) {
      refusal = reason;
    },
  };
}
