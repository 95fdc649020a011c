// @ts-check
/** The types of process variables, by the names that requests and responses use. */

/** Those of Channel Access, in the order of its type numbers 0 to 6. */
export const TYPES = /** @type {const} */ (['string', 'short', 'float', 'enum', 'char', 'long', 'double']);

const NUMBERS = ['short', 'float', 'char', 'long', 'double'];

/** @typedef {typeof TYPES[number]} Type */
/** @typedef {Type | 'number'} ExpectedType */

/** What a request may expect: a type, or any that is a number. @type {ExpectedType[]} */
export const EXPECTED_TYPES = [...TYPES, 'number'];

/** @param {Type} type @param {ExpectedType | undefined} expected undefined: anything */
export function fits(type, expected) {
  if (expected === undefined || type === expected) return true;
  return expected === 'number' && NUMBERS.includes(type);
}
