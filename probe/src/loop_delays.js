// @ts-check
// For how long the event loop keeps a timer waiting that is due every 10 ms, as perf_hooks.monitorEventLoopDelay has it; each delay is
// told, because its histogram says no counts that could be added up.

import { quietly, state } from './state.js';
import { thread_ms } from './table.js';

const EVERY_MS = 10;
/** Delays are told together this often. */
const TELL_MS = 200;

export function tellLoopDelays() {
  let last_ms = thread_ms();
  let told_ms = last_ms;
  /** @type {number[]} */
  let delays_us = [];
  const timer = setInterval(() => {
    const now = thread_ms();
    delays_us.push(Math.round(Math.max(now - last_ms - EVERY_MS, 0) * 1e3));
    last_ms = now;
    if (now - told_ms < TELL_MS) return;
    told_ms = now;
    const told = delays_us;
    delays_us = [];
    quietly(() => state.tell({ type: 'loop_delays', delays_us: told }));
  }, EVERY_MS);
  timer.unref();
  state.undo.push(() => clearInterval(timer));
}
