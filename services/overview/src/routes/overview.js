// @ts-check
/** The page of an account. */

import { Problem } from '../errors.js';
import { Scope } from '../page/scope.js';

/** @import { Route } from '@plimsoll/service-common/router.js' */

const ACCOUNT = /^[a-z0-9-]{1,32}$/;

/**
 * @param {import('../app.js').Parts} parts
 * @returns {Route[]}
 */
export function overviewRoutes({ overview, metrics, log, most_in_flight }) {
  let in_flight = 0;
  return [
    {
      pattern: '/overview/{account}',
      methods: {
        async GET({ res, id: account }) {
          if (!ACCOUNT.test(account)) {
            throw new Problem('invalid_account', 'expected 1 to 32 of a-z, 0-9 and -');
          }
          if (in_flight >= most_in_flight) {
            throw new Problem('too_busy', `expected at most ${most_in_flight} at once`, {
              headers: ['retry-after', '1'],
            });
          }
          const scope = new Scope();
          const leave = () => scope.end('client_gone');
          res.once('close', leave);
          const started_ms = performance.now();
          in_flight += 1;
          const page = await overview(account, scope);
          in_flight -= 1;
          res.off('close', leave);
          const result =
            scope.ended === 'client_gone' ? 'abandoned' : page.complete ? 'complete' : 'degraded';
          metrics.page(
            result,
            performance.now() - started_ms,
            page.blocks.flatMap((block) => block.parts),
          );
          if (result === 'degraded') log.warn({ account, missing: page.missing }, 'page degraded');
          return { status: 200, headers: ['content-type', 'application/json'], body: JSON.stringify(page) };
        },
      },
    },
  ];
}
