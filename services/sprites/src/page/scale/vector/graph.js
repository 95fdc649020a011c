// @ts-check
/**
 * Which pixels belong together: the similarity graph of Kopf and Lischinski, "Depixelizing Pixel Art" (SIGGRAPH 2011), 3.2. Each
 * pixel is linked with those of its eight neighbours that look like it; where two diagonal links cross, one or both go.
 */

import { createLikeness } from '../likeness.js';

/** @import { Picture } from '../picture.js' */

/** Steps to neighbours, clockwise; the opposite of one is four further. */
const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];
const [EAST, SOUTH_EAST, SOUTH, SOUTH_WEST] = [0, 1, 2, 3];
/** Of the square around a crossing in which it is counted how large each side is. */
const WINDOW_REACH = 3;
/** The weight of not leaving a pixel alone. */
const ISLAND = 5;

export class Graph {
  /** @type {number} */
  #width;
  /** @type {number} */
  #height;
  /** A bit for each step. @type {Uint8Array} */
  #links;

  /** @param {Picture} picture */
  constructor({ width, height, dots }) {
    this.#width = width;
    this.#height = height;
    this.#links = new Uint8Array(width * height);
    const alike = createLikeness();
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        for (const [step, [dx, dy]] of STEPS.entries()) {
          if (!this.#isInside(x + dx, y + dy)) continue;
          if (alike(dots[y * width + x], dots[(y + dy) * width + x + dx]))
            this.#links[y * width + x] |= 1 << step;
        }
      }
    }
    this.#resolve();
  }

  /** @param {number} x @param {number} y @param {number} step */
  #isLinked(x, y, step) {
    return this.#isInside(x, y) && (this.#links[y * this.#width + x] & (1 << step)) !== 0;
  }

  /** Whether a pixel is linked with the one to its right and below. @param {number} x @param {number} y */
  fallsAt(x, y) {
    return this.#isLinked(x, y, SOUTH_EAST);
  }

  /** Whether the pixel to the right is linked with the one below. @param {number} x @param {number} y */
  risesAt(x, y) {
    return this.#isLinked(x + 1, y, SOUTH_WEST);
  }

  /** @param {number} x @param {number} y */
  #isInside(x, y) {
    return x >= 0 && y >= 0 && x < this.#width && y < this.#height;
  }

  /** Crossings are judged before any link goes by them, so that it does not matter from which corner one begins. */
  #resolve() {
    const crossings = this.#crossings();
    // Where all four pixels look alike, nothing is lost without the diagonals.
    const open = crossings.filter(([x, y]) => {
      const isFlat =
        this.#isLinked(x, y, EAST) &&
        this.#isLinked(x, y, SOUTH) &&
        this.#isLinked(x + 1, y, SOUTH) &&
        this.#isLinked(x, y + 1, EAST);
      if (isFlat) {
        this.#cut(x, y, SOUTH_EAST);
        this.#cut(x + 1, y, SOUTH_WEST);
      }
      return !isFlat;
    });
    const votes = open.map(([x, y]) => this.#vote(x, y));
    for (const [index, [x, y]] of open.entries()) {
      if (votes[index] <= 0) this.#cut(x, y, SOUTH_EAST);
      if (votes[index] >= 0) this.#cut(x + 1, y, SOUTH_WEST);
    }
  }

  #crossings() {
    /** @type {[number, number][]} */
    const found = [];
    for (let y = 0; y + 1 < this.#height; y += 1) {
      for (let x = 0; x + 1 < this.#width; x += 1) {
        if (this.fallsAt(x, y) && this.risesAt(x, y)) found.push([x, y]);
      }
    }
    return found;
  }

  /** @param {number} x @param {number} y @param {number} step */
  #cut(x, y, step) {
    const [dx, dy] = STEPS[step];
    this.#links[y * this.#width + x] &= ~(1 << step);
    this.#links[(y + dy) * this.#width + x + dx] &= ~(1 << ((step + 4) % 8));
  }

  /** Above 0 for the link that falls, below 0 for the one that rises. @param {number} x @param {number} y */
  #vote(x, y) {
    const curves = this.#curveLength(x, y, SOUTH_EAST) - this.#curveLength(x + 1, y, SOUTH_WEST);
    // The smaller side is a feature; the larger one is the ground.
    const sparse = this.#sizeNear(x, y, x + 1, y) - this.#sizeNear(x, y, x, y);
    const falls = this.#isEnd(x, y) || this.#isEnd(x + 1, y + 1);
    const rises = this.#isEnd(x + 1, y) || this.#isEnd(x, y + 1);
    return curves + sparse + ISLAND * (Number(falls) - Number(rises));
  }

  /** @param {number} x @param {number} y */
  #steps(x, y) {
    const links = this.#links[y * this.#width + x];
    return STEPS.flatMap((_, step) => ((links & (1 << step)) === 0 ? [] : [step]));
  }

  /** @param {number} x @param {number} y */
  #isEnd(x, y) {
    return this.#steps(x, y).length === 1;
  }

  /** Links in a row that has no branches. @param {number} x @param {number} y @param {number} step that begins it */
  #curveLength(x, y, step) {
    const [dx, dy] = STEPS[step];
    const ahead = this.#walk(x, y, step, [x, y]);
    // One that comes back to its start was walked as a whole.
    if (ahead.closed) return ahead.length;
    return ahead.length + this.#walk(x + dx, y + dy, (step + 4) % 8, [x + dx, y + dy]).length - 1;
  }

  /** @param {number} x @param {number} y @param {number} step @param {[number, number]} start */
  #walk(x, y, step, [startX, startY]) {
    for (let length = 1; ; length += 1) {
      x += STEPS[step][0];
      y += STEPS[step][1];
      if (x === startX && y === startY) return { length, closed: true };
      const on = this.#steps(x, y);
      if (on.length !== 2) return { length, closed: false };
      const back = (step + 4) % 8;
      step = on[0] === back ? on[1] : on[0];
    }
  }

  /** How many pixels hang together with one, in the window around the crossing. @param {number} x @param {number} y @param {number} fromX @param {number} fromY */
  #sizeNear(x, y, fromX, fromY) {
    /** @param {number} place @param {number} begin */
    const isNear = (place, begin) => place >= begin - WINDOW_REACH && place <= begin + 1 + WINDOW_REACH;
    const seen = new Set([fromY * this.#width + fromX]);
    for (const index of seen) {
      const [atX, atY] = [index % this.#width, Math.floor(index / this.#width)];
      for (const step of this.#steps(atX, atY)) {
        const [nextX, nextY] = [atX + STEPS[step][0], atY + STEPS[step][1]];
        if (isNear(nextX, x) && isNear(nextY, y)) seen.add(nextY * this.#width + nextX);
      }
    }
    return seen.size;
  }
}
