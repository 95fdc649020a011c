// @ts-check
/** What a fleet does, as a line every few seconds: sums of what its processes say. */

/** @import { Fleet } from './fleet.js' */

const MEBI = 1024 * 1024;

/** @param {Fleet} fleet @param {number} every_s 0: never @param {(text: string) => void} say */
export function createWatch(fleet, every_s, say) {
  let before = sums(fleet);
  let before_ms = performance.now();
  const clock =
    every_s === 0
      ? undefined
      : setInterval(() => {
          const now = sums(fleet);
          const now_ms = performance.now();
          say(lineOf(now, before, (now_ms - before_ms) / 1e3));
          before = now;
          before_ms = now_ms;
        }, every_s * 1_000);
  return { stop: () => clearInterval(clock) };
}

/** @param {Fleet} fleet */
export function sums(fleet) {
  /** @type {Record<string, number>} */
  const all = { processes: 0, restarts: fleet.restarts(), longest_pause_ms: 0 };
  for (const { figures } of fleet.members()) {
    all.processes += 1;
    for (const [name, value] of Object.entries(figures)) {
      if (name === 'longest_pause_ms') all[name] = Math.max(all[name], value);
      else all[name] = (all[name] ?? 0) + value;
    }
  }
  const { rss, heapUsed } = process.memoryUsage();
  all.rss = (all.rss ?? 0) + rss;
  all.heap_used = (all.heap_used ?? 0) + heapUsed;
  if (fleet.steward !== undefined) {
    all.seated = fleet.steward.lattice.size;
    all.holes = fleet.steward.lattice.holes;
  }
  return all;
}

/** @param {Record<string, number>} now @param {Record<string, number>} before @param {number} elapsed_s */
export function lineOf(now, before, elapsed_s) {
  /** @param {string} name */
  const rate = (name) => Math.round(Math.max(0, (now[name] ?? 0) - (before[name] ?? 0)) / elapsed_s);
  const connections = now.connections ?? 0;
  const each = connections === 0 ? '' : ` (${Math.round(now.rss / connections)} B each)`;
  return (
    `clients ${now.clients ?? 0} seated ${now.seated ?? 0} holes ${now.holes ?? 0} connections ${connections} ` +
    `refused ${now.refused ?? 0} | thrown ${rate('thrown')}/s collected ${rate('delivered')}/s missed ${now.missed ?? 0} ` +
    `undeliverable ${now.undeliverable ?? 0} | ${now.processes} processes, ${now.restarts} restarts, ` +
    `${Math.round(now.rss / MEBI)} MiB${each}, heap ${Math.round(now.heap_used / MEBI)} MiB, ` +
    `longest GC pause ${(now.longest_pause_ms ?? 0).toFixed(1)} ms`
  );
}
