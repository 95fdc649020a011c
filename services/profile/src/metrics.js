// @ts-check
/** Counters, in the text format of Prometheus (version 0.0.4). Counting a request is an addition, no more. */

/** @typedef {Record<string, { help: string, value: () => number }>} Gauges a name that ends in _total is a counter */

/**
 * @param {Gauges} gauges read when the metrics are asked for
 */
export function createMetrics(gauges) {
  /** @type {Map<string, Map<number, number>>} pattern → status → requests */
  const requests = new Map();
  const turns = { warm: 0, cold: 0 };

  return {
    /** @param {string} pattern of the route, never the path: its values must stay few @param {number} status */
    request(pattern, status) {
      let statuses = requests.get(pattern);
      if (statuses === undefined) {
        statuses = new Map();
        requests.set(pattern, statuses);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },

    /** @param {boolean} warm */
    turn(warm) {
      if (warm) turns.warm += 1;
      else turns.cold += 1;
    },

    /** @returns {string} */
    toText() {
      const lines = [
        '# HELP profile_requests_total Requests answered.',
        '# TYPE profile_requests_total counter',
      ];
      for (const [pattern, statuses] of requests) {
        for (const [status, count] of statuses) {
          lines.push(`profile_requests_total{route="${pattern}",status="${status}"} ${count}`);
        }
      }
      lines.push('# HELP profile_turns_total Turns taken.', '# TYPE profile_turns_total counter');
      for (const [path, count] of Object.entries(turns))
        lines.push(`profile_turns_total{path="${path}"} ${count}`);

      return `${lines.join('\n')}\n${renderGauges(gauges)}`;
    },
  };
}

/**
 * Single values, and what every process has.
 * @param {Gauges} gauges
 */
export function renderGauges(gauges) {
  const { user, system } = process.cpuUsage();
  /** @type {Gauges} */
  const all = {
    ...gauges,
    process_cpu_seconds_total: { help: 'CPU time of the process.', value: () => (user + system) / 1e6 },
    process_resident_memory_bytes: { help: 'Resident memory.', value: () => process.memoryUsage.rss() },
  };
  const lines = Object.entries(all).flatMap(([name, { help, value }]) => {
    const type = name.endsWith('_total') ? 'counter' : 'gauge';
    return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value()}`];
  });
  return `${lines.join('\n')}\n`;
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
