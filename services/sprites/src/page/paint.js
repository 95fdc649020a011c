// @ts-check
/** Sprites painted on canvases, by any of the methods and at any size. */

import { pictureOf } from './pixels.js';
import { METHODS } from './scale/methods.js';
import { vectorize } from './scale/vector/vector.js';

/** @import { Method } from './scale/methods.js' */
/** @import { Picture } from './scale/picture.js' */
/** @import { Drawing } from './scale/vector/vector.js' */

/** What is kept: enough for a screen full of sprites. */
const MOST_KEPT = 64;

/** @type {Map<string, HTMLCanvasElement>} */
const paintings = new Map();
/** @type {Map<string, Picture>} */
const pictures = new Map();
/** @type {WeakMap<Picture, Drawing>} */
const drawings = new WeakMap();

/** @param {string} id @returns {Method} */
function methodOf(id) {
  return METHODS.find((method) => method.id === id) ?? METHODS[0];
}

/**
 * @param {string} pixels
 * @param {string} id of the method
 * @param {number} side in pixels of the screen
 * @returns {HTMLCanvasElement} to be drawn from, and not into
 */
export function painting(pixels, id, side) {
  return keep(paintings, `${id} ${side} ${pixels}`, () =>
    paint(document.createElement('canvas'), pixels, id, side),
  );
}

/**
 * What a map has, or what is made now; what was used longest ago goes.
 * @template T
 * @param {Map<string, T>} map @param {string} key @param {() => T} make
 */
function keep(map, key, make) {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST_KEPT) break;
    map.delete(oldest);
  }
  return value;
}

/** @param {HTMLCanvasElement} canvas @param {string} pixels @param {string} id @param {number} side @returns {HTMLCanvasElement} */
export function paint(canvas, pixels, id, side) {
  canvas.width = side;
  canvas.height = side;
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const picture = keep(pictures, pixels, () => pictureOf(pixels));
  const { enlarge } = methodOf(id);
  if (enlarge === undefined) fill(brush, drawingOf(picture), side);
  else copy(brush, enlarge(picture, side), side);
  return canvas;
}

/** @param {Picture} picture */
function drawingOf(picture) {
  const drawing = drawings.get(picture) ?? vectorize(picture);
  drawings.set(picture, drawing);
  return drawing;
}

/** @param {CanvasRenderingContext2D} brush @param {Drawing} drawing @param {number} side */
function fill(brush, { width, shapes, seams }, side) {
  const scale = side / width;
  brush.scale(scale, scale);
  brush.lineWidth = 1.5 / scale;
  for (const { colour, path } of seams) {
    brush.strokeStyle = colour;
    brush.stroke(new Path2D(path));
  }
  for (const { colour, path } of shapes) {
    brush.fillStyle = colour;
    brush.fill(new Path2D(path), 'evenodd');
  }
}

/** @param {CanvasRenderingContext2D} brush @param {Picture} picture @param {number} side */
function copy(brush, { width, height, dots }, side) {
  const bytes = new Uint8ClampedArray(/** @type {ArrayBuffer} */ (dots.buffer));
  const image = new ImageData(bytes, width, height);
  if (width === side) {
    brush.putImageData(image, 0, 0);
    return;
  }
  const whole = document.createElement('canvas');
  whole.width = width;
  whole.height = height;
  whole.getContext('2d')?.putImageData(image, 0, 0);
  // Mostly it was made larger than it is needed, and is averaged down.
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(whole, 0, 0, side, side);
}
