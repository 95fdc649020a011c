// @ts-check
/** What a worker counts. */

import { PerformanceObserver } from 'node:perf_hooks';
import { createHistogram, createRequestCounter, renderMetrics } from '@plimsoll/service-common/metrics.js';

/** @import { Gauges } from '@plimsoll/service-common/metrics.js' */

const PAUSE_BOUNDS_S = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

/** @param {Gauges} gauges */
export function createMetrics(gauges) {
  const requests = createRequestCounter('sprites');
  const pauses = createHistogram('sprites_gc_pause_seconds', 'Pauses of garbage collection.', PAUSE_BOUNDS_S);
  let longest_ms = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      pauses.add(duration);
      longest_ms = Math.max(longest_ms, duration);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  /** @type {Gauges} */
  const all = {
    ...gauges,
    sprites_gc_pause_longest_seconds: { help: 'The longest of these pauses.', value: () => longest_ms / 1e3 },
    process_heap_used_bytes: { help: 'Used heap.', value: () => process.memoryUsage().heapUsed },
    process_external_bytes: {
      help: 'Memory of V8 outside its heap.',
      value: () => process.memoryUsage().external,
    },
  };
  return {
    request: requests.add,
    toText: () => renderMetrics([requests, pauses], all),
    longestPause_ms: () => longest_ms,
    close: () => observer.disconnect(),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
