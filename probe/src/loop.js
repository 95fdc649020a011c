// @ts-check
// The event loop, the collector and the heap, seen from the service's thread.

import { constants, PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { adaptLate } from './sampling.js';
import { quietly, state } from './state.js';
import { AT, DELAY_BOUNDS_MS, DELAYS, now_ms, thread_ms } from './table.js';

/** A beat takes some 30 µs, most of it for waking up what has been cold. */
const BEAT_MS = 100;
/** Beats between two looks at memory. */
const MEMORY_BEATS = 10;
/** The heap is looked at after a minor collection at most this often. */
const LOW_MS = 100;

export function watchLoop() {
  beats();
  collections();
}

function beats() {
  const { table } = state;
  let last_ms = thread_ms();
  table[AT.beat_ms] = now_ms();
  lookAtMemory();
  const timer = setInterval(() => {
    const now = thread_ms();
    const delay_ms = Math.max(now - last_ms - BEAT_MS, 0);
    last_ms = now;
    table[AT.beat_ms] = now_ms();
    table[AT.beats] += 1;
    table[AT.delay_ns] += delay_ms * 1e6;
    table[AT.longest_delay_ns] = Math.max(table[AT.longest_delay_ns] ?? 0, delay_ms * 1e6);
    let bucket = 0;
    while (bucket < DELAY_BOUNDS_MS.length && delay_ms > (DELAY_BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    table[DELAYS + bucket] += 1;
    const { active, idle } = performance.eventLoopUtilization();
    table[AT.loop_active_ns] = active * 1e6;
    table[AT.loop_idle_ns] = idle * 1e6;
    if ((table[AT.beats] ?? 0) % MEMORY_BEATS === 0) lookAtMemory();
    adaptLate();
  }, BEAT_MS);
  timer.unref();
  state.undo.push(() => clearInterval(timer));
}

function lookAtMemory() {
  quietly(() => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    state.table[AT.heap_used_bytes] = heapUsed;
    state.table[AT.heap_total_bytes] = heapTotal;
    state.table[AT.external_bytes] = external;
    state.table[AT.array_buffers_bytes] = arrayBuffers;
  });
}

/** Where the pauses of each kind are added up. */
const KINDS = /** @type {Map<number, 'minor' | 'major' | 'incremental' | 'weak'>} */ (
  new Map([
    [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
    [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
    [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
    [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
  ])
);

/** @typedef {{ detail: { kind: number, flags: number } }} Collection */

function collections() {
  const { table } = state;
  let looked_ms = 0;
  const observer = new PerformanceObserver((list) => {
    let major = 0;
    for (const entry of list.getEntries()) {
      const { kind, flags } = /** @type {Collection} */ (/** @type {unknown} */ (entry)).detail;
      const name = KINDS.get(kind);
      if (name === undefined) continue;
      if (name === 'major') major += 1;
      // The service has nothing to do with those that we ask for.
      if (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) continue;
      table[AT[`${name}_count`]] += 1;
      table[AT[`${name}_ns`]] += entry.duration * 1e6;
    }
    const now = thread_ms();
    if (major === 0 && now - looked_ms < LOW_MS) return;
    looked_ms = now;
    const { used_heap_size } = getHeapStatistics();
    // The other thread puts it back to none with each message.
    const low = table[AT.low_bytes] ?? 0;
    if (low === 0 || used_heap_size < low) table[AT.low_bytes] = used_heap_size;
    if (major === 0) return;
    table[AT.after_major_bytes] = used_heap_size;
    table[AT.after_major_count] += major;
  });
  observer.observe({ entryTypes: ['gc'] });
  state.undo.push(() => observer.disconnect());
}
