// @ts-check
/** What the service counts. */

import {
  createCounter,
  createHistogram,
  createRequestCounter,
  renderMetrics,
} from '@plimsoll/service-common/metrics.js';
import { STATUSES } from './snapshot.js';

/** Warm, cold, and around the usual timeouts. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 5, 10];

/** @param {import('@plimsoll/service-common/metrics.js').Gauges} gauges */
export function createMetrics(gauges) {
  const requests = createRequestCounter('snapshot');
  const pvs = createCounter(
    'snapshot_pvs_total',
    'Process variables in snapshots, by what was found.',
    'status',
    STATUSES,
  );
  const times = createHistogram('snapshot_duration_seconds', 'Time that a snapshot took.', BOUNDS_S);
  let stalled = 0;
  const all = {
    snapshot_stalled_clients_total: {
      help: 'Clients cut because they did not read events.',
      value: () => stalled,
    },
    ...gauges,
  };
  return {
    request: requests.add,

    /** @param {import('./snapshot.js').Snapshot} taken */
    snapshot({ took_ms, counts }) {
      times.add(took_ms);
      for (const status of STATUSES) pvs.add(status, counts[status]);
    },

    stalledClient() {
      stalled += 1;
    },

    toText: () => renderMetrics([requests, pvs, times], all),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
