// @ts-check
/** Counters and histograms, in the text format of Prometheus (version 0.0.4). Counting is an addition, no more. */

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * @typedef {Record<string, { help: string, value: () => number }>} Gauges read when the metrics are asked for; a name
 *   that ends in _total is a counter
 * @typedef {{ lines: () => string[] }} Family
 */

/** In place of a value that a label is not known to have: without it, whoever chooses values could make series without end. */
export const OTHER = 'other';

/** A value as the text format has it between quotes. @param {string} value */
function escaped(value) {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

/** Requests served, by route and status. @param {string} service */
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
      ...head(name, 'counter', 'Requests served.'),
      ...[...requests].flatMap(([pattern, statuses]) =>
        [...statuses].map(
          ([status, count]) => `${name}{route="${escaped(pattern)}",status="${status}"} ${count}`,
        ),
      ),
    ],
  };
}

/**
 * One number for each value of a label, all told from the start.
 * @param {string} name
 * @param {string} help
 * @param {string} label
 * @param {readonly string[]} values all that the label may have; another counts as `OTHER`
 */
export function createCounter(name, help, label, values) {
  const counts = new Map(values.map((value) => [value, 0]));
  return {
    /** @param {string} value @param {number} [by] */
    add(value, by = 1) {
      const key = counts.has(value) ? value : OTHER;
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
    lines: () => [
      ...head(name, 'counter', help),
      ...[...counts].map(([value, count]) => `${name}{${label}="${escaped(value)}"} ${count}`),
    ],
  };
}

/**
 * One number for each pair of values of two labels, told once it was counted.
 * @param {string} name
 * @param {string} help
 * @param {[string, string]} labels
 * @param {[readonly string[], readonly string[]]} values all that each label may have; another counts as `OTHER`
 */
export function createPairCounter(name, help, [outer, inner], values) {
  const [outers, inners] = values.map((all) => new Set(all));
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  return {
    /** @param {string} first @param {string} second */
    add(first, second) {
      const row = outers.has(first) ? first : OTHER;
      const column = inners.has(second) ? second : OTHER;
      let columns = counts.get(row);
      if (columns === undefined) {
        columns = new Map();
        counts.set(row, columns);
      }
      columns.set(column, (columns.get(column) ?? 0) + 1);
    },
    lines: () => [
      ...head(name, 'counter', help),
      ...[...counts].flatMap(([first, columns]) =>
        [...columns].map(
          ([second, count]) => `${name}{${outer}="${escaped(first)}",${inner}="${escaped(second)}"} ${count}`,
        ),
      ),
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
