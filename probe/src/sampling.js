// @ts-check
// One in so many, where it would be too dear to take each: how many one stands for follows from how often there are any.

import { thread_ms } from './table.js';

/** Whether they are too many or too few is seen after so many taken, or twice the time that these should need. */
const TO_ADAPT = 20;
const LATE = 2;
/** At once it becomes rarer by no more than this. */
const RARER = 8;

/**
 * @typedef {object} Sampling
 * @property {number} per_s how many are wanted, about
 * @property {number} every one in so many is taken
 * @property {number} left until the next one that is: whoever counts it down takes that at 0
 * @property {number} taken since `since_ms`
 * @property {number} since_ms
 */

/** @type {Sampling[]} */
const samplings = [];

/** @param {number} per_s @returns {Sampling} */
export function createSampling(per_s) {
  const sampling = { per_s, every: 1, left: 1, taken: 0, since_ms: 0 };
  samplings.push(sampling);
  return sampling;
}

/**
 * Takes one, and draws which is the next.
 * @param {Sampling} sampling
 * @returns {number} how many this one stands for
 */
export function take(sampling) {
  const { every } = sampling;
  sampling.taken += 1;
  if (sampling.taken >= TO_ADAPT) adapt(sampling, thread_ms());
  sampling.left = drawn(sampling.every);
  return every;
}

/** For what has become so rare that it would be long until the next one is taken. */
export function adaptLate() {
  const now = thread_ms();
  for (const sampling of samplings) {
    if (sampling.every === 1 || now - sampling.since_ms < (LATE * TO_ADAPT * 1000) / sampling.per_s) continue;
    adapt(sampling, now);
    sampling.left = drawn(sampling.every);
  }
}

/** @param {Sampling} sampling @param {number} now */
function adapt(sampling, now) {
  const taken_per_s = (sampling.taken * 1000) / Math.max(now - sampling.since_ms, 1e-3);
  const wanted = (sampling.every * taken_per_s) / sampling.per_s;
  sampling.every = Math.round(Math.min(Math.max(wanted, 1), sampling.every * RARER));
  sampling.taken = 0;
  sampling.since_ms = now;
}

/**
 * Each has the same chance, whatever came before: so calls in a fixed order are all met, and a new draw in between
 * changes nothing.
 * @param {number} every
 */
function drawn(every) {
  return every === 1 ? 1 : 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / every));
}

/** A xorshift of our own (Marsaglia 2003), because the service may have replaced `Math.random`. */
let seed = 0x2545f491;
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
}
