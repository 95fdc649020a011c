// @ts-check
/**
 * How sprites are enlarged. What each method makes of all sprites that there are to take is in golden/, to be looked at;
 * SPRITES_WRITE_GOLDEN=1 writes it again.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { pictureOf, SHELF, SIZE } from '../src/page/pixels.js';
import { hq } from '../src/page/scale/hq.js';
import { areAlike, yuvOf } from '../src/page/scale/likeness.js';
import { METHODS } from '../src/page/scale/methods.js';
import { nearest } from '../src/page/scale/nearest.js';
import { blank, channelsOf, dotOfText, textOfDot } from '../src/page/scale/picture.js';
import { scale2x, scale3x } from '../src/page/scale/scalex.js';
import { cellsOf } from '../src/page/scale/vector/cells.js';
import { outlinesOf } from '../src/page/scale/vector/outlines.js';
import { vectorize } from '../src/page/scale/vector/vector.js';
import { pictureOfPng, pngOf } from './png.js';

/** @import { Picture } from '../src/page/scale/picture.js' */

/** @type {Record<string, (picture: Picture) => Picture>} */
const STEPS = {
  nearest: (picture) => nearest(picture, 3 * picture.width, 3 * picture.height),
  scale2x,
  scale3x,
  hq2x: (picture) => hq(picture, 2),
  hq3x: (picture) => hq(picture, 3),
  hq4x: (picture) => hq(picture, 4),
};
const NEW_COLOURS = new Set(['hq2x', 'hq3x', 'hq4x']);

// Two of these look alike; one is nothing.
const INKS = ['#00000000', '#1b1c26', '#f2933f', '#f09240', '#3fa7d6'].map(dotOfText);
const GAP = 2;

const pictures = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
  .chain(([width, height]) =>
    fc
      .array(fc.constantFrom(...INKS), { minLength: width * height, maxLength: width * height })
      .map((dots) => /** @type {Picture} */ ({ width, height, dots: Uint32Array.from(dots) })),
  );

/** A picture of digits, each an ink. @param {string[]} rows @returns {Picture} */
function drawn(...rows) {
  return {
    width: rows[0].length,
    height: rows.length,
    dots: Uint32Array.from(rows.join(''), (digit) => INKS[Number(digit)]),
  };
}

/** @param {Picture} picture */
function digitsOf({ width, height, dots }) {
  return Array.from({ length: height }, (_, y) =>
    [...dots.subarray(y * width, (y + 1) * width)].map((dot) => INKS.indexOf(dot)).join(''),
  );
}

/** @param {Picture} picture @returns {Picture} */
function mirrored({ width, height, dots }) {
  return {
    width,
    height,
    dots: dots.map((_, index) => dots[index - (index % width) + width - 1 - (index % width)]),
  };
}

/** A quarter to the right. @param {Picture} picture @returns {Picture} */
function turned({ width, height, dots }) {
  const to = blank(height, width);
  for (const [index, dot] of dots.entries()) {
    to.dots[(index % width) * height + height - 1 - Math.floor(index / width)] = dot;
  }
  return to;
}

/** All sprites that there are to take, in a row. */
function shelf() {
  const sheet = blank(SHELF.length * (SIZE + GAP) - GAP, SIZE);
  for (const [index, { pixels }] of SHELF.entries()) {
    const { dots } = pictureOf(pixels);
    for (let y = 0; y < SIZE; y += 1) {
      sheet.dots.set(dots.subarray(y * SIZE, (y + 1) * SIZE), y * sheet.width + index * (SIZE + GAP));
    }
  }
  return sheet;
}

/** @param {string} name @param {Buffer} made */
function golden(name, made) {
  const path = new URL(`golden/${name}`, import.meta.url);
  if (process.env.SPRITES_WRITE_GOLDEN === '1') writeFileSync(path, made);
  return readFileSync(path);
}

for (const [name, step] of Object.entries(STEPS)) {
  test(`${name}_draws_the_shelf_as_it_was_looked_at`, () => {
    const made = step(shelf());
    assert.deepEqual(pictureOfPng(golden(`${name}.png`, pngOf(made))), made);
  });

  test(`${name}_leaves_what_is_flat_and_knows_no_direction`, () => {
    fc.assert(
      fc.property(pictures, (picture) => {
        const made = step(picture);
        assert.deepEqual(step(mirrored(picture)), mirrored(made));
        assert.deepEqual(step(turned(picture)), turned(made));
        const used = new Set(picture.dots);
        if (used.size === 1 || !NEW_COLOURS.has(name)) for (const dot of made.dots) assert.ok(used.has(dot));
      }),
      { numRuns: 60 },
    );
  });
}

