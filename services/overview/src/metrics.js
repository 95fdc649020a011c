// @ts-check
/** Counters, in the text format of Prometheus (version 0.0.4). Counting is an addition, no more. */

/** @import { Part } from './page/parts.js' */

/** Upper ends of the buckets, in seconds. */
const BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/**
 * @param {Record<string, { help: string, value: () => number }>} gauges read when the metrics are asked for
 */
export function createMetrics(gauges) {
  const requests = createCounter('overview_requests_total', 'Requests answered.');
  const pages = createCounter(
    'overview_pages_total',
    'Pages put together, and those whose client left before.',
  );
  const parts = createCounter(
    'overview_parts_total',
    'Parts of pages, present or by the reason that they are not.',
  );
  const buckets = BUCKETS_S.map(() => 0);
  let seconds = 0;
  let count = 0;

  return {
    /** @param {string} route its pattern, never the path: values must stay few @param {number} status */
    request(route, status) {
      requests.add(`route="${route}",status="${status}"`);
    },

    /** @param {'complete' | 'degraded' | 'abandoned'} result @param {number} service_time_ms @param {Part[]} all */
    page(result, service_time_ms, all) {
      pages.add(`result="${result}"`);
      for (const part of all) {
        parts.add(`upstream="${part.name}",result="${part.status === 'present' ? 'present' : part.reason}"`);
      }
      const service_time_s = service_time_ms / 1000;
      seconds += service_time_s;
      count += 1;
      const bucket = BUCKETS_S.findIndex((most) => service_time_s <= most);
      if (bucket !== -1) buckets[bucket] += 1;
    },

    /** @returns {string} */
    toText() {
      const { user, system } = process.cpuUsage();
      const all = {
        ...gauges,
        process_cpu_seconds_total: { help: 'CPU time of the process.', value: () => (user + system) / 1e6 },
        process_resident_memory_bytes: { help: 'Resident memory.', value: () => process.memoryUsage.rss() },
      };
      const lines = [...requests.lines(), ...pages.lines(), ...parts.lines(), ...histogram()];
      for (const [name, { help, value }] of Object.entries(all)) {
        const type = name.endsWith('_total') ? 'counter' : 'gauge';
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value()}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };

  function histogram() {
    const name = 'overview_page_service_time_seconds';
    let below = 0;
    return [
      `# HELP ${name} From the request to the page.`,
      `# TYPE ${name} histogram`,
      ...BUCKETS_S.map((most, index) => {
        below += buckets[index];
        return `${name}_bucket{le="${most}"} ${below}`;
      }),
      `${name}_bucket{le="+Inf"} ${count}`,
      `${name}_sum ${seconds}`,
      `${name}_count ${count}`,
    ];
  }
}

/** @param {string} name @param {string} help */
function createCounter(name, help) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return {
    /** @param {string} labels */
    add(labels) {
      counts.set(labels, (counts.get(labels) ?? 0) + 1);
    },
    lines: () => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} counter`,
      ...[...counts].map(([labels, value]) => `${name}{${labels}} ${value}`),
    ],
  };
}

/** @typedef {ReturnType<typeof createMetrics>} Metrics */
