// @ts-check
/**
 * The pixels reshaped so that those that are linked touch along an edge (3.2 in the paper): the Voronoi cells of pixels and
 * their links, without the corners that are of no use. What is left has a simple form: a corner of the grid stays where it is, or
 * a diagonal link goes through it, and then it is two points, a quarter of a pixel to either side of the link. A side whose two
 * corners are both cut off keeps its middle, which the paper drops: a single pixel would be a quarter of itself.
 */

import { Graph } from './graph.js';

/** @import { Picture } from '../picture.js' */

/** @typedef {{ x: number, y: number }} Point of which each place has one, so that points can be compared */

/**
 * @param {Picture} picture
 * @returns {Point[][]} for each pixel, row by row: its cell, clockwise
 */
export function cellsOf(picture) {
  const { width, height } = picture;
  const graph = new Graph(picture);
  /** @type {Map<number, Point>} */
  const points = new Map();

  /** @param {number} x @param {number} y */
  function pointAt(x, y) {
    const key = 4 * y * (4 * width + 1) + 4 * x;
    let point = points.get(key);
    if (point === undefined) {
      point = { x, y };
      points.set(key, point);
    }
    return point;
  }

  /**
   * The points of a cell at one corner of its pixel.
   * @param {number} x @param {number} y the corner
   * @param {number} dx @param {number} dy from the corner toward the middle of the pixel: 1 or -1
   */
  function cornerOf(x, y, dx, dy) {
    const falls = graph.fallsAt(x - 1, y - 1);
    const rises = graph.risesAt(x - 1, y - 1);
    if (!falls && !rises) return [pointAt(x, y)];
    const isOfLink = falls === (dx === dy);
    if (!isOfLink) return [pointAt(x + dx / 4, y + dy / 4)];
    // Clockwise: with the middle of the pixel to the right, from one side of the link to the other.
    return [pointAt(x - dy / 4, y + dx / 4), pointAt(x + dy / 4, y - dx / 4)];
  }

  return Array.from({ length: width * height }, (_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const corners = [
      cornerOf(x, y, 1, 1),
      cornerOf(x + 1, y, -1, 1),
      cornerOf(x + 1, y + 1, -1, -1),
      cornerOf(x, y + 1, 1, -1),
    ];
    const middles = [
      [x + 0.5, y],
      [x + 1, y + 0.5],
      [x + 0.5, y + 1],
      [x, y + 0.5],
    ];
    return corners.flatMap((corner, side) => {
      const [from, to] = [corner[corner.length - 1], corners[(side + 1) % 4][0]];
      const [middleX, middleY] = middles[side];
      // Both ends are beside the side, and on the same side of it.
      const isCut = side % 2 === 0 ? areBeyond(from.y, middleY, to.y) : areBeyond(from.x, middleX, to.x);
      return isCut ? [...corner, pointAt(middleX, middleY)] : corner;
    });
  });
}

/** Whether two numbers are both above a third, or both below. @param {number} one @param {number} between @param {number} other */
function areBeyond(one, between, other) {
  return (one - between) * (other - between) > 0;
}