test('nearest_is_exact_at_any_size', () => {
  const picture = drawn('123', '214');
  assert.deepEqual(digitsOf(nearest(picture, 3, 2)), ['123', '214']);
  assert.deepEqual(digitsOf(nearest(picture, 7, 3)), ['1122233', '2211144', '2211144']);
  assert.deepEqual(digitsOf(nearest(picture, 1, 1)), ['1']);
});

test('scale2x_and_scale3x_round_corners_as_published', () => {
  // A diagonal becomes a slope.
  assert.deepEqual(digitsOf(scale2x(drawn('10', '01'))), ['1100', '1010', '0101', '0011']);
  const step = drawn('000', '011', '011');
  assert.deepEqual(digitsOf(scale2x(step)).slice(2, 4), ['000111', '001111']);
  assert.deepEqual(digitsOf(scale3x(step)).slice(3, 6), ['000001111', '000011111', '000111111']);
});

test('hq_mixes_no_brighter_and_no_darker_than_what_was_there', () => {
  fc.assert(
    fc.property(pictures, fc.constantFrom(/** @type {const} */ (2), 3, 4), (picture, factor) => {
      const channels = [...new Set(picture.dots)].filter((dot) => dot !== 0).map(channelsOf);
      for (const dot of hq(picture, factor).dots) {
        if (dot === 0) continue;
        for (const [index, value] of channelsOf(dot).slice(0, 3).entries()) {
          assert.ok(value >= Math.min(...channels.map((all) => all[index])));
          assert.ok(value <= Math.max(...channels.map((all) => all[index])));
        }
      }
    }),
  );
});

test('hq_connects_a_diagonal_line_and_leaves_its_ground', () => {
  const { dots, width } = hq(drawn('22222', '21222', '22122', '22212', '22222'), 4);
  const at = (/** @type {number} */ x, /** @type {number} */ y) => dots[y * width + x];
  for (let n = 6; n < 14; n += 1) assert.equal(at(n, n), INKS[1], `the line at ${n}`);
  assert.equal(at(12, 7), INKS[2]);
});

test('vector_draws_the_shelf_as_it_was_looked_at', () => {
  const made = svgOf(vectorize(shelf()));
  assert.equal(`${golden('vector.svg', Buffer.from(made))}`, made);
});

test('vector_cells_cover_the_picture_without_gaps_or_overlaps', () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const { width, height } = picture;
      const cells = cellsOf(picture);
      let area = 0;
      const sides = new Map();
      for (const cell of cells) {
        const own = areaOf(cell);
        assert.ok(own > 0, 'clockwise, and not folded');
        area += own;
        for (const [index, from] of cell.entries()) {
          const to = cell[(index + 1) % cell.length];
          const key = `${to.x},${to.y} ${from.x},${from.y}`;
          if (!sides.delete(key)) sides.set(`${from.x},${from.y} ${to.x},${to.y}`, [from, to]);
        }
      }
      assert.equal(area, width * height);
      // What has no other side is the border.
      for (const [from, to] of sides.values()) {
        const isVertical = from.x === to.x && (from.x === 0 || from.x === width);
        assert.ok(isVertical || (from.y === to.y && (from.y === 0 || from.y === height)));
      }
    }),
  );
});

test('vector_knows_no_direction', () => {
  fc.assert(
    fc.property(pictures, fc.boolean(), (picture, smooth) => {
      const { width, height } = picture;
      const made = placesOf(picture, smooth, ([x, y]) => [x, y]);
      assert.deepEqual(
        placesOf(mirrored(picture), smooth, ([x, y]) => [width - x, y]),
        made,
      );
      assert.deepEqual(
        placesOf(turned(picture), smooth, ([x, y]) => [y, height - x]),
        made,
      );
    }),
  );
});

test('vector_edge_between_two_colours_is_one_curve', () => {
  fc.assert(
    fc.property(pictures, (picture) => {
      const dots = picture.dots.map((dot) => (dot === 0 ? INKS[1] : dot));
      const all = arcsOf({ ...picture, dots }, true);
      const keys = new Set(all.map(({ points }) => textOf(points)));
      for (const {
        points: [begin, control, end],
      } of all) {
        if (keys.has(textOf([end, control, begin]))) continue;
        // Only the border has no other side.
        const { x, y } = control;
        const depth = Math.min(x, y, picture.width - x, picture.height - y);
        assert.ok(depth < 0.6, `${depth} pixels inside`);
      }
    }),
  );
});

