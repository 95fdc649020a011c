// @ts-check
/** How a process variable is asked for: its name, and after an @ the type that it is expected to have. */

import { EXPECTED_TYPES } from './types.js';

/** @typedef {{ name: string, expected: import('./types.js').ExpectedType | undefined }} Wanted */

/**
 * A record with its field, as EPICS spells them. Names that are digits alone are refused, because the client library
 * takes them for its own numbers of channels.
 */
const NAME = /^(?!\d+$)[\w\-+:[\]<>;]{1,60}(\.[A-Z0-9]{1,4}\$?)?$/;

/**
 * @param {string} text such as `BL:M01` or `BL:M01@number`
 * @returns {Wanted | string} a string says what is wrong with it
 */
export function parseWanted(text) {
  const at = text.indexOf('@');
  const name = at === -1 ? text : text.slice(0, at);
  // The client library keeps channels in plain objects, where these names mean something else.
  if (!NAME.test(name) || name in Object.prototype) {
    return `found ${JSON.stringify(name)}, expected the name of a process variable such as BL:M01 or BL:M01.DESC`;
  }
  if (at === -1) return { name, expected: undefined };
  const expected = EXPECTED_TYPES.find((type) => type === text.slice(at + 1));
  if (expected === undefined) {
    return `found type ${JSON.stringify(text.slice(at + 1))}, expected one of ${EXPECTED_TYPES.join(', ')}`;
  }
  return { name, expected };
}
