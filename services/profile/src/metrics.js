// @ts-check
/** What the service counts. */

import { createCounter, createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';

const WARM = 'path="warm"';
const COLD = 'path="cold"';

/** @param {import('@plimsoll/service-common/metrics.js').Gauges} gauges */
export function createMetrics(gauges) {
  const requests = createRequestCounter('profile');
  const turns = createCounter('profile_turns_total', 'Turns taken.', [WARM, COLD]);
  return {
    request: requests.add,
    /** @param {boolean} warm */
    turn: (warm) => turns.add(warm ? WARM : COLD),
    toText: () => renderMetrics([requests, turns], gauges),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
