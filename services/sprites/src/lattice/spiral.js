// @ts-check
/**
 * Cells of a plane, numbered along a square spiral: 0 is the centre, and each cell touches the one before it. Whatever
 * number of cells is taken from the start, they form a square or nearly so, without a gap.
 *
 *     16 15 14 13 12
 *     17  4  3  2 11
 *     18  5  0  1 10
 *     19  6  7  8  9
 *     20 21 22 23 24
 */

/** The sides of a cell, in the order in which arrays have them. */
export const SIDES = /** @type {const} */ (['up', 'right', 'down', 'left']);

/** The side that faces one. @param {number} side */
export function opposite(side) {
  return (side + 2) % 4;
}

/** How far a cell is from the one before it on each axis, by side; y grows upwards. */
export const STEP_X = [0, 1, 0, -1];
export const STEP_Y = [1, 0, -1, 0];

/** @param {number} x @param {number} y @returns {number} the number of a cell */
export function cellAt(x, y) {
  const ring = Math.max(Math.abs(x), Math.abs(y));
  if (ring === 0) return 0;
  const first = (2 * ring - 1) ** 2;
  if (y === -ring) return first + 7 * ring - 1 + x;
  if (x === ring) return first + ring - 1 + y;
  if (y === ring) return first + 3 * ring - 1 - x;
  return first + 5 * ring - 1 - y;
}

/** The ring of a cell: 0 is the centre, ring r has 8r cells. @param {number} cell */
function ringOf(cell) {
  return Math.ceil((Math.sqrt(cell + 1) - 1) / 2);
}

/** @param {number} cell @returns {number} how far to the right of the centre */
export function xOf(cell) {
  const ring = ringOf(cell);
  const along = cell - (2 * ring - 1) ** 2;
  if (ring === 0) return 0;
  if (along < 2 * ring) return ring;
  if (along < 4 * ring) return 3 * ring - 1 - along;
  if (along < 6 * ring) return -ring;
  return along - 7 * ring + 1;
}

/** @param {number} cell @returns {number} how far above the centre */
export function yOf(cell) {
  const ring = ringOf(cell);
  const along = cell - (2 * ring - 1) ** 2;
  if (ring === 0) return 0;
  if (along < 2 * ring) return along - ring + 1;
  if (along < 4 * ring) return ring;
  if (along < 6 * ring) return 5 * ring - 1 - along;
  return -ring;
}
