// @ts-check
/** For the platform: is the process alive, may it be sent requests, what does it count. */

import { METRICS_TYPE } from './metrics.js';

/** @import { AnyProblemClass } from './problem.js' */
/** @import { Route } from './router.js' */

const text = ['content-type', 'text/plain; charset=utf-8'];

/**
 * @param {object} parts
 * @param {AnyProblemClass} parts.Problem
 * @param {() => string | undefined} parts.readiness what stands in the way of requests
 * @param {() => string | Promise<string>} [parts.exposition] the metrics as text, unless they are elsewhere
 * @returns {Route[]}
 */
export function healthRoutes({ Problem, readiness, exposition }) {
  return [
    ...(exposition === undefined ? [] : [metricsRoute(exposition)]),
    {
      pattern: '/health/live',
      methods: { GET: () => ({ status: 200, headers: text, body: 'live\n' }) },
    },
    {
      pattern: '/health/ready',
      methods: {
        GET() {
          const obstacle = readiness();
          if (obstacle !== undefined) throw new Problem('not_ready', obstacle);
          return { status: 200, headers: text, body: 'ready\n' };
        },
      },
    },
  ];
}

/** @param {() => string | Promise<string>} exposition the metrics as text @returns {Route} */
export function metricsRoute(exposition) {
  return {
    pattern: '/metrics',
    methods: {
      GET: async () => ({
        status: 200,
        headers: ['content-type', METRICS_TYPE],
        body: await exposition(),
      }),
    },
  };
}
