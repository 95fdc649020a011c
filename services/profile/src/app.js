// @ts-check
/** The application: a function from a request to a response. It knows no port, no process and no environment. */

import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { Problem } from './errors.js';
import { profileRoutes } from './routes/profiles.js';
import { sessionRoutes } from './routes/sessions.js';
import { turnRoutes } from './routes/turns.js';

/**
 * @typedef {object} Parts
 * @property {import('./ports.js').WorkingSet} working
 * @property {import('./profiles.js').Profiles} profiles
 * @property {import('./sessions.js').Sessions} sessions
 * @property {import('./metrics.js').Metrics} metrics
 * @property {() => string | Promise<string>} exposition the metrics as text
 * @property {import('pino').Logger} log
 * @property {{ limit_bytes: number, timeout_ms: number }} bounds of a body
 * @property {() => string | undefined} readiness what stands in the way of requests
 * @property {() => number} now the clock, in ms
 */

/** @param {Parts} parts */
export function createApp(parts) {
  const { metrics, log, readiness, exposition } = parts;
  return createHandler({
    routes: [
      ...turnRoutes(parts),
      ...profileRoutes(parts),
      ...sessionRoutes(parts),
      ...healthRoutes({ Problem, readiness, exposition }),
    ],
    Problem,
    metrics,
    log,
  });
}
