// @ts-check
/**
 * The outlines of equal colours, as quadratic B-splines whose control points are the corners of the reshaped cells (3.3 in the
 * paper). Each edge between two colours is one curve, which both sides have: they meet without a gap.
 */

import { areAlike, yuvOf } from '../likeness.js';

/** @import { Picture } from '../picture.js' */
/** @import { Point } from './cells.js' */

/**
 * @typedef {[Point, Point, Point]} Arc a quadratic Bézier curve: begin, control point, end
 *
 * @typedef {object} Edge in one direction; its cell is to the right
 * @property {Point} from
 * @property {Point} to
 * @property {number} dot the colour of its cell
 * @property {Edge} twin the same edge of the cell on the other side
 *
 * @typedef {object} Outline
 * @property {number} dot
 * @property {Arc[]} arcs closed, and clockwise around what is inside
 */

/** How far a control point may be moved, in pixels, and how often all are. */
const MOST_SHIFT = 0.25;
const ROUNDS = 4;
/** A line that turns by more than 60 degrees is meant to. */
const SHARPEST = -0.5 + 1e-6;
/** Two colours that are no further apart are shades of one: an edge between them does not stand out (the paper's 100 of 255). */
const SHADE = 100 / 255;

/**
 * @param {Picture} picture with a border of one colour
 * @param {Point[][]} cells
 * @param {boolean} smooth whether control points are moved so that stairs become slopes (3.4)
 * @returns {{ outlines: Outline[], seams: Outline[] }} seams are edges between two colours of which none is transparent, with one of them
 */
export function outlinesOf(picture, cells, smooth) {
  const edges = edgesOf(picture, cells);
  const around = byBegin(edges);
  /** @type {Map<Edge, Edge>} the edge that goes on smoothly from the end of another; both lead away from the point */
  const partners = new Map();
  for (const out of around.values()) pair(out, partners);
  const places = smooth ? smoothed(around, partners) : new Map();
  const arcsOf = curves(partners, (point) => places.get(point) ?? point);

  const outlines = [];
  const seen = new Set();
  for (const first of edges) {
    if (first.dot === 0 || seen.has(first)) continue;
    /** @type {Arc[]} */
    const arcs = [];
    for (let edge = first; !seen.has(edge); edge = nextOf(edge, around)) {
      seen.add(edge);
      arcs.push(...arcsOf(edge));
    }
    outlines.push({ dot: first.dot, arcs });
  }
  const inner = edges.filter(({ dot, twin }) => dot !== 0 && twin.dot !== 0 && dot < twin.dot);
  return { outlines, seams: inner.map((edge) => ({ dot: edge.dot, arcs: arcsOf(edge) })) };
}

/** Edges between different colours. @param {Picture} picture @param {Point[][]} cells */
function edgesOf({ dots }, cells) {
  /** @type {Map<Point, Map<Point, Edge>>} */
  const all = new Map();
  /** @type {Edge[]} */
  const edges = [];
  for (const [index, cell] of cells.entries()) {
    for (const [at, from] of cell.entries()) {
      const to = cell[(at + 1) % cell.length];
      const edge = /** @type {Edge} */ ({ from, to, dot: dots[index] });
      const twin = all.get(to)?.get(from);
      if (twin === undefined) {
        if (!all.has(from)) all.set(from, new Map());
        all.get(from)?.set(to, edge);
      } else if (twin.dot !== edge.dot) {
        edge.twin = twin;
        twin.twin = edge;
        edges.push(edge, twin);
      }
    }
  }
  return edges;
}

/** The edges that lead away from each point, clockwise. @param {Edge[]} edges */
function byBegin(edges) {
  /** @type {Map<Point, Edge[]>} */
  const around = new Map();
  for (const edge of edges) {
    const out = around.get(edge.from);
    if (out === undefined) around.set(edge.from, [edge]);
    else out.push(edge);
  }
  for (const out of around.values()) out.sort((one, other) => direction(one) - direction(other));
  return around;
}

/** @param {Edge} edge */
function direction({ from, to }) {
  return Math.atan2(to.y - from.y, to.x - from.x);
}

/** The next edge around the same colour. @param {Edge} edge @param {Map<Point, Edge[]>} around */
function nextOf({ to, twin }, around) {
  const out = /** @type {Edge[]} */ (around.get(to));
  return out[(out.indexOf(twin) + out.length - 1) % out.length];
}

/**
 * Where two edges meet they go on smoothly; where three do, two of them, and the third ends there (3.3); where four do, each
 * ends.
 * @param {Edge[]} out @param {Map<Edge, Edge>} partners
 */
function pair(out, partners) {
  if (out.length > 3) return;
  const [one, other] = out.length === 2 ? out : throughOf(out);
  if (one === undefined) return;
  partners.set(one, other);
  partners.set(other, one);
}

