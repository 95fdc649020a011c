// @ts-check
/**
 * A process with one of the layouts in its memory: `node --expose-gc studies/idle-gc/server.js LAYOUT PLACES CLIENTS`, started by
 * measure.js. On a message it throws sprites, or does nothing, for some time, and then says how long garbage was collected meanwhile.
 */

import { constants, monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { LAYOUTS } from './layouts.js';

/** As it was published: every client throws a sprite every 5 s. */
const EVERY_S = 5;
/** What one core throws besides; more would measure this loop and not the collections. */
const MOST_THROWS_PER_S = 20_000;
const TURN_MS = 5;
/** Of the observer: entries come a turn later. */
const SETTLE_MS = 20;
const PACKET = JSON.stringify({
  to: 'up',
  sprite: {
    name: 'boat',
    pixels: '0002000000022000000222000002222000020000dddddddd0dddddd000999900',
    at: 0.5,
    speed: 1,
  },
});

/** @typedef {{ throws: boolean, lasts_ms: number } | { collect: true }} Order */
/** @typedef {{ longest_ms: number, stopped_ms: number, major: number, delay_ms: number, lasted_ms: number, heap_bytes: number }} Seen */

const [name, ...counts] = process.argv.slice(2);
const [places, clients] = counts.map(Number);
const layout = LAYOUTS[name](places, clients);
const throws_per_s = Math.min(clients / EVERY_S, MOST_THROWS_PER_S);

/** @type {{ duration: number, kind: number }[]} */
let collections = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { duration, detail } = /** @type {PerformanceEntry & { detail: { kind: number } }} */ (entry);
    collections.push({ duration, kind: detail.kind });
  }
}).observe({ entryTypes: ['gc'] });

process.on('message', async (/** @type {Order} */ order) => {
  if ('collect' in order) {
    const began_ms = performance.now();
    global.gc?.();
    process.send?.({ full_ms: performance.now() - began_ms });
    return;
  }
  process.send?.(await watch(order));
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });

/** @param {{ throws: boolean, lasts_ms: number }} order @returns {Promise<Seen>} */
async function watch({ throws, lasts_ms }) {
  await wait(SETTLE_MS);
  collections = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began_ms = performance.now();
  if (throws) await throwFor(lasts_ms, began_ms);
  else await wait(lasts_ms);
  const lasted_ms = performance.now() - began_ms;
  await wait(SETTLE_MS);
  delay.disable();
  const durations = collections.map(({ duration }) => duration);
  return {
    longest_ms: Math.max(0, ...durations),
    stopped_ms: durations.reduce((sum, duration) => sum + duration, 0),
    major: collections.filter(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MAJOR).length,
    delay_ms: delay.max / 1e6,
    lasted_ms,
    heap_bytes: process.memoryUsage().heapUsed,
  };
}

/** What is due is thrown at each turn, also after a pause. @param {number} lasts_ms @param {number} began_ms */
async function throwFor(lasts_ms, began_ms) {
  let thrown = 0;
  for (let now_ms = began_ms; now_ms < began_ms + lasts_ms; now_ms = performance.now()) {
    const due = ((now_ms - began_ms) / 1e3) * throws_per_s;
    for (; thrown < due; thrown += 1) throwOne();
    await wait(TURN_MS);
  }
}

let number = 0;

function throwOne() {
  number += 1;
  const from = Math.floor(Math.random() * clients);
  const { sprite } = JSON.parse(PACKET);
  const neighbour = layout.neighbour(from, number);
  const to = neighbour === -1 ? Math.floor(Math.random() * clients) : neighbour;
  layout.keep(to, JSON.stringify({ next: number, sprites: [sprite] }));
  layout.renew(to);
}
