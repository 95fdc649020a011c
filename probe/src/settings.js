// @ts-check
// What the environment asks of the probe.

const MODES = /** @type {const} */ (['counters', 'profile', 'without', 'routes', 'memory', 'loop']);

/**
 * @typedef {object} Settings
 * @property {string} socket
 * @property {'counters' | 'profile' | 'without' | 'routes' | 'memory' | 'loop'} mode
 * @property {string[]} without what to leave out in mode `without`
 * @property {boolean} loop_delays whether the delays of the event loop are told, in any mode
 * @property {number} report_interval_ms
 * @property {number} stacks_per_s
 * @property {number | undefined} trace_pauses
 */

/**
 * The settings, or undefined: then the probe stays away.
 * @param {string | undefined} text
 * @returns {Settings | undefined}
 */
export function readSettings(text) {
  if (!text) return undefined;
  let asked;
  try {
    asked = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof asked?.socket !== 'string') return undefined;
  return {
    socket: asked.socket,
    mode: MODES.find((mode) => mode === asked.mode) ?? 'counters',
    without: Array.isArray(asked.without) ? asked.without.map(String) : [],
    loop_delays: asked.loop_delays === true,
    report_interval_ms: positive(asked.report_interval_ms, 1000),
    stacks_per_s: positive(asked.stacks_per_s, 12),
    trace_pauses: positive(asked.trace_pauses, undefined),
  };
}

/** @template T @param {unknown} value @param {T} otherwise @returns {number | T} */
function positive(value, otherwise) {
  return typeof value === 'number' && value > 0 ? value : otherwise;
}
