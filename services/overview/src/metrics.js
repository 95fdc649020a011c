// @ts-check
/** What the service counts. */

import {
  createCounter,
  createHistogram,
  createPairCounter,
  createRequestCounter,
  renderMetrics,
} from '@plimsoll/service-common/metrics.js';

import { MISSING_REASONS } from './page/parts.js';

/** @import { Part } from './page/parts.js' */

const BOUNDS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * @param {string[]} upstreams that a page is made of
 * @param {import('@plimsoll/service-common/metrics.js').Gauges} gauges
 */
export function createMetrics(upstreams, gauges) {
  const requests = createRequestCounter('overview');
  const pages = createCounter(
    'overview_pages_total',
    'Pages put together, and those whose client left before.',
    'result',
    ['complete', 'degraded', 'abandoned'],
  );
  const parts = createPairCounter(
    'overview_parts_total',
    'Parts of pages, present or by the reason that they are not.',
    ['upstream', 'result'],
    [upstreams, ['present', ...MISSING_REASONS]],
  );
  const times = createHistogram(
    'overview_page_service_time_seconds',
    'From the request to the page.',
    BOUNDS_S,
  );
  return {
    request: requests.add,

    /** @param {'complete' | 'degraded' | 'abandoned'} result @param {number} service_time_ms @param {Part[]} all */
    page(result, service_time_ms, all) {
      pages.add(result);
      for (const part of all) {
        parts.add(part.name, part.status === 'present' ? 'present' : part.reason);
      }
      times.add(service_time_ms);
    },

    toText: () => renderMetrics([requests, pages, parts, times], gauges),
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
