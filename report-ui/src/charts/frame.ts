/** What the charts have in common: panels stacked over one x axis, grid, ticks, bounds, and the stops of the cursor. */

import type { Tone } from '../document.ts';
import { pixel } from '../marks.ts';
import type { Scale } from '../scale.ts';
import { type Child, h, type Tree } from '../tree.ts';

export interface Chart {
  svg: Tree;
  width: number;
  height: number;
  /** Where the cursor may stop, from left to right. */
  stops: Stop[];
}

/** A place of the cursor and what is known there. */
export interface Stop {
  x: number;
  title: string;
  tone?: Tone;
  verdict?: string;
  rows: [name: string, figure: string][];
  /** Points that the cursor rings. */
  rings: [x: number, y: number][];
}

export interface Panel {
  title: string;
  height: number;
  /** Made for the range that the panel is given, bottom first. */
  scale(range: readonly [number, number]): Scale;
  tick(value: number): string;
  /** What is drawn, back to front. */
  marks(y: Scale): Child[];
  bounds?: Bound[];
  /** Names of lines, in the order of their drawing, with the class of each. */
  key?: { name: string; class: string }[];
}

/** A bound of an objective: the side beyond it is breached. */
export interface Bound {
  value: number;
  label: string;
  allowed: 'below' | 'above';
}

export interface Frame {
  width: number;
  label: string;
  x: Scale;
  xTick(value: number): string;
  xTitle: string;
  panels: Panel[];
  /** Drawn behind all panels over their whole height. */
  behind?(top: number, bottom: number): Child[];
  /** Drawn before all panels over their whole height. */
  before?(top: number, bottom: number): Child[];
  /** Height to keep free above the first panel. */
  head?: number;
}

const titleHeight = 27;
const axisHeight = 40;
const gap = 14;

/** Left and right end of the plots in a chart of this width. */
export const plot = (width: number): readonly [number, number] => [width < 480 ? 54 : 60, width - 16];

