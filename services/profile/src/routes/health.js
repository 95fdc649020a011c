// @ts-check
/** For the platform: is the process alive, may it be sent requests, what does it count. */

import { Problem } from '../errors.js';

/** @import { Route } from '../http/router.js' */

const text = ['content-type', 'text/plain; charset=utf-8'];

/**
 * @param {import('../app.js').Parts} parts
 * @returns {Route[]}
 */
export function healthRoutes({ readiness, exposition }) {
  return [
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
    {
      pattern: '/metrics',
      methods: {
        GET: async () => ({
          status: 200,
          headers: ['content-type', 'text/plain; version=0.0.4; charset=utf-8'],
          body: await exposition(),
        }),
      },
    },
  ];
}
