// @ts-check
/**
 * Pixels as shapes with smooth outlines, at any size: the method of J. Kopf and D. Lischinski, "Depixelizing Pixel Art" (ACM Transactions on
 * Graphics 30(4), SIGGRAPH 2011), with flat colours instead of diffusion.
 */

import { blank, textOfDot } from '../picture.js';
import { cellsOf } from './cells.js';
import { outlinesOf } from './outlines.js';

/** @import { Picture } from '../picture.js' */
/** @import { Arc } from './outlines.js' */

const DIGITS = 1e3;

/**
 * @typedef {object} Drawing in units of pixels
 * @property {number} width
 * @property {number} height
 * @property {{ colour: string, path: string, outlines: number }[]} shapes one for each colour, to be filled
 * @property {{ colour: string, path: string }[]} seams drawn below the shapes, so that nothing shines through between two of them
 */

/** @param {Picture} picture @param {{ smooth?: boolean }} [options] @returns {Drawing} */
export function vectorize(picture, { smooth = true } = {}) {
  const framed = withFrame(picture);
  const { outlines, seams } = outlinesOf(framed, cellsOf(framed), smooth);
  return {
    width: picture.width,
    height: picture.height,
    shapes: byColour(outlines, closedPath),
    seams: byColour(seams, openPath),
  };
}

/** A transparent pixel on each side, so that outlines at the border are closed. @param {Picture} picture @returns {Picture} */
function withFrame({ width, height, dots }) {
  const framed = blank(width + 2, height + 2);
  for (let y = 0; y < height; y += 1) {
    framed.dots.set(dots.subarray(y * width, (y + 1) * width), (y + 1) * framed.width + 1);
  }
  return framed;
}

/** @param {{ dot: number, arcs: Arc[] }[]} lines @param {(arcs: Arc[]) => string} write */
function byColour(lines, write) {
  /** @type {Map<number, string[]>} */
  const paths = new Map();
  for (const { dot, arcs } of lines) paths.set(dot, [...(paths.get(dot) ?? []), write(arcs)]);
  return [...paths].map(([dot, all]) => ({
    colour: textOfDot(dot),
    path: all.join(''),
    outlines: all.length,
  }));
}

/** @param {Arc[]} arcs */
function closedPath(arcs) {
  return `${openPath(arcs)}Z`;
}

/** @param {Arc[]} arcs */
function openPath(arcs) {
  const [[first]] = arcs;
  return `M${numbers(first)}${arcs.map(([, control, end]) => `Q${numbers(control)} ${numbers(end)}`).join('')}`;
}

/** Without the frame. @param {{ x: number, y: number }} point */
function numbers({ x, y }) {
  return `${rounded(x - 1)} ${rounded(y - 1)}`;
}

/** @param {number} value */
function rounded(value) {
  return Math.round(value * DIGITS) / DIGITS + 0;
}
