// @ts-check
// What the parts in the service's thread share.

import { createTable } from './table.js';

/**
 * What the probe's thread has to know beside the figures.
 * @typedef {{ type: string, [field: string]: unknown }} Note
 */

export const state = {
  /** Wrappers count; else they only pass through. */
  on: false,
  /** A wrapped function is running: what it calls counts for it. */
  inside: false,
  /** Bytes that went to the outputs inside of the wrapped function that is running. */
  inner_bytes: 0,
  table: createTable(),
  /** Of the settings. */
  stacks_per_s: 0,
  /** Whose the calls are that are being made, where nobody of the service is on the stack; 0 for whoever is. */
  site: 0,
  /** Of the settings. @type {number | undefined} */
  trace_pauses: undefined,
  /** @type {(note: Note) => void} */
  tell: () => {},
  /** Says why the probe does nothing. @type {(error: unknown) => void} */
  refuse: () => {},
  /** @type {(() => void)[]} run when the probe switches itself off */
  undo: [],
};

/**
 * From here on the wrappers only pass through.
 * @param {unknown} [error] why, if something went wrong
 */
export function switchOff(error) {
  if (error !== undefined) quietly(() => state.refuse(error));
  state.on = false;
  state.tell = () => {};
  for (const undo of state.undo.splice(0)) quietly(undo);
}

/**
 * Nothing of the probe may throw into the service.
 * @param {() => void} action
 */
export function quietly(action) {
  try {
    action();
  } catch {
    // What cannot be observed is left out.
  }
}
