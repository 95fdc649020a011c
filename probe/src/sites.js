// @ts-check
// Where in the service's code a counted call came from: sampled stacks, with what each stands for.

import { fileURLToPath } from 'node:url';
import { originOf } from './origins.js';
import { quietly, state } from './state.js';
import { BYTES, CALLS, NS, SEEN_AGAIN, SITES_MAX, siteAt, WATCHED } from './table.js';

/**
 * Frames of a stack, those of Node.js and our own included. Each costs, so few are looked at first: most often the call of
 * the service's own code is among them, and its site is known. And frames that are told.
 */
const NEAR_FRAMES = 10;
const FAR_FRAMES = 32;
const TOLD_FRAMES = 8;
/** A site is told apart by the innermost call of the service's own code, and by as many in a row that lead there. */
const CALLERS = 2;

/**
 * @typedef {object} Frame
 * @property {string} file
 * @property {number} line
 * @property {number} column
 * @property {string} function
 * @property {string | null} package the package in node_modules, or null for the service's own code
 * @property {true} [resumed] it had waited for something, and goes on
 *
 * @typedef {{ call: NodeJS.CallSite, place: { file: string, package: string | null }, resumed: boolean }} Call
 */

/** As they are before anything counts their calls. */
const OfLanguage = Error;
const { captureStackTrace } = Error;

/** @type {Map<string, number>} */
const ids = new Map();
/** @type {Map<string, { file: string, package: string | null } | undefined>} */
const places = new Map();
const PLACES_MAX = 10_000;

/**
 * The site of a call that is about to be made, or has just ended. Its cost is that of a stack: 12 µs in a loop of nothing else, 50 to
 * 100 µs in a service, because what is done rarely finds nothing of itself in the caches; some 4 µs of them are for each frame.
 * @param {string} counter
 * @param {Function} [within] whose callers are looked at, or those of what it extends
 */
export function siteHere(counter, within = siteHere) {
  return siteId(counter, within);
}

/**
 * Adds a call to its site.
 * @param {number} id @param {number} weight calls that this one stands for @param {number} ns @param {number} bytes
 */
export function addToSite(id, weight, ns, bytes) {
  const at = siteAt(id);
  state.table[at + CALLS] += weight;
  state.table[at + NS] += weight * ns;
  state.table[at + BYTES] += weight * bytes;
}

/** @param {number} id @param {boolean} seen_again */
export function addWatchedToSite(id, seen_again) {
  const at = siteAt(id);
  state.table[at + WATCHED] += 1;
  if (seen_again) state.table[at + SEEN_AGAIN] += 1;
}

/** @param {string} counter @param {Function} within */
function siteId(counter, within) {
  const frames = stackBelow(NEAR_FRAMES, within);
  const near = foreignCalls(frames);
  if (frames.length < NEAR_FRAMES) return siteOf(counter, near, within);
  const known = reachesCallers(near) ? ids.get(keyOf(counter, near)) : undefined;
  return known ?? siteOf(counter, foreignCalls(stackBelow(FAR_FRAMES, within)), within);
}

/** A class without a constructor of its own is not on the stack, but the one that it extends is. @param {number} frames @param {Function} within */
function stackBelow(frames, within) {
  for (let made = within; typeof made === 'function'; made = Object.getPrototypeOf(made)) {
    const calls = stack(frames, made);
    if (calls.length > 0) return calls;
  }
  return stack(frames, stackBelow);
}

/** @param {string} counter @param {Call[]} calls @param {Function} within */
function siteOf(counter, calls, within) {
  const key = keyOf(counter, calls);
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = ids.size + 1;
  if (id >= SITES_MAX) return 0;
  ids.set(key, id);
  const frames = calls.map(({ call, place, resumed }) =>
    resumed ? { ...told(call, place), resumed: true } : told(call, place),
  );
  const made_in = within === siteHere ? null : innermostAbove(calls[0]);
  quietly(() => state.tell({ type: 'site', id, counter, frames, ...(made_in && { made_in }) }));
  return id;
}

/**
 * The innermost call of all, where it is not that at which a stack begins: what is below is the constructor of an error.
 * @param {Call | undefined} begin
 */
function innermostAbove(begin) {
  const [innermost] = foreignCalls(stack(FAR_FRAMES, innermostAbove));
  if (innermost === undefined || (begin && keyOf('', [innermost]) === keyOf('', [begin]))) return null;
  return told(innermost.call, innermost.place);
}

/**
 * By the calls up to the innermost of the service's own code, and those of its callers that are its own code too: what goes
 * through a helper of the service is told apart by who calls that.
 * @param {string} counter @param {Call[]} calls
 */
function keyOf(counter, calls) {
  let key = counter;
  for (const { call, place, resumed } of calls.slice(0, endOfKey(calls))) {
    key += `\n${place.file}:${call.getLineNumber()}:${call.getColumnNumber()}${resumed ? '!' : ''}`;
  }
  return key;
}

