// @ts-check
/** How a sprite is drawn: every method side by side, at a size that a slider gives. The one that is chosen draws what flies. */

import { paint } from './paint.js';
import { METHODS } from './scale/methods.js';

const FIRST = 'vector';
/** At first two in a row on a phone, and four on a desk. */
const FIRST_SIZE = { narrow: 140, wide: 224 };

/**
 * @param {object} options
 * @param {(method: string) => void} options.onMethod
 */
export function createDrawn({ onMethod }) {
  const size = /** @type {HTMLInputElement} */ (document.getElementById('size'));
  const extent = /** @type {HTMLOutputElement} */ (document.getElementById('extent'));
  const list = /** @type {HTMLElement} */ (document.getElementById('methods'));
  const title = /** @type {HTMLElement} */ (document.getElementById('specimen'));
  const figures = METHODS.map(({ id, name, about }) => {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('role', 'img');
    const input = document.createElement('input');
    Object.assign(input, { type: 'radio', name: 'method', value: id, checked: id === FIRST });
    input.addEventListener('change', () => onMethod(id));
    const label = document.createElement('label');
    const strong = document.createElement('strong');
    strong.append(input, name);
    const line = document.createElement('span');
    line.textContent = about;
    label.append(canvas, strong, line);
    list.append(label);
    return { id, name, canvas };
  });
  let pixels = '';
  /** @type {typeof figures} those that show something else than they should */
  let stale = [];
  let isVisible = false;
  let waiting = false;

  /** One in each frame, so that what flies goes on flying. */
  function drawNext() {
    waiting = false;
    const figure = stale.shift();
    if (figure === undefined) return;
    paint(figure.canvas, pixels, figure.id, Math.round(Number(size.value) * (devicePixelRatio || 1)));
    drawSoon();
  }

  function drawSoon() {
    if (waiting || !isVisible || pixels === '') return;
    requestAnimationFrame(drawNext);
    waiting = true;
  }

  function drawAll() {
    // In their turn, or the last ones would wait as long as a slider moves.
    stale = [...stale, ...figures.filter((figure) => !stale.includes(figure))];
    drawSoon();
  }

  function resize() {
    extent.textContent = `${size.value} × ${size.value}`;
    list.style.setProperty('--size', `${size.value}px`);
    drawAll();
  }

  // Nobody waits for what is more than a screen away.
  const observer = new IntersectionObserver(
    (entries) => {
      isVisible = entries.some(({ isIntersecting }) => isIntersecting);
      drawSoon();
    },
    { rootMargin: '100%' },
  );
  observer.observe(list);
  size.value = `${matchMedia('(min-width: 52rem)').matches ? FIRST_SIZE.wide : FIRST_SIZE.narrow}`;
  size.addEventListener('input', resize);
  resize();

  return {
    method: FIRST,
    /** @param {{ name: string, pixels: string }} sprite */
    show(sprite) {
      if (sprite.pixels === pixels && title.textContent === sprite.name) return;
      pixels = sprite.pixels;
      title.textContent = sprite.name;
      for (const { name, canvas } of figures) canvas.setAttribute('aria-label', `${sprite.name}, ${name}`);
      drawAll();
    },
  };
}