test('vector_keeps_a_diagonal_line_in_one_piece', () => {
  const line = drawn('12222', '21222', '22122', '22212', '22221');
  const outlines = vectorize(line).shapes.map(({ colour, outlines }) => [colour, outlines]);
  assert.deepEqual(Object.fromEntries(outlines), { [textOfDot(INKS[1])]: 1, [textOfDot(INKS[2])]: 2 });
});

test('vector_crossing_goes_to_the_curve_the_feature_and_the_island', () => {
  // The line is longer, and what it crosses is the ground, whichever is darker.
  for (const [line, ground] of ['12', '21']) {
    const rows = ['ggggg', 'glggg', 'gglgg', 'ggglg', 'ggggg'];
    const picture = drawn(...rows.map((row) => row.replaceAll('g', ground).replaceAll('l', line)));
    const shape = vectorize(picture).shapes.find(({ colour }) => colour === textOfDot(INKS[Number(line)]));
    assert.equal(shape?.outlines, 1);
  }
  // Of a chequerboard nothing is a feature: each square stays alone.
  const squares = vectorize(drawn('1212', '2121', '1212', '2121')).shapes.map(({ outlines }) => outlines);
  assert.equal(
    squares.every((count) => count > 1),
    true,
  );
});

test('likeness_has_the_published_bounds', () => {
  const alike = (/** @type {string} */ one, /** @type {string} */ other) =>
    areAlike(yuvOf(dotOfText(one)), yuvOf(dotOfText(other)));
  assert.equal(alike('#000000', '#303030'), true);
  assert.equal(alike('#000000', '#313131'), false);
  assert.equal(alike('#808080', '#808090'), false);
  assert.equal(alike('#00000000', '#000000'), false);
});

test('methods_make_pictures_that_are_large_enough_to_be_drawn_smaller', () => {
  const picture = pictureOf(SHELF[0].pixels);
  for (const { id, enlarge } of METHODS) {
    if (enlarge === undefined) continue;
    for (const width of [8, 40, 100, 128]) assert.ok(enlarge(picture, width).width >= width, id);
    assert.equal(enlarge(picture, 8).width, 8);
  }
});

/** @param {{ x: number, y: number }[]} polygon @returns {number} above 0 if it is clockwise, with y downwards */
function areaOf(polygon) {
  return polygon.reduce((sum, { x, y }, index) => {
    const next = polygon[(index + 1) % polygon.length];
    return sum + (x * next.y - next.x * y) / 2;
  }, 0);
}

/** @param {Picture} picture @param {boolean} smooth */
function arcsOf({ width, height, dots }, smooth) {
  const framed = blank(width + 2, height + 2);
  for (const [index, dot] of dots.entries()) {
    framed.dots[(Math.floor(index / width) + 1) * (width + 2) + (index % width) + 1] = dot;
  }
  const { outlines } = outlinesOf(framed, cellsOf(framed), smooth);
  return outlines.flatMap(({ dot, arcs }) =>
    arcs.map((arc) => ({ dot, points: arc.map(({ x, y }) => ({ x: x - 1, y: y - 1 })) })),
  );
}

/** Where the points of all outlines are, sorted. @param {Picture} picture @param {boolean} smooth @param {(point: number[]) => number[]} back */
function placesOf(picture, smooth, back) {
  return arcsOf(picture, smooth)
    .flatMap(({ dot, points }) =>
      points.map(({ x, y }) => `${dot} ${back([x, y]).map((value) => Math.round(1e4 * value + 0.1))}`),
    )
    .sort();
}

/** @param {{ x: number, y: number }[]} points */
function textOf(points) {
  return points.map(({ x, y }) => `${Math.round(1e4 * x + 0.1)},${Math.round(1e4 * y + 0.1)}`).join(' ');
}

/** @param {import('../src/page/scale/vector/vector.js').Drawing} drawing */
function svgOf({ width, height, shapes, seams }) {
  const lines = seams.map(
    ({ colour, path }) => `<path fill="none" stroke="${colour}" stroke-width=".1" d="${path}"/>`,
  );
  const areas = shapes.map(({ colour, path }) => `<path fill="${colour}" fill-rule="evenodd" d="${path}"/>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">\n  <title>All sprites</title>\n` +
    `${[...lines, ...areas].map((line) => `  ${line}\n`).join('')}</svg>\n`
  );
}
