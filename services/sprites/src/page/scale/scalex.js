// @ts-check
/**
 * Scale2x and Scale3x (A. Mazzoleni, https://www.scale2x.it/algorithm): where two neighbours of a pixel that touch are equal, the corner
 * between them takes their colour. No colour is new.
 */

import { blank, lookAt } from './picture.js';

/** @import { Picture } from './picture.js' */

/** @param {Picture} from @returns {Picture} */
export function scale2x(from) {
  return enlarge(from, 2, ({ B, D, E, F, H }) => [
    D === B ? D : E,
    B === F ? F : E,
    D === H ? D : E,
    H === F ? F : E,
  ]);
}

/** @param {Picture} from @returns {Picture} */
export function scale3x(from) {
  return enlarge(from, 3, ({ A, B, C, D, E, F, G, H, I }) => [
    D === B ? D : E,
    (D === B && E !== C) || (B === F && E !== A) ? B : E,
    B === F ? F : E,
    (D === B && E !== G) || (D === H && E !== A) ? D : E,
    E,
    (B === F && E !== I) || (H === F && E !== C) ? F : E,
    D === H ? D : E,
    (D === H && E !== I) || (H === F && E !== G) ? H : E,
    H === F ? F : E,
  ]);
}

/**
 * @typedef {Record<'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I', number>} Neighbourhood row by row, E in the middle
 *
 * @param {Picture} from
 * @param {number} factor
 * @param {(around: Neighbourhood) => number[]} rule what a pixel becomes, row by row, unless it is on a straight edge
 * @returns {Picture}
 */
function enlarge(from, factor, rule) {
  const to = blank(factor * from.width, factor * from.height);
  const at = lookAt(from);
  for (let y = 0; y < from.height; y += 1) {
    for (let x = 0; x < from.width; x += 1) {
      const [A, B, C] = [at(x - 1, y - 1), at(x, y - 1), at(x + 1, y - 1)];
      const [D, E, F] = [at(x - 1, y), at(x, y), at(x + 1, y)];
      const [G, H, I] = [at(x - 1, y + 1), at(x, y + 1), at(x + 1, y + 1)];
      const turns = B !== H && D !== F;
      const become = turns ? rule({ A, B, C, D, E, F, G, H, I }) : undefined;
      for (let part = 0; part < factor * factor; part += 1) {
        const row = factor * y + Math.floor(part / factor);
        to.dots[row * to.width + factor * x + (part % factor)] = become === undefined ? E : become[part];
      }
    }
  }
  return to;
}
