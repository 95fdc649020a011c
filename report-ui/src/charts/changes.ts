/** How each figure changes: its interval, and the change as every block saw it, on one axis for all figures. */

import type { Comparison } from '../comparison.ts';
import type { Tone } from '../document.ts';
import * as figures from '../figures.ts';
import { axes, names, range, summaries } from '../labels.ts';
import { of, pixel, type Verdicts } from '../marks.ts';
import { extent, linear } from '../scale.ts';
import type { FigureFinding } from '../shared.ts';
import { h, type Tree } from '../tree.ts';
import type { Chart, Stop } from './frame.ts';

const rowHeight = 46;
const axisHeight = 40;
/** A block that lies further out than this many times the intervals is drawn at the edge. */
const reach = 2;

export function changesChart(comparison: Comparison, width: number, verdicts: Verdicts): Chart | null {
  const rows = comparison.figures.filter((figure) => figure.figure !== 'errors');
  const ends = extent(rows.flatMap((row) => [row.change_low, row.change_high, 0]));
  if (!ends) return null;
  const furthest = Math.max(-ends[0], ends[1], 0.01) * reach;
  const blocks = extent(rows.flatMap((row) => row.block_changes)) ?? ends;
  const low = Math.max(-furthest, Math.min(ends[0], blocks[0]));
  const high = Math.min(furthest, Math.max(ends[1], blocks[1]));
  const [left, right] = [22, width - 26];
  const x = linear([low, high], [left, right]);
  const bottom = rows.length * rowHeight;
  const height = bottom + axisHeight;
  const stops: Stop[] = [];
  const drawn = rows.map((row, i) => {
    const y = i * rowHeight + 31;
    stops.push(stopOf(row, verdicts, x.at(row.change), y));
    return rowOf(comparison, row, of(verdicts, row.verdict).tone, x.at, left, y);
  });
  const ticks = x.ticks(Math.max(2, Math.floor((right - left) / 88)));
  const svg = h(
    'svg',
    {
      viewBox: `0 0 ${width} ${pixel(height)}`,
      role: 'img',
      'aria-label': summaries.changes(rows.length),
      class: 'chart',
    },
    ticks.map((tick) =>
      h('line', {
        class: tick === 0 ? 'base' : 'grid',
        x1: pixel(x.at(tick)),
        x2: pixel(x.at(tick)),
        y1: 6,
        y2: pixel(bottom),
      }),
    ),
    drawn,
    h('line', { class: 'base', x1: pixel(left), x2: pixel(right), y1: pixel(bottom), y2: pixel(bottom) }),
    ticks.map((tick) =>
      h(
        'text',
        { class: 'tick', x: pixel(x.at(tick)), y: pixel(bottom + 17), 'text-anchor': 'middle' },
        figures.signedShare(tick),
      ),
    ),
    h('text', { class: 'tick', x: pixel(right), y: pixel(bottom + 34), 'text-anchor': 'end' }, axes.change),
    h('g', { class: 'cursor', visibility: 'hidden' }, h('line', { y1: 6, y2: pixel(bottom) })),
  );
  return { svg, width, height, stops: stops.sort((a, b) => a.x - b.x) };
}

function rowOf(
  comparison: Comparison,
  row: FigureFinding,
  tone: Tone,
  at: (value: number) => number,
  left: number,
  y: number,
): Tree {
  const name = comparison.variants.length > 2 ? `${row.variant}: ${row.text}` : row.text;
  const [from, to] = [at(row.change_low), at(row.change_high)];
  return h(
    'g',
    { class: `change ${tone}` },
    h('text', { class: 'title', x: pixel(left), y: pixel(y - 15) }, name),
    h('rect', {
      class: 'interval',
      x: pixel(from),
      width: pixel(Math.max(to - from, 1)),
      y: pixel(y - 7),
      height: 14,
    }),
    row.block_changes.map((change) =>
      h('circle', { class: 'block', cx: pixel(at(change)), cy: pixel(y), r: 2.6 }),
    ),
    h('line', {
      class: 'estimate',
      x1: pixel(at(row.change)),
      x2: pixel(at(row.change)),
      y1: pixel(y - 10),
      y2: pixel(y + 10),
    }),
  );
}

function stopOf(row: FigureFinding, verdicts: Verdicts, x: number, y: number): Stop {
  const verdict = of(verdicts, row.verdict);
  return {
    x,
    title: row.text,
    tone: verdict.tone,
    verdict: verdict.text,
    rows: [
      [names.variant, row.variant],
      [names.change, figures.signedShare(row.change)],
      [names.interval, range(figures.signedShare(row.change_low), figures.signedShare(row.change_high))],
      [names.detectable, figures.share(row.detectable)],
    ],
    rings: [[x, y]],
  };
}
