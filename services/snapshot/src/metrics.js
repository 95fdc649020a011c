// @ts-check
/** Counters and a histogram, in the text format of Prometheus (version 0.0.4). */

import { STATUSES } from './snapshot.js';

/** Upper bounds in seconds: warm, cold, and around the usual timeouts. */
const BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 1.5, 2, 5, 10];

/** @param {Record<string, { help: string, value: () => number }>} gauges read when the metrics are asked for */
export function createMetrics(gauges) {
  /** @type {Map<string, Map<number, number>>} route → status → requests */
  const requests = new Map();
  const pvs = new Map(STATUSES.map((status) => [status, 0]));
  const buckets = BOUNDS_S.map(() => 0);
  let snapshots = 0;
  let sum_s = 0;
  let stalled = 0;

  return {
    /** @param {string} route never the path: its values must stay few @param {number} status */
    request(route, status) {
      const statuses = requests.get(route) ?? new Map();
      requests.set(route, statuses);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },

    /** @param {import('./snapshot.js').Snapshot} taken */
    snapshot({ took_ms, counts }) {
      snapshots += 1;
      sum_s += took_ms / 1e3;
      const bucket = BOUNDS_S.findIndex((bound) => took_ms / 1e3 <= bound);
      if (bucket !== -1) buckets[bucket] += 1;
      for (const status of STATUSES) pvs.set(status, (pvs.get(status) ?? 0) + counts[status]);
    },

    stalledClient() {
      stalled += 1;
    },

    /** @returns {string} */
    toText() {
      const { user, system } = process.cpuUsage();
      const lines = [
        ...head('snapshot_requests_total', 'counter', 'Requests answered.'),
        ...[...requests].flatMap(([route, statuses]) =>
          [...statuses].map(
            ([status, count]) => `snapshot_requests_total{route="${route}",status="${status}"} ${count}`,
          ),
        ),
        ...head('snapshot_pvs_total', 'counter', 'Process variables in snapshots, by what was found.'),
        ...[...pvs].map(([status, count]) => `snapshot_pvs_total{status="${status}"} ${count}`),
        ...head('snapshot_duration_seconds', 'histogram', 'Time that a snapshot took.'),
        ...BOUNDS_S.map((bound, index) => {
          const count = buckets.slice(0, index + 1).reduce((sum, one) => sum + one, 0);
          return `snapshot_duration_seconds_bucket{le="${bound}"} ${count}`;
        }),
        `snapshot_duration_seconds_bucket{le="+Inf"} ${snapshots}`,
        `snapshot_duration_seconds_sum ${sum_s}`,
        `snapshot_duration_seconds_count ${snapshots}`,
        ...head('snapshot_stalled_clients_total', 'counter', 'Clients cut because they did not read events.'),
        `snapshot_stalled_clients_total ${stalled}`,
        ...head('process_cpu_seconds_total', 'counter', 'CPU time of the process.'),
        `process_cpu_seconds_total ${(user + system) / 1e6}`,
        ...head('process_resident_memory_bytes', 'gauge', 'Resident memory.'),
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        ...Object.entries(gauges).flatMap(([name, { help, value }]) => [
          ...head(name, 'gauge', help),
          `${name} ${value()}`,
        ]),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */

/** @param {string} name @param {'counter' | 'gauge' | 'histogram'} type @param {string} help */
function head(name, type, help) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
