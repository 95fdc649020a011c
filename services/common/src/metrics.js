// @ts-check
/** Counters and histograms, in the text format of Prometheus (version 0.0.4). Counting is an addition, no more. */

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * @typedef {Record<string, { help: string, value: () => number }>} Gauges read when the metrics are asked for; a name
 *   that ends in _total is a counter
 * @typedef {{ lines: () => string[] }} Family
 */

/** Requests answered, by route and status. @param {string} service */
export function createRequestCounter(service) {
  const name = `${service}_requests_total`;
  /** @type {Map<string, Map<number, number>>} pattern → status → requests */
  const requests = new Map();
  return {
    /** @param {string} pattern of the route, never the path: its values must stay few @param {number} status */
    add(pattern, status) {
      let statuses = requests.get(pattern);
      if (statuses === undefined) {
        statuses = new Map();
        requests.set(pattern, statuses);
      }
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    lines: () => [
      ...head(name, 'counter', 'Requests answered.'),
      ...[...requests].flatMap(([pattern, statuses]) =>
        [...statuses].map(([status, count]) => `${name}{route="${pattern}",status="${status}"} ${count}`),
      ),
    ],
  };
}

/**
 * @param {string} name
 * @param {string} help
 * @param {string[]} [known] labels that are told from the start, with 0
 */
export function createCounter(name, help, known = []) {
  const counts = new Map(known.map((labels) => [labels, 0]));
  return {
    /** @param {string} labels such as `path="warm"`; their values must stay few @param {number} [by] */
    add(labels, by = 1) {
      counts.set(labels, (counts.get(labels) ?? 0) + by);
    },
    lines: () => [
      ...head(name, 'counter', help),
      ...[...counts].map(([labels, count]) => `${name}{${labels}} ${count}`),
    ],
  };
}

/**
 * @param {string} name
 * @param {string} help
 * @param {number[]} bounds_s upper ends of the buckets, in seconds
 */
export function createHistogram(name, help, bounds_s) {
  const buckets = bounds_s.map(() => 0);
  let sum_s = 0;
  let count = 0;
  return {
    /** @param {number} time_ms */
    add(time_ms) {
      const time_s = time_ms / 1e3;
      sum_s += time_s;
      count += 1;
      const bucket = bounds_s.findIndex((bound) => time_s <= bound);
      if (bucket !== -1) buckets[bucket] += 1;
    },
    lines() {
      let below = 0;
      return [
        ...head(name, 'histogram', help),
        ...bounds_s.map((bound, index) => {
          below += buckets[index];
          return `${name}_bucket{le="${bound}"} ${below}`;
        }),
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${sum_s}`,
        `${name}_count ${count}`,
      ];
    },
  };
}

/**
 * All that a process tells: what it counted, single values, and what every process has.
 * @param {Family[]} families
 * @param {Gauges} [gauges]
 */
export function renderMetrics(families, gauges = {}) {
  const { user, system } = process.cpuUsage();
  /** @type {Gauges} */
  const all = {
    ...gauges,
    process_cpu_seconds_total: { help: 'CPU time of the process.', value: () => (user + system) / 1e6 },
    process_resident_memory_bytes: { help: 'Resident memory.', value: () => process.memoryUsage.rss() },
  };
  const single = Object.entries(all).flatMap(([name, { help, value }]) => [
    ...head(name, name.endsWith('_total') ? 'counter' : 'gauge', help),
    `${name} ${value()}`,
  ]);
  return `${[...families.flatMap((family) => family.lines()), ...single].join('\n')}\n`;
}

/** @param {string} name @param {'counter' | 'gauge' | 'histogram'} type @param {string} help */
function head(name, type, help) {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
