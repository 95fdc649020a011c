// @ts-check
// One counter for each wrapped function: exact figures, and a share of its calls with their site.

import { addToSite, addWatchedToSite } from './sites.js';
import { state, switchOff } from './state.js';
import { BYTES, CALLS, COUNTERS_MAX, counterAt, NS, SEEN_AGAIN, thread_ms, WATCHED } from './table.js';

/** Calls as long as this always give their stack, which costs little beside them. */
const LONG_NS = 1e6;
/** Stacks after which a counter looks how often it takes them. */
const STACKS_TO_LOOK = 20;
/** After as many stacks of one site, fewer are taken: one in so many. */
const STACKS_OF_ONE = 50;
const FEWER = 5;
/** Texts watched at a time, for how many calls, and their length in UTF-16 units. */
const WATCHES = 4;
const WATCHED_CALLS = 1000;
const WATCHED_LENGTH_MIN = 32;
const WATCHED_LENGTH_MAX = 1 << 20;

/**
 * @typedef {'json' | 'output' | 'file-read' | 'file-write' | 'crypto' | 'zlib' | 'process' | 'module' | 'template' |
 *   'pool' | 'fetch'} Kind
 *
 * @typedef {object} Counter
 * @property {string} name
 * @property {Kind} kind
 * @property {number} at its place in the table
 * @property {number} every one short call in so many gives its stack
 * @property {number} left short calls until the next stack
 * @property {number} stacks since `since_ms`
 * @property {number} since_ms
 * @property {number} site of the last stack
 * @property {number} of_one stacks in a row of that site
 * @property {Watch[]} watches
 *
 * @typedef {object} Watch a text of which we want to know whether it comes again
 * @property {string} text
 * @property {number} site
 * @property {number} left calls that it is watched for
 */

/** @type {Counter[]} */
export const counters = [];

/** @param {string} name @param {Kind} kind @returns {Counter} */
export function createCounter(name, kind) {
  const index = counters.length;
  if (index >= COUNTERS_MAX) throw new RangeError(`no place for the counter ${name}`);
  const at = counterAt(index);
  /** @type {Counter} */
  const counter = {
    name,
    kind,
    at,
    every: 1,
    left: 1,
    stacks: 0,
    since_ms: 0,
    site: 0,
    of_one: 0,
    watches: [],
  };
  counters.push(counter);
  state.tell({ type: 'counter', index, name, kind });
  return counter;
}

/**
 * Counts a call that has ended. What goes wrong in here switches the probe off, and the service does not notice.
 * @param {Counter} counter @param {number} ns @param {number} bytes @param {string} [text] to be watched
 * @returns {number | undefined} the site, if the stack was taken
 */
export function count(counter, ns, bytes, text) {
  const { table } = state;
  const { at } = counter;
  table[at + CALLS] += 1;
  table[at + NS] += ns;
  table[at + BYTES] += bytes;
  if (text !== undefined && counter.watches.length > 0) look(counter, text);
  if (ns < LONG_NS && --counter.left > 0) return undefined;
  try {
    return takeStack(counter, ns, bytes, text);
  } catch {
    switchOff();
    return undefined;
  }
}

/** @param {Counter} counter @param {number} ns @param {number} bytes @param {string} [text] */
function takeStack(counter, ns, bytes, text) {
  const weight = ns < LONG_NS ? counter.every : 1;
  const site = addToSite(counter.name, weight, ns, bytes);
  counter.of_one = site === counter.site ? counter.of_one + 1 : 1;
  counter.site = site;
  if (ns < LONG_NS) {
    adapt(counter);
    // Up to twice as many, so that calls that come in a fixed order are all met.
    counter.left = 1 + Math.floor(random() * (2 * counter.every - 1));
  }
  if (text !== undefined && counter.watches.length < WATCHES) {
    const watchable = text.length >= WATCHED_LENGTH_MIN && text.length <= WATCHED_LENGTH_MAX;
    if (watchable) counter.watches.push({ text, site, left: WATCHED_CALLS });
  }
  return site;
}

/** Holds the stacks of a counter near what was asked for. @param {Counter} counter */
function adapt(counter) {
  counter.stacks += 1;
  if (counter.stacks < STACKS_TO_LOOK) return;
  const now = thread_ms();
  const stacks_per_s = (counter.stacks * 1000) / Math.max(now - counter.since_ms, 1e-3);
  const enough_per_s = state.stacks_per_s / (counter.of_one > STACKS_OF_ONE ? FEWER : 1);
  const wanted = (counter.every * stacks_per_s) / enough_per_s;
  counter.every = Math.round(Math.min(Math.max(wanted, 1), counter.every * 8));
  counter.stacks = 0;
  counter.since_ms = now;
}

/** @param {Counter} counter @param {string} text */
function look(counter, text) {
  for (let index = counter.watches.length - 1; index >= 0; index -= 1) {
    const watch = /** @type {Watch} */ (counter.watches[index]);
    const seen_again = watch.text === text;
    if (!seen_again && --watch.left > 0) continue;
    counter.watches.splice(index, 1);
    state.table[counter.at + WATCHED] += 1;
    if (seen_again) state.table[counter.at + SEEN_AGAIN] += 1;
    addWatchedToSite(watch.site, seen_again);
  }
}

/** A xorshift of our own (Marsaglia 2003), because the service may have replaced `Math.random`. */
let seed = 0x2545f491;
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
}
