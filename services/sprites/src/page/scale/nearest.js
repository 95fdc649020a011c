// @ts-check
/** Nearest neighbour: each pixel becomes a rectangle. */

import { blank } from './picture.js';

/** @import { Picture } from './picture.js' */

/** @param {Picture} from @param {number} width @param {number} height @returns {Picture} */
export function nearest(from, width, height) {
  const to = blank(width, height);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(((y + 0.5) * from.height) / height) * from.width;
    for (let x = 0; x < width; x += 1) {
      to.dots[y * width + x] = from.dots[row + Math.floor(((x + 0.5) * from.width) / width)];
    }
  }
  return to;
}
