// @ts-check
/** The ways in which sprites are drawn larger, side by side. */

import { hq } from './hq.js';
import { nearest } from './nearest.js';
import { scale2x, scale3x } from './scalex.js';

/** @import { Picture } from './picture.js' */

/** Beyond this a picture is as smooth as it gets, and would only take time. */
const MOST_WIDTH = 648;
const MOST_MIXED_WIDTH = 256;

/**
 * @typedef {object} Method
 * @property {string} id
 * @property {string} name
 * @property {string} about
 * @property {(picture: Picture, width: number) => Picture} [enlarge] to so many pixels, or to about as many; then it is
 *   drawn at the size; undefined: it is drawn as shapes
 */

/** @type {Method[]} */
export const METHODS = [
  {
    id: 'nearest',
    name: 'Nearest',
    about: 'Each pixel becomes a square.',
    enlarge: (picture, width) =>
      nearest(picture, width, Math.round((width * picture.height) / picture.width)),
  },
  {
    id: 'scale2x',
    name: 'Scale2x',
    about: 'Twice as large, again and again; equal neighbours round the corner between them. No new colours.',
    enlarge: repeated(2, MOST_WIDTH, scale2x),
  },
  {
    id: 'scale3x',
    name: 'Scale3x',
    about: 'The same in steps of three.',
    enlarge: repeated(3, MOST_WIDTH, scale3x),
  },
  {
    id: 'hq2x',
    name: 'hq2x',
    about: 'Neighbours that look alike are mixed, edges between others are cut; in steps of two.',
    enlarge: repeated(2, MOST_MIXED_WIDTH, (picture) => hq(picture, 2)),
  },
  {
    id: 'hq3x',
    name: 'hq3x',
    about: 'The same in steps of three.',
    enlarge: repeated(3, MOST_MIXED_WIDTH, (picture) => hq(picture, 3)),
  },
  {
    id: 'hq4x',
    name: 'hq4x',
    about: 'The same in steps of four.',
    enlarge: repeated(4, MOST_MIXED_WIDTH, (picture) => hq(picture, 4)),
  },
  {
    id: 'vector',
    name: 'Vector',
    about: 'Shapes with smooth outlines, sharp at any size (Kopf and Lischinski, 2011).',
  },
];

/**
 * Each step is taken once for a picture, whatever sizes it is wanted in.
 * @param {number} factor
 * @param {number} most wide
 * @param {(picture: Picture) => Picture} step
 */
function repeated(factor, most, step) {
  /** @type {WeakMap<Picture, Picture>} */
  const larger = new WeakMap();
  /** @param {Picture} picture @param {number} width */
  return (picture, width) => {
    let now = picture;
    while (now.width < width && now.width * factor <= most) {
      const next = larger.get(now) ?? step(now);
      larger.set(now, next);
      now = next;
    }
    return now;
  };
}
