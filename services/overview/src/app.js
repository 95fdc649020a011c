// @ts-check
/** The application: a function from a request to a response. It knows no port, no process and no environment. */

import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { Problem } from './errors.js';
import { overviewRoutes } from './routes/overview.js';

/**
 * @typedef {object} Parts
 * @property {ReturnType<typeof import('./page/overview.js').createOverview>} overview
 * @property {number} most_in_flight pages at once
 * @property {import('./metrics.js').Metrics} metrics
 * @property {import('pino').Logger} log
 * @property {() => string | undefined} readiness what stands in the way of requests
 */

/** @param {Parts} parts */
export function createApp(parts) {
  const { metrics, log, readiness } = parts;
  return createHandler({
    routes: [...overviewRoutes(parts), ...healthRoutes({ Problem, readiness, exposition: metrics.toText })],
    Problem,
    metrics,
    log,
    inspect: refuseBody,
  });
}

/** A body is not waited for, however slowly it comes: the connection is closed after the response. @param {import('node:http').IncomingMessage} req */
function refuseBody({ headers }) {
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return;
  throw new Problem('unexpected_body', undefined, { headers: ['connection', 'close'] });
}
