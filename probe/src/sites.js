// @ts-check
// Where in the service's code a counted call came from: sampled stacks, with what each stands for.

import { findSourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { quietly, state } from './state.js';
import { BYTES, CALLS, NS, SEEN_AGAIN, SITES_MAX, siteAt, WATCHED } from './table.js';

/** Frames looked at, those of Node.js included, and frames that are told. */
const STACK_FRAMES = 32;
const TOLD_FRAMES = 8;

/**
 * @typedef {object} Frame
 * @property {string} file
 * @property {number} line
 * @property {number} column
 * @property {string} function
 * @property {string | null} package the package in node_modules, or null for the service's own code
 */

/** @type {Map<string, number>} */
const ids = new Map();
/** @type {Map<string, { file: string, package: string | null } | undefined>} */
const places = new Map();
const PLACES_MAX = 10_000;

/**
 * Adds a call to its site, and says which that is. Its cost is that of a stack: 12 µs.
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
  const calls = foreignCalls();
  let key = counter;
  for (const { call, place } of calls) {
    key += `\n${place.file}:${call.getLineNumber()}:${call.getColumnNumber()}`;
    if (place.package === null) break;
  }
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = ids.size + 1;
  if (id >= SITES_MAX) return 0;
  ids.set(key, id);
  const frames = calls.map(({ call, place }) => told(call, place));
  quietly(() => state.tell({ type: 'site', id, counter, frames }));
  return id;
}

/**
 * The calls on the stack that are neither ours nor of Node.js, innermost first; the innermost of the service's own code
 * is among them however deep packages call each other.
 */
function foreignCalls() {
  const found = [];
  let has_own = false;
  for (const call of stack()) {
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

/** @returns {NodeJS.CallSite[]} */
function stack() {
  const limit = Error.stackTraceLimit;
  const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  try {
    Error.stackTraceLimit = STACK_FRAMES;
    Object.defineProperty(Error, 'prepareStackTrace', { value: asCalls, configurable: true, writable: true });
    /** @type {{ stack?: any }} */
    const holder = {};
    Error.captureStackTrace(holder, addToSite);
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
