// @ts-check
/** Whether two colours look alike: in YUV, with the bounds of hqx, which the method of Kopf and Lischinski took over. */

import { channelsOf } from './picture.js';

const MOST_Y = 48;
const MOST_U = 7;
const MOST_V = 6;
/** Along an edge that was smoothed before, a part that is half covered looks like both its sides. */
const MOST_ALPHA = 192;

/** Brightness and two differences of colour, and alpha. @param {number} dot @returns {[number, number, number, number]} */
export function yuvOf(dot) {
  const [red, green, blue, alpha] = channelsOf(dot);
  return [
    0.299 * red + 0.587 * green + 0.114 * blue,
    -0.169 * red - 0.331 * green + 0.5 * blue,
    0.5 * red - 0.419 * green - 0.081 * blue,
    alpha,
  ];
}

/** @param {number[]} one @param {number[]} other */
export function areAlike([y1, u1, v1, a1], [y2, u2, v2, a2]) {
  if (Math.abs(a1 - a2) > MOST_ALPHA) return false;
  // What is not there has no colour.
  if (a1 === 0 || a2 === 0) return true;
  return Math.abs(y1 - y2) <= MOST_Y && Math.abs(u1 - u2) <= MOST_U && Math.abs(v1 - v2) <= MOST_V;
}

/** The same question for dots, most of which come many times. @returns {(one: number, other: number) => boolean} */
export function createLikeness() {
  /** @type {Map<number, [number, number, number, number]>} */
  const known = new Map();
  /** @param {number} dot */
  const look = (dot) => {
    let yuv = known.get(dot);
    if (yuv === undefined) {
      yuv = yuvOf(dot);
      known.set(dot, yuv);
    }
    return yuv;
  };
  return (one, other) => one === other || areAlike(look(one), look(other));
}
