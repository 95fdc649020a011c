// @ts-check
/** The page: a place on the lattice, sprites on it, and throws over its edges. */

import { createDrawn } from './drawn.js';
import { painting } from './paint.js';
import { nameOf, SHELF } from './pixels.js';
import { connect } from './way.js';

/** @typedef {import('../sprite.js').Sprite} Sprite */
/** @typedef {Sprite & { from?: string, x: number, y: number, vx: number, vy: number }} Flying in
 *   tiles: 0 to 1 from the left and from the top */

const SIDES = /** @type {const} */ (['up', 'right', 'down', 'left']);
/** Toward each side, with y downwards as on screens. */
const TOWARD = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
/** How much of its speed a sprite keeps in a second, and the speed at which it lies still. */
const GLIDE = 0.2;
const STILL = 0.02;
const THROW_SPEED = 1.4;
const MOST_SPEED = 4;
const MOST_SPRITES = 12;
const MOST_LINES = 5;
/** Of the tile, what a sprite takes. */
const EXTENT = 0.13;
/** Of a sprite to take, in CSS pixels. */
const SHELF_SIDE = 40;

const tile = /** @type {HTMLElement} */ (document.getElementById('tile'));
const canvas = /** @type {HTMLCanvasElement} */ (tile.querySelector('canvas'));
const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
const who = /** @type {HTMLElement} */ (document.getElementById('who'));
const log = /** @type {HTMLElement} */ (document.getElementById('log'));
const way = /** @type {HTMLSelectElement} */ (document.getElementById('way'));
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Flying[]} the chosen one is the last */
let sprites = [];
/** @type {Record<string, string>} */
let neighbours = {};
/** @type {{ sprite: Flying, points: { x: number, y: number, time_ms: number }[] } | undefined} */
let held;

let method = '';
const drawn = createDrawn({ onMethod: drawBy });

const line = connect({ way: way.value, onNews, onState: say });

// What the server says.

/** @param {any} news */
function onNews(news) {
  if (news.place !== undefined) showPlace(news.place);
  if (news.missed > 0) say(`${news.missed} sprites did not fit and are lost.`);
  if (news.restarted) say('Back after a crash; what was under way to you may be lost.');
  for (const sprite of news.sprites) arrive(sprite);
}

/** @param {{ you: string, cell: number[], neighbours: Record<string, string>, people: number }} place */
function showPlace(place) {
  neighbours = place.neighbours;
  const others = Math.max(place.people, 1 + Object.keys(neighbours).length);
  who.textContent = `You are ${nameOf(place.you).name}, at ${place.cell.join(', ')}; ${others} here.`;
  for (const edge of edges()) {
    const side = /** @type {string} */ (edge.dataset.side);
    const address = neighbours[side];
    edge.classList.toggle('present', address !== undefined);
    edge.disabled = address === undefined;
    const { name, hue } = nameOf(address ?? '');
    edge.style.setProperty('--hue', `${hue}`);
    edge.textContent = address === undefined ? 'nobody' : name;
    edge.setAttribute('aria-label', address === undefined ? `Nobody ${side}` : `Throw ${side}, to ${name}`);
  }
}

/** @param {Sprite & { from: string }} sprite */
function arrive(sprite) {
  const { from, at, speed } = sprite;
  const side = from === 'anywhere' ? SIDES[Math.floor(Math.random() * 4)] : from;
  const [dx, dy] = TOWARD[/** @type {keyof typeof TOWARD} */ (side)];
  const flying = put(sprite, dx === 0 ? at : (dx + 1) / 2, dy === 0 ? at : (dy + 1) / 2);
  flying.vx = -dx * speed;
  flying.vy = -dy * speed;
  if (calm.matches) land(flying);
  say(`${sprite.name} from ${from === 'anywhere' ? 'anywhere' : `the ${from} side`}.`);
}

/** @param {string} text */
function say(text) {
  const item = document.createElement('li');
  item.textContent = text;
  log.prepend(item);
  while (log.children.length > MOST_LINES) log.lastElementChild?.remove();
}

// What is on the tile.

/** @param {Sprite} sprite @param {number} x @param {number} y @returns {Flying} */
function put({ name, pixels, at, speed }, x, y) {
  const flying = { name, pixels, at, speed, x, y, vx: 0, vy: 0 };
  sprites.push(flying);
  if (sprites.length > MOST_SPRITES) sprites = sprites.slice(-MOST_SPRITES);
  return flying;
}

