// @ts-check
// What can be left out of the service, what was asked to be, and what the receiver is told of both.

import { FRAMEWORKS } from '../frameworks/shown.js';
import { isGuard } from '../guards.js';
import { placeOfCaller } from '../sites.js';
import { state } from '../state.js';

const MIDDLEWARE = 'middleware:';
/** Things that the receiver hears of. */
const TOLD_MAX = 256;

/**
 * @typedef {object} Removal something that can be left out
 * @property {string} name `middleware:logger`
 * @property {import('../sites.js').Frame | null} place where it is installed
 * @property {boolean} out it is left out
 * @property {boolean} was_met the service came to where it would have run
 */

/** @type {string[]} */
let wanted = [];
/** Until the thread arms nobody listens. @type {import('../state.js').Note[] | undefined} */
let untold = [];
let told = 0;

/** @param {string[]} names */
export function leaveOut(names) {
  wanted = names;
}

/** From here on the receiver is there. */
export function announce() {
  const notes = untold ?? [];
  untold = undefined;
  for (const note of notes) state.tell(note);
}

/** Whether this was asked for by its name. @param {string} name */
export function isWanted(name) {
  return wanted.includes(name);
}

/**
 * Something that can be left out.
 * @param {string} name
 * @returns {Removal}
 */
export function removable(name) {
  const removal = { name, place: null, out: isWanted(name), was_met: false };
  tell({ type: 'removable', name, place: null, guards: false });
  return removal;
}

/**
 * Middleware that can be left out, installed by the call that is running.
 * @param {string} name of the function; empty for an anonymous one
 * @param {Function} run
 * @returns {Removal}
 */
export function removableMiddleware(name, run) {
  const place = placeOfCaller(FRAMEWORKS);
  const full = `${MIDDLEWARE}${name || 'anonymous'}`;
  const guards = isGuard(name, run);
  const out = !guards && (isWanted(full) || isWantedBy(place));
  tell({ type: 'removable', name: full, place, guards });
  return { name: full, place, out, was_met: false };
}

/** Something that decides which requests get through, by what it is. @param {string} name */
export function tellGuard(name) {
  tell({ type: 'removable', name: `${MIDDLEWARE}${name || 'anonymous'}`, place: null, guards: true });
}

/** It would run now, and does not. @param {Removal} removal */
export function met(removal) {
  if (removal.was_met) return;
  removal.was_met = true;
  tell({ type: 'removed', name: removal.name, place: removal.place });
}

/** By the line that installs it: `middleware:app.js:12`. @param {Removal['place']} place */
function isWantedBy(place) {
  if (place === null) return false;
  const here = `/${place.file}:${place.line}`.replaceAll('\\', '/');
  return wanted.some(
    (name) => name.startsWith(MIDDLEWARE) && here.endsWith(`/${name.slice(MIDDLEWARE.length)}`),
  );
}

/** @param {import('../state.js').Note} note */
function tell(note) {
  told += 1;
  if (told > TOLD_MAX) return;
  if (untold === undefined) state.tell(note);
  else untold.push(note);
}
