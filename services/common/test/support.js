// @ts-check
/** A small service on a free port. */

import { createHandler } from '../src/handler.js';
import { healthRoutes } from '../src/health.js';
import { listen } from '../src/listening.js';
import { createRequestCounter, renderMetrics } from '../src/metrics.js';
import { problemsOf } from '../src/problem.js';

/** @import { Route } from '../src/router.js' */
/** @import { Transport } from '../src/transport.js' */

export class Problem extends problemsOf('greeting', {
  too_shy: { status: 503, title: 'Nobody is greeted now' },
}) {}

/**
 * @param {import('node:test').TestContext} t
 * @param {Route[]} routes
 * @param {{ log_level?: 'info' | 'error', inspect?: (req: import('node:http').IncomingMessage) => void } &
 *   Partial<Transport>} [options]
 */
export async function start(t, routes, { log_level = 'error', inspect, http, tls } = {}) {
  /** @type {{ level: string, message: string, fields: any }[]} */
  const lines = [];
  /** @type {string | undefined} */
  let obstacle;
  const requests = createRequestCounter('greeting');
  const exposition = () => renderMetrics([requests]);
  const { handle, drain } = createHandler({
    routes: [...routes, ...healthRoutes({ Problem, readiness: () => obstacle, exposition })],
    Problem,
    metrics: { request: requests.add },
    log: {
      isLevelEnabled: (level) => level === log_level,
      info: (fields, message) => void lines.push({ level: 'info', message, fields }),
      error: (fields, message) => void lines.push({ level: 'error', message, fields }),
    },
    inspect,
  });
  const { url, close } = await listen(handle, { host: '127.0.0.1', port: 0, http, tls, Problem });
  /** @type {Promise<void> | undefined} */
  let closed;
  /** @param {number} [grace_ms] */
  function stop(grace_ms = 60_000) {
    drain();
    closed ??= close(grace_ms);
    return closed;
  }
  t.after(() => stop(0));
  return {
    url,
    lines,
    stop,
    exposition,
    /** @param {string} reason */
    refuse(reason) {
      obstacle = reason;
    },
  };
}