/**
 * The line of the service's own code that is running, else of a package that is none of these, which are called by it; null where
 * nothing of the kind is on the stack.
 * @param {Set<string>} besides packages
 */
export function placeOfCaller(besides) {
  const calls = foreignCalls(stack(FAR_FRAMES, placeOfCaller));
  const call = calls.find(isOwn) ?? calls.find(({ place }) => !besides.has(place.package ?? '')) ?? calls[0];
  return call === undefined ? null : told(call.call, call.place);
}

/** How many calls of a stack tell a site apart. @param {Call[]} calls */
function endOfKey(calls) {
  const own = calls.findIndex(isOwn);
  if (own < 0) return calls.length;
  const after = calls.slice(own, own + CALLERS + 1).findIndex((call) => !isOwn(call));
  return after < 0 ? Math.min(own + CALLERS + 1, calls.length) : own + after;
}

/** Whether more of the stack would tell it apart no further. @param {Call[]} calls */
function reachesCallers(calls) {
  const own = calls.findIndex(isOwn);
  return own >= 0 && (calls.length > endOfKey(calls) || calls.length > own + CALLERS);
}

/** @param {Call} call */
function isOwn({ place }) {
  return place.package === null;
}

/**
 * The calls on the stack that are neither ours nor of Node.js, innermost first; the innermost of the service's own code
 * and its callers are among them however deep packages call each other, if it is among so many frames.
 * @param {NodeJS.CallSite[]} frames
 */
function foreignCalls(frames) {
  /** @type {Call[]} */
  const found = [];
  let own = 0;
  for (const [index, call] of frames.entries()) {
    const name = call.getFileName();
    if (!name) continue;
    const place = placeOf(name);
    if (place === undefined) continue;
    const is_own = place.package === null;
    if (found.length >= TOLD_FRAMES) {
      if (is_own ? own > CALLERS : own > 0) break;
      if (!is_own) continue;
    }
    found.push({ call, place, resumed: isResumed(frames, index) });
    if (is_own) own += 1;
  }
  return found;
}

/** Whether nobody called this but the queue of what goes on after an `await`. @param {NodeJS.CallSite[]} frames @param {number} index */
function isResumed(frames, index) {
  if (frames[index]?.isAsync()) return false;
  const caller = frames[index + 1];
  // Unless the stack was cut off.
  if (caller === undefined) return frames.length !== NEAR_FRAMES && frames.length !== FAR_FRAMES;
  return caller.isAsync() || caller.getFileName() === 'node:internal/process/task_queues';
}

/** @param {number} frames @param {Function} within @returns {NodeJS.CallSite[]} */
function stack(frames, within) {
  if (Object.isFrozen(OfLanguage)) return [];
  const limit = OfLanguage.stackTraceLimit;
  const prepare = Object.getOwnPropertyDescriptor(OfLanguage, 'prepareStackTrace');
  try {
    OfLanguage.stackTraceLimit = frames;
    Object.defineProperty(OfLanguage, 'prepareStackTrace', {
      value: asCalls,
      configurable: true,
      writable: true,
    });
    /** @type {{ stack?: any }} */
    const holder = {};
    captureStackTrace(holder, within);
    return Array.isArray(holder.stack) ? holder.stack : [];
  } finally {
    OfLanguage.stackTraceLimit = limit;
    if (prepare) Object.defineProperty(OfLanguage, 'prepareStackTrace', prepare);
    else Reflect.deleteProperty(OfLanguage, 'prepareStackTrace');
  }
}

/** @param {Error} _ @param {NodeJS.CallSite[]} calls */
function asCalls(_, calls) {
  return calls;
}

/**
 * File and package of a script, or undefined when it is not the service's.
 * @param {string} name path or URL
 */
function placeOf(name) {
  if (places.has(name)) return places.get(name);
  const place = findPlace(name);
  if (places.size < PLACES_MAX) places.set(name, place);
  return place;
}

/** @param {string} name */
function findPlace(name) {
  if (name.startsWith('node:') || name === __filename) return undefined;
  let file = name;
  if (name.startsWith('file:')) {
    quietly(() => {
      file = fileURLToPath(name.split('?')[0] ?? name);
    });
  }
  return { file, package: packageOf(file) };
}

/** @param {string} file */
export function packageOf(file) {
  const after = file
    .split(/[\\/]node_modules[\\/]/)
    .slice(1)
    .pop();
  if (after === undefined) return null;
  const [first = '', second = ''] = after.split(/[\\/]/);
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/**
 * @param {NodeJS.CallSite} call @param {{ file: string, package: string | null }} place
 * @returns {Frame}
 */
function told(call, place) {
  const line = call.getLineNumber() ?? 1;
  const column = call.getColumnNumber() ?? 1;
  const frame = { ...place, line, column, function: call.getFunctionName() ?? '' };
  const source = originOf({ name: call.getFileName() ?? '', line, column });
  return source ? { ...frame, ...source } : frame;
}
