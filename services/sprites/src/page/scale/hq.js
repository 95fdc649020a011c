// @ts-check
/**
 * hq2x, hq3x and hq4x, in the manner of hqx (M. Stepin): a pixel is compared with its eight neighbours in YUV, and the
 * pattern of those that look alike says how its parts are mixed. Stepin's table of 256 patterns is replaced by three rules,
 * so that single parts have other shades than his:
 *
 * 1. A part is mixed with the neighbours it is next to, as far as they look like its pixel.
 * 2. Where two neighbours that touch look alike and unlike the pixel, an edge cuts the corner between them. Which diagonal
 *    neighbours go on like the pixel says how steep it is: 45 degrees, half of that, or only the tip.
 * 3. If the pixel goes on over that corner as well, two lines cross. The corner is cut if the pixel belongs to the
 *    majority around it: the ground gives way to the line.
 */

import { createLikeness } from './likeness.js';
import { blank, channelsOf, dotOf, lookAt } from './picture.js';

/** @import { Picture } from './picture.js' */

const CORNERS = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];
/** Of eight neighbours. */
const MAJORITY = 5;
/** Halves are rounded the same way from whichever side they were added up. */
const HALF = 0.5 + 1e-7;

/** @typedef {{ x: number, y: number, along: number, across: number, bound: number, dots: number[] }} Cut of a corner: the
 *   part where along · x + across · y is above the bound, seen from the middle of the pixel toward the corner */

/** @param {Picture} from @param {2 | 3 | 4} factor @returns {Picture} */
export function hq(from, factor) {
  const to = blank(factor * from.width, factor * from.height);
  const at = lookAt(from);
  const alike = createLikeness();
  for (let y = 0; y < from.height; y += 1) {
    for (let x = 0; x < from.width; x += 1) {
      /** @param {number} dx @param {number} dy */
      const near = (dx, dy) => at(x + dx, y + dy);
      if (isEven(near)) {
        for (let row = 0; row < factor; row += 1) {
          const index = (factor * y + row) * to.width + factor * x;
          to.dots.fill(near(0, 0), index, index + factor);
        }
        continue;
      }
      const cuts = cutsOf(near, alike);
      for (let row = 0; row < factor; row += 1) {
        for (let column = 0; column < factor; column += 1) {
          const [u, v] = [(column + 0.5) / factor - 0.5, (row + 0.5) / factor - 0.5];
          const index = (factor * y + row) * to.width + factor * x + column;
          to.dots[index] = mix(shares(near, alike, cuts, u, v, 1 / factor));
        }
      }
    }
  }
  return to;
}

/** Whether all nine are the same, as most are in a picture that was enlarged before. @param {(dx: number, dy: number) => number} near */
function isEven(near) {
  const middle = near(0, 0);
  for (let dy = -1; dy <= 1; dy += 1) {
    for (let dx = -1; dx <= 1; dx += 1) if (near(dx, dy) !== middle) return false;
  }
  return true;
}

/**
 * @param {(dx: number, dy: number) => number} near
 * @param {(one: number, other: number) => boolean} alike
 * @returns {Cut[]}
 */
function cutsOf(near, alike) {
  const middle = near(0, 0);
  /** @param {number} dx @param {number} dy */
  const isLike = (dx, dy) => alike(middle, near(dx, dy));
  let count = -1;
  for (let dy = -1; dy <= 1; dy += 1) for (let dx = -1; dx <= 1; dx += 1) count += isLike(dx, dy) ? 1 : 0;
  /** @type {Cut[]} */
  const cuts = [];
  if (count === 8) return cuts;
  for (const [x, y] of CORNERS) {
    const dots = [near(x, 0), near(0, y)];
    if (isLike(x, 0) || isLike(0, y) || !alike(dots[0], dots[1])) continue;
    if (isLike(x, y) && count < MAJORITY) continue;
    const [beside, below] = [isLike(-x, y), isLike(x, -y)];
    if (beside && below) cuts.push({ x, y, along: 1, across: 1, bound: 0.5, dots });
    else if (below) cuts.push({ x, y, along: 1, across: 2, bound: 0.5, dots });
    else if (beside) cuts.push({ x, y, along: 2, across: 1, bound: 0.5, dots });
    else cuts.push({ x, y, along: 1, across: 1, bound: 0.875, dots });
  }
  return cuts;
}

/**
 * What a part is mixed of: dots, and how much of each.
 * @param {(dx: number, dy: number) => number} near
 * @param {(one: number, other: number) => boolean} alike
 * @param {Cut[]} cuts
 * @param {number} u @param {number} v where the part is, from the middle of the pixel
 * @param {number} extent of the part
 * @returns {[number, number][]}
 */
function shares(near, alike, cuts, u, v, extent) {
  const covered = cuts.map(({ x, y, along, across, bound }) => {
    const above = (along * u * x + across * v * y - bound) / (extent * (along + across));
    return Math.min(Math.max(above + 0.5, 0), 1);
  });
  const all = covered.reduce((sum, share) => sum + share, 0);
  const scale = Math.max(all, 1);
  const left = 1 - all / scale;
  /** @type {[number, number][]} */
  const parts = cuts.flatMap(({ dots }, index) =>
    dots.map((dot) => /** @type {[number, number]} */ ([dot, covered[index] / scale / 2])),
  );
  const middle = near(0, 0);
  const [dx, dy] = [Math.sign(u), Math.sign(v)];
  const [across, down] = [Math.abs(u), Math.abs(v)];
  /** @type {[number, number, number][]} */
  const around = [
    [0, 0, (1 - across) * (1 - down)],
    [dx, 0, across * (1 - down)],
    [0, dy, (1 - across) * down],
    [dx, dy, across * down],
  ];
  for (const [x, y, share] of around) {
    const dot = near(x, y);
    parts.push([alike(dot, middle) ? dot : middle, share * left]);
  }
  return parts;
}

/** @param {[number, number][]} parts whose shares add up to 1 */
function mix(parts) {
  const sums = [0, 0, 0, 0];
  for (const [dot, share] of parts) {
    const [red, green, blue, alpha] = channelsOf(dot);
    const weight = share * alpha;
    sums[0] += red * weight;
    sums[1] += green * weight;
    sums[2] += blue * weight;
    sums[3] += weight;
  }
  const alpha = sums[3];
  if (alpha < 0.5) return 0;
  return dotOf([...sums.slice(0, 3).map((sum) => Math.floor(sum / alpha + HALF)), Math.floor(alpha + HALF)]);
}
