/** The words and marks of verdicts. A mark has a shape of its own, so that colour only repeats what it says. */

import type { CompareVerdict, FigureVerdict } from './comparison.ts';
import type { ObjectiveFinding, StepVerdict, Verdict } from './findings.ts';
import type { ScaleVerdict } from './scaling.ts';
import { h, type Tree } from './tree.ts';

export type Tone = 'good' | 'bad' | 'doubtful' | 'unknown';

export interface Word {
  tone: Tone;
  text: string;
}

const runs: Record<Verdict, Word> = {
  passed: { tone: 'good', text: 'passed' },
  breached: { tone: 'bad', text: 'breached' },
  invalid: { tone: 'doubtful', text: 'invalid' },
  interrupted: { tone: 'doubtful', text: 'interrupted' },
  unjudged: { tone: 'doubtful', text: 'not judged' },
  failed: { tone: 'bad', text: 'failed' },
};

const steps: Record<StepVerdict, Word> = {
  passed: { tone: 'good', text: 'passed' },
  breached: { tone: 'bad', text: 'breached' },
  invalid: { tone: 'doubtful', text: 'invalid' },
  unjudged: { tone: 'unknown', text: 'not judged' },
};

const comparisons: Record<CompareVerdict, Word> = {
  better: { tone: 'good', text: 'better' },
  worse: { tone: 'bad', text: 'worse' },
  mixed: { tone: 'doubtful', text: 'mixed' },
  no_difference: { tone: 'unknown', text: 'no difference found' },
  invalid: runs.invalid,
  interrupted: runs.interrupted,
  failed: runs.failed,
};

const changes: Record<FigureVerdict, Word> = {
  better: comparisons.better,
  worse: comparisons.worse,
  no_difference: comparisons.no_difference,
  unjudged: steps.unjudged,
};

const sweeps: Record<ScaleVerdict, Word> = {
  fitted: { tone: 'good', text: 'fitted' },
  invalid: runs.invalid,
  interrupted: runs.interrupted,
  failed: runs.failed,
};

export const ofSweep = (verdict: ScaleVerdict): Word => sweeps[verdict];

export const ofComparison = (verdict: CompareVerdict): Word => comparisons[verdict];

export const ofChange = (verdict: FigureVerdict): Word => changes[verdict];

export const ofRun = (verdict: Verdict): Word => runs[verdict];

export const ofStep = (verdict: StepVerdict): Word => steps[verdict];

/** An objective that was not judged has neither passed nor failed. */
export function ofObjective({ passed }: ObjectiveFinding): Word {
  if (passed === null) return runs.unjudged;
  return passed ? steps.passed : steps.breached;
}

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
export function badge({ tone, text }: Word): Tree {
  return h(
    'span',
    { class: `badge ${tone}` },
    h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, mark(tone, 7, 7, 4.6)),
    text,
  );
}

/** A coordinate: one decimal is finer than any screen. */
export const pixel = (value: number): string => String(Math.round(value * 10) / 10);