/** Stacks the panels; gives each panel's y scale to `stops`, which says where the cursor may stop. */
export function frame(spec: Frame, stops: (ys: Scale[]) => Stop[]): Chart {
  const [left, right] = plot(spec.width);
  let y = spec.head ?? 0;
  const ys: Scale[] = [];
  const panels: Tree[] = [];
  const top = y + titleHeight;
  let bottom = top;
  for (const panel of spec.panels) {
    const from = y + titleHeight;
    bottom = from + panel.height;
    const scale = panel.scale([bottom, from]);
    ys.push(scale);
    panels.push(drawn(panel, scale, { left, right, top: from, bottom }));
    y = bottom + gap;
  }
  const height = bottom + axisHeight;
  const svg = h(
    'svg',
    { viewBox: `0 0 ${spec.width} ${pixel(height)}`, role: 'img', 'aria-label': spec.label, class: 'chart' },
    h('g', { class: 'behind' }, spec.behind?.(top, bottom) ?? []),
    panels,
    h('g', { class: 'axis' }, xAxis(spec, bottom)),
    h('g', { class: 'before' }, spec.before?.(top, bottom) ?? []),
    h('g', { class: 'cursor', visibility: 'hidden' }, h('line', { y1: pixel(top), y2: pixel(bottom) })),
  );
  return { svg, width: spec.width, height, stops: stops(ys).sort((a, b) => a.x - b.x) };
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function drawn(panel: Panel, y: Scale, box: Box): Tree {
  const wanted = Math.max(2, Math.floor(panel.height / 30));
  // A single tick would leave the size of everything else open.
  const few = y.ticks(wanted);
  const ticks = few.length > 1 ? few : y.ticks(wanted * 2);
  return h(
    'g',
    { class: 'panel' },
    h('text', { class: 'title', x: 0, y: pixel(box.top - 11) }, panel.title),
    panelKey(panel, box),
    ticks.flatMap((tick) => [
      h('line', {
        class: 'grid',
        x1: pixel(box.left),
        x2: pixel(box.right),
        y1: pixel(y.at(tick)),
        y2: pixel(y.at(tick)),
      }),
      h(
        'text',
        { class: 'tick', x: pixel(box.left - 7), y: pixel(y.at(tick) + 4), 'text-anchor': 'end' },
        panel.tick(tick),
      ),
    ]),
    (panel.bounds ?? []).map((bound) => drawnBound(bound, y, box)),
    panel.marks(y),
    h('line', {
      class: 'base',
      x1: pixel(box.left),
      x2: pixel(box.right),
      y1: pixel(box.bottom),
      y2: pixel(box.bottom),
    }),
  );
}

/** The side beyond the bound is tinted, the bound itself dashed and named. */
function drawnBound(bound: Bound, y: Scale, box: Box): Tree {
  const at = y.at(bound.value);
  const beyond =
    bound.allowed === 'below' ? { y: box.top, height: at - box.top } : { y: at, height: box.bottom - at };
  const room = bound.allowed === 'below' ? at - box.top > 17 : box.bottom - at > 17;
  const labelAt = (bound.allowed === 'below') === room ? at - 5 : at + 14;
  return h(
    'g',
    { class: 'bound' },
    h('rect', {
      class: 'beyond',
      x: pixel(box.left),
      width: pixel(box.right - box.left),
      y: pixel(beyond.y),
      height: pixel(Math.max(beyond.height, 0)),
    }),
    h('line', { x1: pixel(box.left), x2: pixel(box.right), y1: pixel(at), y2: pixel(at) }),
    h(
      'text',
      { x: pixel(box.left + 6), y: pixel(labelAt) },
      shortened(bound.label, (box.right - box.left) / 7),
    ),
  );
}

/** Line samples with their names, right of the title. */
function panelKey(panel: Panel, box: Box): Child {
  if (!panel.key) return null;
  let x = box.right;
  const entries = [...panel.key].reverse().map((entry) => {
    const textAt = x;
    x -= entry.name.length * 6.9 + 8;
    const sample = h('line', {
      class: entry.class,
      x1: pixel(x - 18),
      x2: pixel(x),
      y1: pixel(box.top - 15),
      y2: pixel(box.top - 15),
    });
    x -= 32;
    return [
      h('text', { x: pixel(textAt), y: pixel(box.top - 11), 'text-anchor': 'end' }, entry.name),
      sample,
    ];
  });
  return h('g', { class: 'key' }, entries.flat());
}

function xAxis(spec: Frame, bottom: number): Child[] {
  const [left, right] = plot(spec.width);
  const ticks = spec.x.ticks(Math.max(2, Math.floor((right - left) / 88)));
  return [
    ...ticks.flatMap((tick) => [
      h('line', {
        class: 'base',
        x1: pixel(spec.x.at(tick)),
        x2: pixel(spec.x.at(tick)),
        y1: pixel(bottom),
        y2: pixel(bottom + 4),
      }),
      h(
        'text',
        { class: 'tick', x: pixel(spec.x.at(tick)), y: pixel(bottom + 19), 'text-anchor': 'middle' },
        spec.xTick(tick),
      ),
    ]),
    h('text', { class: 'tick', x: pixel(right), y: pixel(bottom + 35), 'text-anchor': 'end' }, spec.xTitle),
  ];
}

/** A line through the points; a gap where a value is missing. A point between two gaps is a short line. */
export function path(
  points: readonly (readonly [x: number, y: number | null])[],
  className: string,
): Tree | null {
  let d = '';
  let drawing = false;
  for (const [i, [x, y]] of points.entries()) {
    if (y === null) {
      drawing = false;
      continue;
    }
    if (!drawing && (points[i + 1]?.[1] ?? null) === null) {
      d += `M${pixel(x - 3)} ${pixel(y)}H${pixel(x + 3)}`;
      continue;
    }
    d += `${drawing ? 'L' : 'M'}${pixel(x)} ${pixel(y)}`;
    drawing = true;
  }
  return d ? h('path', { class: className, d }) : null;
}

/** At most `longest` characters. */
export const shortened = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, Math.max(longest - 1, 1)).trimEnd()}…` : text;

/** Summary of an axis tick: without needless zeros. */
export const bareTick = (text: string): string =>
  text.replace(/\.0+(?=\D|$)/, '').replace(/(\.\d*[1-9])0+(?=\D|$)/, '$1');
