// @ts-check
// The figures that the service's thread writes and the probe's thread reads: doubles in shared memory. Both write
// aligned doubles in one piece on every machine that Node.js runs on, and each figure has one writer. Only `low_bytes`, `kept`
// and the figures called `peak` are put back by their reader.

import { performance } from 'node:perf_hooks';

/**
 * Where each of some figures stands, from the first of them.
 * @template {string} Name
 * @param {readonly Name[]} names
 */
export function placesOf(names) {
  return /** @type {Record<Name, number>} */ (Object.fromEntries(names.map((name, index) => [name, index])));
}

/** Figures that exist once. */
const SINGLE = /** @type {const} */ ([
  'requests_started',
  'followed',
  'followed_ns',
  'connections',
  'connections_open',
  'connections_peak',
  'handshakes_full',
  'handshakes_resumed',
  'messages',
  'messages_sent',
  'messages_compressed',
  'looked_sampled',
  'looked_get',
  'looked_body_bytes',
  'looked_compressible',
  'looked_compressible_bytes',
  'looked_accepts_encoding',
  'looked_compressed',
  'looked_etag',
  'looked_conditional',
  'looked_not_modified',
  'looked_connection_close',
  'beats',
  'beat_ms',
  'delay_ns',
  'longest_delay_ns',
  'loop_active_ns',
  'loop_idle_ns',
  'minor_count',
  'minor_ns',
  'major_count',
  'major_ns',
  'incremental_count',
  'incremental_ns',
  'weak_count',
  'weak_ns',
  'heap_used_bytes',
  'heap_total_bytes',
  'external_bytes',
  'array_buffers_bytes',
  'low_bytes',
  'after_major_bytes',
  'after_major_count',
  'traced',
  'traced_cut',
  'traced_kinds',
  'traced_ns',
  'traced_calls',
  'traced_waited_ns',
  'traced_repeated',
  'traced_repeated_ns',
  'traced_shared',
  'traced_shared_ns',
  'traced_connections',
  'traced_connecting_ns',
  'traced_series',
  'traced_series_ns',
]);

/** @typedef {typeof SINGLE[number]} Single */

/** Where a single figure stands. */
export const AT = placesOf(SINGLE);

/** Upper bounds of the delays of the loop; longer ones go into one more. */
export const DELAY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Figures of a counter and of a site, in this order. */
export const TALLY = /** @type {const} */ (['calls', 'ns', 'bytes', 'watched', 'seen_again']);
export const [CALLS, NS, BYTES, WATCHED, SEEN_AGAIN] = TALLY.keys();

/** A site has one more: the least that it added to since the last message, for what is kept. */
export const KEPT = TALLY.length;
const SITE = TALLY.length + 1;

/** Figures of an upstream origin, in this order; `changed_ms` stays inside. */
export const UPSTREAM = /** @type {const} */ ([
  'requests',
  'answered',
  'failed',
  'active',
  'active_peak',
  'active_ns',
  'connections',
  'repeated',
  'changed_ms',
]);

/** Figures of a pool of connections, in this order; `changed_ms` stays inside. */
export const POOL = /** @type {const} */ (['asked', 'waiting', 'waiting_ns', 'changed_ms']);

/** Figures of the calls of traced requests from a site, in this order. */
export const TRACED = /** @type {const} */ (['calls', 'repeated', 'shared', 'connections', 'series']);

export const COUNTERS_MAX = 400;
export const SITES_MAX = 1024;
export const ORIGINS_MAX = 64;
export const POOLS_MAX = 32;

export const DELAYS = SINGLE.length;
const COUNTERS = DELAYS + DELAY_BOUNDS_MS.length + 1;
const SITES = COUNTERS + COUNTERS_MAX * TALLY.length;
const ORIGINS = SITES + SITES_MAX * SITE;
const TRACED_SITES = ORIGINS + ORIGINS_MAX * UPSTREAM.length;
const POOLS = TRACED_SITES + SITES_MAX * TRACED.length;
const LENGTH = POOLS + POOLS_MAX * POOL.length;

/** @param {number} index */
export const counterAt = (index) => COUNTERS + index * TALLY.length;
/** @param {number} id */
export const siteAt = (id) => SITES + id * SITE;
/** @param {number} index */
export const originAt = (index) => ORIGINS + index * UPSTREAM.length;

/** @param {number} index */
export const poolAt = (index) => POOLS + index * POOL.length;

/** @param {number} id */
export const tracedAt = (id) => TRACED_SITES + id * TRACED.length;

export function createTable() {
  return new Float64Array(new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT));
}

/**
 * Milliseconds since the start of the thread. Bound once: each call of the service passes here, and as a global
 * `performance` is a getter that the service may have replaced.
 */
export const thread_ms = performance.now.bind(performance);

/** `performance.now` counts from the start of its thread, `hrtime` from one moment for all. */
const [SECONDS, REST_NS] = process.hrtime();
const OFFSET_MS = SECONDS * 1e3 + REST_NS / 1e6 - thread_ms();

/** Milliseconds on a clock that all threads share. */
export const now_ms = () => thread_ms() + OFFSET_MS;

/** @typedef {{ many: number, ns: number, changed_ms: number }} Integral where a count, its time integral and the time of its last change stand */

/** So many more or less from now on. @param {Float64Array} table @param {number} at @param {Integral} of @param {number} change */
export function manyBecome(table, at, of, change) {
  const now = now_ms();
  table[at + of.ns] = integralAt(table, at, of, now);
  table[at + of.changed_ms] = now;
  table[at + of.many] = Math.max((table[at + of.many] ?? 0) + change, 0);
}

/** The integral, with what has passed since the last change, ns. @param {Float64Array} table @param {number} at @param {Integral} of @param {number} now */
export function integralAt(table, at, of, now) {
  const [many = 0, ns = 0, changed_ms = 0] = [
    table[at + of.many],
    table[at + of.ns],
    table[at + of.changed_ms],
  ];
  return many > 0 ? ns + many * Math.max(now - changed_ms, 0) * 1e6 : ns;
}
