// @ts-check
/** What the service counts. */

import { createCounter, createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';

/** @param {import('@plimsoll/service-common/metrics.js').Gauges} gauges */
export function createMetrics(gauges) {
  const requests = createRequestCounter('profile');
  const turns = createCounter('profile_turns_total', 'Turns taken.', 'path', ['warm', 'cold']);
  return {
    request: requests.add,
    /** @param {boolean} warm */
    turn: (warm) => turns.add(warm ? 'warm' : 'cold'),
    toText: () => renderMetrics([requests, turns], gauges),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
