// @ts-check
/** Pictures as numbers: no canvas, so that the same code runs in a browser and in tests. */

/**
 * @typedef {object} Picture
 * @property {number} width
 * @property {number} height
 * @property {Uint32Array} dots row by row, 0xAABBGGRR, as the bytes of an ImageData are on any machine that has a browser
 */

/** @param {number} width @param {number} height @returns {Picture} all of it transparent */
export function blank(width, height) {
  return { width, height, dots: new Uint32Array(width * height) };
}

/** A look at any place of a picture; beside it there is more of its border. @param {Picture} picture */
export function lookAt({ width, height, dots }) {
  /** @param {number} x @param {number} y */
  return (x, y) => dots[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)];
}

/** Of red, green, blue and alpha from 0 to 255. @param {number[]} channels */
export function dotOf([red, green, blue, alpha]) {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Red, green, blue, alpha. @param {number} dot */
export function channelsOf(dot) {
  return [dot & 255, (dot >>> 8) & 255, (dot >>> 16) & 255, dot >>> 24];
}

/** @param {string} text #rrggbb or #rrggbbaa */
export function dotOfText(text) {
  const [, red, green, blue, alpha = 'ff'] = /^#(..)(..)(..)(..)?$/.exec(text) ?? [];
  return alpha === '00' ? 0 : dotOf([red, green, blue, alpha].map((digits) => Number.parseInt(digits, 16)));
}

/** For CSS and SVG. @param {number} dot */
export function textOfDot(dot) {
  const digits = channelsOf(dot).map((channel) => channel.toString(16).padStart(2, '0'));
  return `#${digits.join('').replace(/ff$/, '')}`;
}