/** Where it would come to rest. @param {Flying} sprite */
function land(sprite) {
  const far = -1 / Math.log(GLIDE);
  sprite.x = within(sprite.x + sprite.vx * far);
  sprite.y = within(sprite.y + sprite.vy * far);
  sprite.vx = 0;
  sprite.vy = 0;
}

/** @param {number} value */
function within(value) {
  return Math.min(Math.max(value, EXTENT / 2), 1 - EXTENT / 2);
}

let before_ms = performance.now();

/** @param {number} now_ms */
function frame(now_ms) {
  const elapsed_s = Math.min(now_ms - before_ms, 100) / 1e3;
  before_ms = now_ms;
  for (const sprite of [...sprites]) if (sprite !== held?.sprite) move(sprite, elapsed_s);
  draw();
  const chosen = sprites.at(-1);
  if (chosen !== undefined) drawn.show(chosen);
  requestAnimationFrame(frame);
}

/** @param {Flying} sprite @param {number} elapsed_s */
function move(sprite, elapsed_s) {
  sprite.x += sprite.vx * elapsed_s;
  sprite.y += sprite.vy * elapsed_s;
  const kept = GLIDE ** elapsed_s;
  sprite.vx *= kept;
  sprite.vy *= kept;
  if (Math.hypot(sprite.vx, sprite.vy) < STILL) {
    sprite.vx = 0;
    sprite.vy = 0;
  }
  const side = sideCrossed(sprite);
  if (side === undefined) return;
  if (neighbours[side] !== undefined) send(sprite, side);
  else bounce(sprite, side);
}

/** The side over which a sprite is leaving. @param {Flying} sprite */
function sideCrossed({ x, y, vx, vy }) {
  if (x > 1 && vx > 0) return 'right';
  if (x < 0 && vx < 0) return 'left';
  if (y > 1 && vy > 0) return 'down';
  if (y < 0 && vy < 0) return 'up';
  return undefined;
}

/** @param {Flying} sprite @param {string} side */
function bounce(sprite, side) {
  if (side === 'left' || side === 'right') sprite.vx *= -0.6;
  else sprite.vy *= -0.6;
  sprite.x = Math.min(Math.max(sprite.x, 0), 1);
  sprite.y = Math.min(Math.max(sprite.y, 0), 1);
}

function draw() {
  const ratio = devicePixelRatio || 1;
  const side = Math.round(canvas.clientWidth * ratio);
  if (canvas.width !== side || canvas.height !== side) {
    canvas.width = side;
    canvas.height = side;
  }
  brush.clearRect(0, 0, side, side);
  const size = Math.round(EXTENT * side);
  for (const sprite of sprites) {
    const x = Math.round(sprite.x * side - size / 2);
    const y = Math.round(sprite.y * side - size / 2);
    brush.drawImage(painting(sprite.pixels, method, size), x, y);
    if (sprite === sprites.at(-1)) {
      brush.strokeStyle = getComputedStyle(tile).color;
      brush.setLineDash([3 * ratio, 3 * ratio]);
      brush.strokeRect(x - 2 * ratio, y - 2 * ratio, size + 4 * ratio, size + 4 * ratio);
    }
  }
}

// What is thrown.

/** @param {Flying} sprite @param {string} to */
function send(sprite, to) {
  sprites = sprites.filter((other) => other !== sprite);
  const { name, pixels } = sprite;
  const at = to === 'left' || to === 'right' ? sprite.y : sprite.x;
  const speed = Math.min(Math.max(Math.hypot(sprite.vx, sprite.vy), 0.3), MOST_SPEED);
  line.throw(to, { name, pixels, at: Math.min(Math.max(at, 0), 1), speed });
}

/** The chosen sprite, or a new one if there is none. */
function chosen() {
  return sprites.at(-1) ?? put({ ...SHELF[0], at: 0.5, speed: 1 }, 0.5, 0.5);
}

/** @param {keyof typeof TOWARD} side */
function throwToward(side) {
  const sprite = chosen();
  const [dx, dy] = TOWARD[side];
  sprite.vx = dx * THROW_SPEED;
  sprite.vy = dy * THROW_SPEED;
  if (!calm.matches) return;
  if (neighbours[side] !== undefined) send(sprite, side);
  else land(sprite);
}

