// @ts-check
// Where in the service's code a counted call came from: sampled stacks, with what each stands for.

import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { quietly, state } from './state.js';
import { BYTES, CALLS, NS, SEEN_AGAIN, SITES_MAX, siteAt, WATCHED } from './table.js';

/**
 * Frames of a stack, those of Node.js and our own included. Each costs, so few are looked at first: most often the call of
 * the service's own code is among them, and its site is known. And frames that are told.
 */
const NEAR_FRAMES = 8;
const FAR_FRAMES = 32;
const TOLD_FRAMES = 8;

/**
 * @typedef {object} Frame
 * @property {string} file
 * @property {number} line
 * @property {number} column
 * @property {string} function
 * @property {string | null} package the package in node_modules, or null for the service's own code
 *
 * @typedef {{ call: NodeJS.CallSite, place: { file: string, package: string | null } }} Call
 */

/** @type {Map<string, number>} */
const ids = new Map();
/** @type {Map<string, { file: string, package: string | null } | undefined>} */
const places = new Map();
const PLACES_MAX = 10_000;

/**
 * Adds a call to its site, and says which that is. Its cost is that of a stack: 12 µs in a loop of nothing else, 50 to
 * 100 µs in a service, because what is done rarely finds nothing of itself in the caches; some 4 µs of them are for each frame.
 * @param {string} counter @param {number} weight calls that this one stands for @param {number} ns @param {number} bytes
 */
export function addToSite(counter, weight, ns, bytes) {
  const id = siteId(counter);
  const at = siteAt(id);
  state.table[at + CALLS] += weight;
  state.table[at + NS] += weight * ns;
  state.table[at + BYTES] += weight * bytes;
  return id;
}

/** @param {number} id @param {boolean} seen_again */
export function addWatchedToSite(id, seen_again) {
  const at = siteAt(id);
  state.table[at + WATCHED] += 1;
  if (seen_again) state.table[at + SEEN_AGAIN] += 1;
}

/** @param {string} counter */
function siteId(counter) {
  const near = foreignCalls(NEAR_FRAMES);
  const known = near.some(isOwn) ? ids.get(keyOf(counter, near)) : undefined;
  return known ?? siteFromAfar(counter);
}

/** @param {string} counter */
function siteFromAfar(counter) {
  const calls = foreignCalls(FAR_FRAMES);
  const key = keyOf(counter, calls);
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = ids.size + 1;
  if (id >= SITES_MAX) return 0;
  ids.set(key, id);
  const frames = calls.map(({ call, place }) => told(call, place));
  quietly(() => state.tell({ type: 'site', id, counter, frames }));
  return id;
}

/** By the calls up to the innermost of the service's own code. @param {string} counter @param {Call[]} calls */
function keyOf(counter, calls) {
  let key = counter;
  for (const { call, place } of calls) {
    key += `\n${place.file}:${call.getLineNumber()}:${call.getColumnNumber()}`;
    if (place.package === null) break;
  }
  return key;
}

/** The line of the service's own code that is running, else of a package; null where neither is on the stack. */
export function placeOfCaller() {
  const calls = foreignCalls(FAR_FRAMES, placeOfCaller);
  const call = calls.find(isOwn) ?? calls[0];
  return call === undefined ? null : told(call.call, call.place);
}

/** @param {Call} call */
function isOwn({ place }) {
  return place.package === null;
}

/**
 * The calls on the stack that are neither ours nor of Node.js, innermost first; the innermost of the service's own code
 * is among them however deep packages call each other, if it is among so many frames.
 * @param {number} frames @param {Function} below what is called by the first of them
 */
function foreignCalls(frames, below = addToSite) {
  /** @type {Call[]} */
  const found = [];
  let has_own = false;
  for (const call of stack(frames, below)) {
    if (has_own && found.length >= TOLD_FRAMES) break;
    const name = call.getFileName();
    if (!name) continue;
    const place = placeOf(name);
    if (place === undefined) continue;
    const is_own = place.package === null;
    if (found.length >= TOLD_FRAMES && !is_own) continue;
    found.push({ call, place });
    has_own ||= is_own;
  }
  return found;
}

/** @param {number} frames @param {Function} below @returns {NodeJS.CallSite[]} */
function stack(frames, below) {
  if (Object.isFrozen(Error)) return [];
  const limit = Error.stackTraceLimit;
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  try {
    Error.stackTraceLimit = frames;
    Object.defineProperty(Error, 'prepareStackTrace', { value: asCalls, configurable: true, writable: true });
    /** @type {{ stack?: any }} */
    const holder = {};
    Error.captureStackTrace(holder, below);
    return Array.isArray(holder.stack) ? holder.stack : [];
  } finally {
    Error.stackTraceLimit = limit;
    if (prepare) Object.defineProperty(Error, 'prepareStackTrace', prepare);
    else Reflect.deleteProperty(Error, 'prepareStackTrace');
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

/**
 * Where a place in compiled code comes from, if Node.js was told.
 * @param {import('./profile.js').Place} place
 * @returns {import('./profile.js').Origin | undefined}
 */
export function originOf({ name, line, column }) {
  try {
    const entry = findSourceMap(name)?.findEntry(line - 1, column - 1);
    if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
    // Where it ends up when the line has nothing to map.
    if (entry.generatedLine !== line - 1) return undefined;
    const { originalSource, originalLine, originalColumn } = entry;
    const file = originalSource.startsWith('file:') ? fileURLToPath(originalSource) : originalSource;
    return { file, line: originalLine + 1, column: originalColumn + 1 };
  } catch {
    return undefined;
  }
}
