// @ts-check
/** The port for whoever runs the service: what it counts, on the loopback interface alone. */

import { createHandler } from '@plimsoll/service-common/handler.js';
import { metricsRoute } from '@plimsoll/service-common/health.js';
import { listen } from '@plimsoll/service-common/listening.js';
import { Problem } from '../errors.js';
import { isLoopback } from '../guard/origins.js';

const HOST = '127.0.0.1';

/**
 * @param {number} port 0 takes a free one
 * @param {import('../metrics.js').Metrics} metrics
 * @param {import('pino').Logger} log
 */
export function listenMetrics(port, metrics, log) {
  const { handle } = createHandler({
    routes: [metricsRoute(metrics.toText)],
    Problem,
    metrics,
    log,
    inspect({ headers }) {
      // A page whose name leads to this machine would be of the same origin, and could read what is here.
      const name = (headers.host ?? '').replace(/:\d+$/, '');
      if (!isLoopback(name)) {
        throw new Problem(
          'foreign_origin',
          `found the host ${JSON.stringify(name)}, expected a loopback address`,
        );
      }
    },
  });
  return listen(handle, { host: HOST, port, exclusive: true, Problem });
}
