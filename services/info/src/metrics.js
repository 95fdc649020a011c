// @ts-check
/** What the service counts. */

import { createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';

export function createMetrics() {
  const requests = createRequestCounter('info');
  return {
    request: requests.add,
    toText: () => renderMetrics([requests]),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