function edges() {
  return /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll('.edge')]);
}

// What people do.

for (const edge of edges()) {
  edge.addEventListener('click', () => throwToward(/** @type {keyof typeof TOWARD} */ (edge.dataset.side)));
}

document.getElementById('anyone')?.addEventListener('click', () => send(chosen(), 'anyone'));
way.addEventListener('change', () => line.use(way.value));

/** @type {{ pixels: string, brush: CanvasRenderingContext2D }[]} */
const shelf = [];

/** From now on, sprites are drawn by another method. @param {string} id */
function drawBy(id) {
  method = id;
  for (const { pixels, brush } of shelf) {
    const side = Math.round(SHELF_SIDE * (devicePixelRatio || 1));
    brush.canvas.width = side;
    brush.canvas.height = side;
    brush.drawImage(painting(pixels, method, side), 0, 0);
  }
}

for (const { name, pixels } of SHELF) {
  const button = document.createElement('button');
  button.type = 'button';
  const picture = document.createElement('canvas');
  shelf.push({ pixels, brush: /** @type {CanvasRenderingContext2D} */ (picture.getContext('2d')) });
  button.append(picture, name);
  button.addEventListener('click', () => {
    put({ name, pixels, at: 0.5, speed: 1 }, 0.3 + 0.4 * Math.random(), 0.3 + 0.4 * Math.random());
  });
  document.getElementById('shelf')?.append(button);
}

// Its keys throw sprites; it is reached like any control.
tile.tabIndex = 0;
tile.addEventListener('keydown', (event) => {
  const side = event.key.replace('Arrow', '').toLowerCase();
  if (side in TOWARD) throwToward(/** @type {keyof typeof TOWARD} */ (side));
  else if (event.key === 'n' || event.key === 'N')
    sprites.unshift(.../** @type {Flying[]} */ (sprites.splice(-1)));
  else return;
  event.preventDefault();
});

/** @param {PointerEvent} event */
function point(event) {
  const box = tile.getBoundingClientRect();
  return {
    x: (event.clientX - box.left) / box.width,
    y: (event.clientY - box.top) / box.height,
    time_ms: event.timeStamp,
  };
}

tile.addEventListener('pointerdown', (event) => {
  const at = point(event);
  const sprite = sprites.findLast(
    ({ x, y }) => Math.max(Math.abs(x - at.x), Math.abs(y - at.y)) < EXTENT / 1.5,
  );
  if (sprite === undefined) return;
  sprites = [...sprites.filter((other) => other !== sprite), sprite];
  sprite.vx = 0;
  sprite.vy = 0;
  held = { sprite, points: [at] };
  tile.setPointerCapture(event.pointerId);
});

tile.addEventListener('pointermove', (event) => {
  if (held === undefined) return;
  const at = point(event);
  held.sprite.x = at.x;
  held.sprite.y = at.y;
  held.points = [...held.points, at].slice(-5);
});

/** The sprite flies on as fast as the hand was, and over an edge at once if the hand was there. */
function letGo() {
  if (held === undefined) return;
  const { sprite, points } = held;
  held = undefined;
  const [first, last] = [points[0], /** @type {typeof points[0]} */ (points.at(-1))];
  const elapsed_s = Math.max(last.time_ms - first.time_ms, 16) / 1e3;
  sprite.vx = bounded((last.x - first.x) / elapsed_s);
  sprite.vy = bounded((last.y - first.y) / elapsed_s);
  if (sprite.x > 1) sprite.vx = Math.max(sprite.vx, 0.5);
  if (sprite.x < 0) sprite.vx = Math.min(sprite.vx, -0.5);
  if (sprite.y > 1) sprite.vy = Math.max(sprite.vy, 0.5);
  if (sprite.y < 0) sprite.vy = Math.min(sprite.vy, -0.5);
}

/** @param {number} speed */
function bounded(speed) {
  return Math.min(Math.max(speed, -MOST_SPEED), MOST_SPEED);
}

tile.addEventListener('pointerup', letGo);
tile.addEventListener('pointercancel', letGo);

drawBy(drawn.method);
put({ ...SHELF[0], at: 0.5, speed: 1 }, 0.5, 0.5);
requestAnimationFrame(frame);
