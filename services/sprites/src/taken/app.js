// @ts-check
/** The port for short requests, which every worker takes: sprites come in here, and the page and the way to it are here. */

import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { Problem } from '../errors.js';
import { refusalOf } from './doorway.js';
import { pageRoutes } from './page.js';
import { throwRoutes } from './throws.js';

/**
 * @typedef {object} Parts
 * @property {import('../clients/clients.js').Clients} clients
 * @property {import('../guard/guard.js').Guard} guard
 * @property {import('../metrics.js').Metrics} metrics
 * @property {import('pino').Logger} log
 * @property {import('@plimsoll/service-common/body.js').Bounds} bounds
 * @property {boolean} strangers whether those without a ticket may throw, to anyone
 * @property {() => string | undefined} readiness what stands in the way of requests
 */

/** @param {Parts} parts */
export function createApp(parts) {
  const { guard, metrics, log, readiness } = parts;
  return createHandler({
    routes: [...throwRoutes(parts), ...pageRoutes(), ...healthRoutes({ Problem, readiness })],
    Problem,
    metrics,
    log,
    inspect({ socket, headers }) {
      const refusal = refusalOf(socket);
      if (refusal !== undefined) throw refusal;
      guard.checkOrigin(headers.origin);
    },
  });
}