/** Two of three: those that stand out if the third does not, else those that are straightest; none if that is not clear. @param {Edge[]} out */
function throughOf(out) {
  const bold = out.filter(({ dot, twin }) => !areShades(dot, twin.dot));
  if (bold.length === 2) return bold;
  const pairs = [
    [out[0], out[1]],
    [out[1], out[2]],
    [out[2], out[0]],
  ];
  const bends = pairs.map(([one, other]) => Math.round(1e6 * bendOf(one, other)));
  const straightest = pairs.filter((_, index) => bends[index] === Math.min(...bends));
  return straightest.length === 1 ? straightest[0] : [];
}

/** @param {number} one @param {number} other */
function areShades(one, other) {
  const [a, b] = [yuvOf(one), yuvOf(other)];
  if (areAlike(a, b)) return true;
  return a[3] === b[3] && Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 255 <= SHADE;
}

/** -1: straight on; 1: back. @param {Edge} one @param {Edge} other from the same point */
function bendOf(one, other) {
  const [ax, ay] = [one.to.x - one.from.x, one.to.y - one.from.y];
  const [bx, by] = [other.to.x - other.from.x, other.to.y - other.from.y];
  return (ax * bx + ay * by) / (Math.hypot(ax, ay) * Math.hypot(bx, by));
}

/**
 * Moves each point where a line goes on toward the middle of its neighbours, by no more than so much. All move at once, so that it does
 * not matter with which one begins.
 * @param {Map<Point, Edge[]>} around @param {Map<Edge, Edge>} partners
 * @returns {Map<Point, Point>}
 */
function smoothed(around, partners) {
  /** @type {Map<Point, Point>} */
  let places = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    /** @type {Map<Point, Point>} */
    const next = new Map();
    for (const [point, out] of around) {
      if (out.length !== 2 || !partners.has(out[0]) || bendOf(out[0], out[1]) > SHARPEST) continue;
      const now = places.get(point) ?? point;
      const [a, b] = out.map(({ to }) => places.get(to) ?? to);
      next.set(point, shifted(point, (now.x + (a.x + b.x) / 2) / 2, (now.y + (a.y + b.y) / 2) / 2));
    }
    places = next;
  }
  return places;
}

/** @param {Point} from @param {number} x @param {number} y */
function shifted(from, x, y) {
  const length = Math.hypot(x - from.x, y - from.y);
  const kept = length > MOST_SHIFT ? MOST_SHIFT / length : 1;
  return { x: from.x + (x - from.x) * kept, y: from.y + (y - from.y) * kept };
}

/**
 * The curve of each edge. A line through the control points a, p, b of a uniform quadratic B-spline is at (a + 6p + b) / 8 when it is nearest to p; there
 * its arc around p is cut in two, so that what lies on either side of a third line that ends there has its own part.
 * @param {Map<Edge, Edge>} partners
 * @param {(point: Point) => Point} placeOf
 * @returns {(edge: Edge) => Arc[]}
 */
function curves(partners, placeOf) {
  /** @type {Map<Edge, Arc[]>} */
  const known = new Map();
  /** @type {Map<Point, [Edge, Edge]>} two edges that go through a point */
  const through = new Map();
  for (const [one, other] of partners) through.set(one.from, [one, other]);

  /** Where an edge begins as a control point. @param {Edge} edge @returns {Point} */
  function begin(edge) {
    const pair = through.get(edge.from);
    const place = placeOf(edge.from);
    if (partners.has(edge) || pair === undefined) return place;
    const [a, b] = pair.map(({ to }) => placeOf(to));
    return { x: (a.x + 6 * place.x + b.x) / 8, y: (a.y + 6 * place.y + b.y) / 8 };
  }

  /** @param {Edge} edge */
  function middle(edge) {
    return between(begin(edge), begin(edge.twin));
  }

  /** From where an edge begins to its middle. @param {Edge} edge @returns {Arc} */
  function firstHalf(edge) {
    const pair = through.get(edge.from);
    const half = middle(edge);
    const place = placeOf(edge.from);
    if (pair === undefined) return [place, between(place, half), half];
    const [a, b] = pair.map(middle);
    const start = { x: (a.x + 2 * place.x + b.x) / 4, y: (a.y + 2 * place.y + b.y) / 4 };
    return [start, partners.has(edge) ? between(place, half) : between(start, half), half];
  }

  return function arcsOf(edge) {
    let arcs = known.get(edge);
    if (arcs === undefined) {
      const [end, control, half] = firstHalf(edge.twin);
      arcs = [firstHalf(edge), [half, control, end]];
      known.set(edge, arcs);
    }
    return arcs;
  };
}

/** @param {Point} one @param {Point} other */
function between(one, other) {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
