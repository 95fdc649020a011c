// @ts-check
// Puts the figures of the table into a message.

import fs from 'node:fs';
import {
  AT,
  counterAt,
  DELAY_BOUNDS_MS,
  DELAYS,
  integralAt,
  KEPT,
  now_ms,
  ORIGINS_MAX,
  originAt,
  POOL,
  POOLS_MAX,
  placesOf,
  poolAt,
  SITES_MAX,
  siteAt,
  TALLY,
  TRACED,
  tracedAt,
  UPSTREAM,
} from './table.js';
import { taskTime_ns, watchStarted } from './threads.js';

/** How often the threadpool is asked for something trivial. */
const CANARY_MS = 250;
/** Where `cutime` stands in /proc/self/stat after the name, and what it counts in (proc(5)). */
const CHILDREN_AT = 13;
const TICK_NS = 1e7;
const ORIGIN_AT = placesOf(UPSTREAM);

/**
 * @typedef {object} Source
 * @property {Float64Array} table
 * @property {{ name: string, kind: string }[]} counters
 * @property {number} armed_ms
 * @property {number} pid
 * @property {number} thread_id
 * @property {Int32Array} started threads that the service started
 */

/** @param {Source} source */
export function createReport({ table, counters, armed_ms, pid, thread_id, started }) {
  const started_ns = watchStarted(started);
  /** @type {{ origin: string, client: string }[]} */
  const origins = [];
  /** @type {{ name: string, size: number }[]} */
  const pools = [];
  const pool = { canaries: 0, wait_ns: 0, longest_wait_ns: 0, asked_ms: 0 };

  /** @param {number} at */
  const value = (at) => table[at] ?? 0;
  /** @param {import('./table.js').Single} name */
  const whole = (name) => Math.round(value(AT[name]));

  /** @param {number} at */
  function tally(at) {
    return Object.fromEntries(TALLY.map((name, index) => [name, Math.round(value(at + index))]));
  }

  /**
   * What is listed with a count and its time integral, up to now.
   * @template {string} Name
   * @param {number} most @param {(index: number) => number} placeAt @param {readonly Name[]} names
   * @param {Name} many @param {Name} ns @param {(index: number) => object} known what is said of each besides
   */
  function listed(most, placeAt, names, many, ns, known) {
    const places = placesOf(/** @type {readonly string[]} */ (names));
    const of = { many: places[many] ?? 0, ns: places[ns] ?? 0, changed_ms: places.changed_ms ?? 0 };
    const found = [];
    for (let index = 0; index < most; index += 1) {
      const at = placeAt(index);
      if (value(at) === 0) continue;
      const { changed_ms: _, ...figures } = Object.fromEntries(
        names.map((name, field) => [name, value(at + field)]),
      );
      const integral_ns = Math.round(integralAt(table, at, of, now_ms()));
      found.push({ ...known(index), ...figures, [ns]: integral_ns });
    }
    return found;
  }

  function upstream() {
    const found = listed(ORIGINS_MAX, originAt, UPSTREAM, 'active', 'active_ns', (index) => {
      const { origin = '', client = '' } = origins[index] ?? {};
      return { origin, client };
    });
    for (let index = 0; index < ORIGINS_MAX; index += 1) {
      const at = originAt(index);
      table[at + ORIGIN_AT.active_peak] = value(at + ORIGIN_AT.active);
    }
    return found;
  }

  /** Of connections. */
  function connectionPools() {
    return listed(POOLS_MAX, poolAt, POOL, 'waiting', 'waiting_ns', (index) => {
      const { name = '', size = 0 } = pools[index] ?? {};
      return { name, size };
    });
  }

  /** @param {'minor' | 'major' | 'incremental' | 'weak'} kind */
  function collections(kind) {
    return { count: whole(`${kind}_count`), ns: whole(`${kind}_ns`) };
  }

  function sites() {
    const found = [];
    for (let id = 0; id < SITES_MAX; id += 1) {
      const at = siteAt(id);
      if (value(at) === 0) continue;
      const kept = value(at + KEPT);
      table[at + KEPT] = 0;
      found.push({ id, ...tally(at), ...(kept > 0 ? { kept } : {}) });
    }
    return found;
  }

  function traced() {
    const found = [];
    for (let id = 0; id < SITES_MAX; id += 1) {
      const at = tracedAt(id);
      if (value(at) === 0) continue;
      found.push({ id, ...Object.fromEntries(TRACED.map((name, field) => [name, value(at + field)])) });
    }
    return {
      requests: whole('traced'),
      cut: whole('traced_cut'),
      kinds: whole('traced_kinds'),
      ns: whole('traced_ns'),
      calls: whole('traced_calls'),
      waited_ns: whole('traced_waited_ns'),
      repeated: whole('traced_repeated'),
      repeated_ns: whole('traced_repeated_ns'),
      shared: whole('traced_shared'),
      shared_ns: whole('traced_shared_ns'),
      connections: whole('traced_connections'),
      connecting_ns: whole('traced_connecting_ns'),
      series: whole('traced_series'),
      series_ns: whole('traced_series_ns'),
      sites: found,
    };
  }

  function message() {
    const now = now_ms();
    const low_bytes = whole('low_bytes') || null;
    table[AT.low_bytes] = 0;
    const connections_peak = whole('connections_peak');
    table[AT.connections_peak] = value(AT.connections_open);
    return {
      type: 'counters',
      unix_ms: performance.timeOrigin + performance.now(),
      since_ms: now - armed_ms,
      counters: counters
        .map(({ name, kind }, index) => ({ name, kind, at: counterAt(index) }))
        .filter(({ at }) => value(at) > 0)
        .map(({ name, kind, at }) => ({ name, kind, ...tally(at) })),
      sites: sites(),
      requests: {
        started: whole('requests_started'),
        followed: whole('followed'),
        followed_ns: whole('followed_ns'),
        connections: whole('connections'),
        connections_peak,
        handshakes_full: whole('handshakes_full'),
        handshakes_resumed: whole('handshakes_resumed'),
        messages: whole('messages'),
        messages_sent: whole('messages_sent'),
        messages_compressed: whole('messages_compressed'),
      },
      responses: {
        sampled: whole('looked_sampled'),
        get: whole('looked_get'),
        body_bytes: whole('looked_body_bytes'),
        compressible: whole('looked_compressible'),
        compressible_bytes: whole('looked_compressible_bytes'),
        accepts_encoding: whole('looked_accepts_encoding'),
        compressed: whole('looked_compressed'),
        etag: whole('looked_etag'),
        conditional: whole('looked_conditional'),
        not_modified: whole('looked_not_modified'),
        connection_close: whole('looked_connection_close'),
      },
      upstream: upstream(),
      pools: connectionPools(),
      traced: traced(),
      loop: {
        beats: whole('beats'),
        active_ns: whole('loop_active_ns'),
        idle_ns: whole('loop_idle_ns'),
        delay_ns: whole('delay_ns'),
        longest_delay_ns: whole('longest_delay_ns'),
        beat_age_ns: Math.round(Math.max(now - value(AT.beat_ms), 0) * 1e6),
        delays: [...DELAY_BOUNDS_MS.map((bound) => bound * 1e6), null]
          .map((bound_ns, index) => [bound_ns, value(DELAYS + index)])
          .filter(([, count]) => count !== 0),
      },
      gc: {
        minor: collections('minor'),
        major: collections('major'),
        incremental: collections('incremental'),
        weak: collections('weak'),
      },
      memory: {
        rss_bytes: process.memoryUsage.rss(),
        heap_used_bytes: whole('heap_used_bytes'),
        heap_total_bytes: whole('heap_total_bytes'),
        external_bytes: whole('external_bytes'),
        array_buffers_bytes: whole('array_buffers_bytes'),
        low_bytes,
        after_major_bytes: whole('after_major_bytes') || null,
        after_major_count: whole('after_major_count'),
      },
      pool: {
        canaries: pool.canaries,
        wait_ns: Math.round(pool.wait_ns),
        longest_wait_ns: Math.round(pool.longest_wait_ns),
        pending_ns: pool.asked_ms === 0 ? 0 : Math.round((performance.now() - pool.asked_ms) * 1e6),
      },
      cpu: cpu(pid, thread_id, started_ns()),
    };
  }

  /** Asks one thing at a time, so that a pool that is full is not made fuller. */
  function watchPool() {
    setInterval(() => {
      if (pool.asked_ms !== 0) return;
      pool.asked_ms = performance.now();
      fs.access('/', () => {
        const wait_ns = (performance.now() - pool.asked_ms) * 1e6;
        pool.asked_ms = 0;
        pool.canaries += 1;
        pool.wait_ns += wait_ns;
        pool.longest_wait_ns = Math.max(pool.longest_wait_ns, wait_ns);
      });
    }, CANARY_MS);
  }

  return { message, origins, pools, watchPool };
}

/** @param {number} pid @param {number} thread_id @param {number} started_ns */
function cpu(pid, thread_id, started_ns) {
  const { user, system } = process.cpuUsage();
  return {
    process_ns: (user + system) * 1000,
    children_ns: childrenTime_ns(),
    // The first thread of a process has its number.
    thread_ns: thread_id === 0 ? taskTime_ns(`/proc/self/task/${pid}/schedstat`) : null,
    started_ns,
    probe_thread_ns: taskTime_ns('/proc/thread-self/schedstat'),
  };
}

/** CPU time of the processes that were started and have ended; null where it is not told. */
function childrenTime_ns() {
  try {
    // The name of the program is in brackets, and may have blanks and brackets.
    const text = fs.readFileSync('/proc/self/stat', 'latin1');
    const figures = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(figures[CHILDREN_AT]) + Number(figures[CHILDREN_AT + 1]);
    return Number.isFinite(ticks) ? ticks * TICK_NS : null;
  } catch {
    return null;
  }
}
