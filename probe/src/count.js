// @ts-check
// One counter for each wrapped function: all its calls, the time of as many as can be measured without being felt, and
// the site of a few.

import { createSampling, take } from './sampling.js';
import { addToSite, addWatchedToSite, siteHere } from './sites.js';
import { state, switchOff } from './state.js';
import { BYTES, CALLS, COUNTERS_MAX, counterAt, NS, SEEN_AGAIN, thread_ms, WATCHED } from './table.js';

/** Calls of a function that are measured: all when there are no more, else one in so many, for all. */
const MEASURED_PER_S = 1000;
/** Calls as long as this always give their stack, which costs little beside them. */
const LONG_NS = 1e6;
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
 *   'construction' | 'expression' | 'schema' | 'error' | 'pool' | 'fetch' | 'connection' | 'listener' | 'room'} Kind
 *
 * @typedef {object} Counter
 * @property {string} name
 * @property {Kind} kind
 * @property {number} at its place in the table
 * @property {import('./sampling.js').Sampling} measuring calls whose time is taken
 * @property {import('./sampling.js').Sampling} stacks short ones of these that give their stack
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
    measuring: createSampling(Math.max(MEASURED_PER_S, state.stacks_per_s)),
    stacks: createSampling(state.stacks_per_s),
    site: 0,
    of_one: 0,
    watches: [],
  };
  counters.push(counter);
  state.tell({ type: 'counter', index, name, kind });
  return counter;
}

/** What `end` says of a call that is only counted. */
const NOT_MEASURED = -1;

/** A wrapped function begins. @param {Counter} counter @returns {number} when, or 0 if its time is not taken */
export function begin(counter) {
  state.inside = true;
  return --counter.measuring.left > 0 ? 0 : thread_ms();
}

/** It has ended. @param {number} from_ms of `begin` @returns {number} how long it took, ns, for `count` */
export function end(from_ms) {
  const ns = from_ms === 0 ? NOT_MEASURED : (thread_ms() - from_ms) * 1e6;
  state.inside = false;
  return ns;
}

/**
 * Counts a call that has ended. What goes wrong in here switches the probe off, and the service does not notice.
 * @param {Counter} counter @param {number} ns @param {number} bytes @param {string} [text] to be watched
 * @param {Function} [within] that was called, where that is not the one that counts
 * @returns {number | undefined} the site, if the stack was taken
 */
export function count(counter, ns, bytes, text, within) {
  const { table } = state;
  const { at } = counter;
  table[at + CALLS] += 1;
  if (text !== undefined && counter.watches.length > 0) look(counter, text);
  if (ns === NOT_MEASURED) return undefined;
  try {
    const weight = take(counter.measuring);
    table[at + NS] += weight * ns;
    table[at + BYTES] += weight * bytes;
    if (ns < LONG_NS && --counter.stacks.left > 0) return undefined;
    return takeStack(counter, weight, ns, bytes, text, within);
  } catch (error) {
    switchOff(error);
    return undefined;
  }
}

/**
 * @param {Counter} counter @param {number} weight @param {number} ns @param {number} bytes @param {string} [text]
 * @param {Function} [within]
 */
function takeStack(counter, weight, ns, bytes, text, within) {
  const short = ns < LONG_NS ? take(counter.stacks) : 1;
  const site = state.site || siteHere(counter.name, within);
  addToSite(site, weight * short, ns, bytes);
  counter.of_one = site === counter.site ? counter.of_one + 1 : 1;
  counter.site = site;
  counter.stacks.per_s = state.stacks_per_s / (counter.of_one > STACKS_OF_ONE ? FEWER : 1);
  if (text !== undefined && counter.watches.length < WATCHES) {
    const watchable = text.length >= WATCHED_LENGTH_MIN && text.length <= WATCHED_LENGTH_MAX;
    if (watchable) counter.watches.push({ text, site, left: WATCHED_CALLS });
  }
  return site;
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
