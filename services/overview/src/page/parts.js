// @ts-check
/** The parts that a page consists of, and how one is got. */

/** @import { Call, MissingReason } from '../upstream/caller.js' */
/** @import { PlannedCall } from './description.js' */
/** @import { Scope } from './scope.js' */

/**
 * @typedef {{ reference: string } & Record<string, unknown>} Content what an upstream says; the next block is asked
 *   with its reference
 * @typedef {{ name: string, status: 'present', content: Content }
 *   | { name: string, status: 'missing', reason: MissingReason | 'not_reached' }} Part `not_reached`: nobody could
 *   ask, because a service before it in the flow failed
 */

/** Every reason that a part can have for not being there. @type {readonly (MissingReason | 'not_reached')[]} */
export const MISSING_REASONS = [
  'timeout',
  'refused',
  'broken',
  'status',
  'malformed',
  'too_large',
  'deadline',
  'client_gone',
  'not_reached',
];

const REFERENCE = /^[a-z0-9-]{1,64}$/;

/**
 * Asks one upstream for its part. Never rejects: what does not come is a missing part.
 * @param {Call} call
 * @param {PlannedCall} planned
 * @param {{ account: string, basis: string[] }} question
 * @param {Scope} scope
 * @returns {Promise<Part>}
 */
export async function askPart(call, { upstream, timeout_ms }, { account, basis }, scope) {
  const path = basis.length === 0 ? `/parts/${account}` : `/parts/${account}?basis=${basis.join(',')}`;
  const outcome = await call({ upstream, method: 'GET', path, body: undefined, timeout_ms }, scope);
  if (outcome.reason !== undefined) return missing(upstream, outcome.reason);
  if (!isContent(outcome.value)) return missing(upstream, 'malformed');
  return { name: upstream, status: 'present', content: outcome.value };
}

/** All of a block at once. @type {(...parameters: BlockParameters) => Promise<Part[]>} */
export function askBlock(call, block, question, scope) {
  return Promise.all(block.map((planned) => askPart(call, planned, question, scope)));
}

/** @typedef {[Call, PlannedCall[], { account: string, basis: string[] }, Scope]} BlockParameters */

/** What the next block is asked with. @param {Part[]} parts */
export function references(parts) {
  return parts.flatMap((part) => (part.status === 'present' ? [part.content.reference] : []));
}

/** @param {string} name @param {MissingReason | 'not_reached'} reason @returns {Part} */
export function missing(name, reason) {
  return { name, status: 'missing', reason };
}

/** A reference goes into the next address, so what it may consist of matters. @param {unknown} value @returns {value is Content} */
export function isContent(value) {
  if (typeof value !== 'object' || value === null) return false;
  const { reference } = /** @type {{ reference?: unknown }} */ (value);
  return typeof reference === 'string' && REFERENCE.test(reference);
}
