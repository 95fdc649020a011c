// @ts-check
/** Counters, in the text format of Prometheus (version 0.0.4). Counting a request is an addition, no more. */

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export function createMetrics() {
  /** @type {Map<string, Map<number, number>>} route → status → requests */
  const requests = new Map();

  return {
    /** @param {string} route never the path: its values must stay few @param {number} status */
    request(route, status) {
      const statuses = requests.get(route) ?? new Map();
      requests.set(route, statuses);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },

    /** @returns {string} */
    toText() {
      const { user, system } = process.cpuUsage();
      const lines = ['# HELP info_requests_total Requests answered.', '# TYPE info_requests_total counter'];
      for (const [route, statuses] of requests) {
        for (const [status, count] of statuses) {
          lines.push(`info_requests_total{route="${route}",status="${status}"} ${count}`);
        }
      }
      lines.push(
        '# HELP process_cpu_seconds_total CPU time of the process.',
        '# TYPE process_cpu_seconds_total counter',
        `process_cpu_seconds_total ${(user + system) / 1e6}`,
        '# HELP process_resident_memory_bytes Resident memory.',
        '# TYPE process_resident_memory_bytes gauge',
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      );
      return `${lines.join('\n')}\n`;
    },
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
