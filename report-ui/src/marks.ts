/** The marks of verdicts. A mark has a shape of its own, so that colour only repeats what it says. */

import type { Badge, Tone } from './document.ts';
import { h, type Tree } from './tree.ts';

/** The verdicts of charts by their codes. */
export type Verdicts = Record<string, Badge>;

/** The mark and word of a verdict. */
export const of = (verdicts: Verdicts, code: string): Badge =>
  verdicts[code] ?? { tone: 'unknown', text: code };

/** A mark around a point: a disc passed, a cross breached, a triangle is doubtful, a hollow square is unknown. */
export function mark(tone: Tone, x: number, y: number, radius = 4.5): Tree {
  const at = (dx: number, dy: number) => `${pixel(x + dx * radius)} ${pixel(y + dy * radius)}`;
  const shape = (d: string) => h('path', { class: `mark ${tone}`, d });
  switch (tone) {
    case 'good':
      return h('circle', { class: 'mark good', cx: pixel(x), cy: pixel(y), r: pixel(radius) });
    case 'bad':
      return shape(`M${at(-1, -1)}L${at(1, 1)}M${at(-1, 1)}L${at(1, -1)}`);
    case 'doubtful':
      return shape(`M${at(0, -1.2)}L${at(1.15, 0.9)}L${at(-1.15, 0.9)}Z`);
    case 'unknown':
      return shape(`M${at(-0.9, -0.9)}L${at(0.9, -0.9)}L${at(0.9, 0.9)}L${at(-0.9, 0.9)}Z`);
  }
}

/** A mark and its word, for running text and tables. */
export function badge({ tone, text }: Badge): Tree {
  return h(
    'span',
    { class: `badge ${tone}` },
    h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, mark(tone, 7, 7, 4.6)),
    text,
  );
}

/** A coordinate: one decimal is finer than any screen. */
export const pixel = (value: number): string => String(Math.round(value * 10) / 10);
