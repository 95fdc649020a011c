/** The whole page as a function of the findings. Charts are drawn apart, because they need a width. */

import { percentileCurve } from './charts/curve.ts';
import type { Chart } from './charts/frame.ts';
import { loadLineChart } from './charts/load-line.ts';
import { timelineChart } from './charts/timeline.ts';
import type { Findings } from './findings.ts';
import { answer } from './sections/answer.ts';
import { diagnosis } from './sections/diagnosis.ts';
import {
  atAGlance,
  generator,
  objectives,
  percentiles,
  service,
  stepTable,
  takenAt,
} from './sections/figures.ts';
import { framed, notices, setting } from './sections/frame.ts';
import { glossary } from './sections/glossary.ts';
import { held } from './sections/held.ts';
import { chartPlace, section } from './sections/parts.ts';
import { requests } from './sections/requests.ts';
import { errors } from './sections/responses.ts';
import { type Child, h, type Tree } from './tree.ts';
import { mark } from './verdict.ts';

/** The charts by the name of their place. */
export const charts: Record<string, (findings: Findings, width: number) => Chart | null> = {
  'load-line': loadLineChart,
  curve: percentileCurve,
  timeline: timelineChart,
};

/** What the cursor of each chart moves over. */
export const chartNames: Record<string, string> = {
  'load-line': 'Steps by offered rate',
  curve: 'Response time by percentile',
  timeline: 'The run over time',
  changes: 'Changes by figure',
  scaling: 'Throughput by size',
};

export function page(findings: Findings): Tree {
  const has = (name: string) => charts[name]?.(findings, 720) !== null;
  return framed(
    findings,
    findings.command,
    answer(findings),
    notices(findings),
    diagnosis(findings),
    atAGlance(findings),
    held(findings),
    isSearch(findings) && has('load-line') && loadLineSection(findings),
    objectives(findings),
    times(findings, has('curve')),
    has('timeline') && timeline(findings),
    requests(findings),
    errors(findings),
    h('div', { class: 'side-by-side' }, service(findings), generator(findings)),
    setting(findings, findings.command, [['Started by', findings.target_command]]),
    glossary(),
  );
}

const isSearch = (findings: Findings): boolean =>
  findings.command === 'capacity' || findings.steps.length > 1;

function loadLineSection(findings: Findings): Tree {
  const breached = findings.steps.filter((step) => step.verdict === 'breached');
  const pale = breached.some((step) => step.objectives.some((objective) => objective.passed !== false));
  return section(
    'load-line',
    breached.length > 0 ? 'Where it breaks' : 'What was tried',
    `Every step that was tried, by the rate that was offered. Beyond a dashed bound the objective is breached${
      pale ? '; a pale mark belongs to a step that another objective broke' : ''
    }.`,
    h('div', {}, legend(findings), chartPlace('load-line')),
    stepTable(findings),
  );
}

function legend(findings: Findings): Tree {
  const entries: [string, Child][] = [];
  const marks = [
    ['passed', 'good', 'passed'],
    ['breached', 'bad', 'breached'],
    ['invalid', 'doubtful', 'invalid: the generator was late'],
    ['unjudged', 'unknown', 'not judged'],
  ] as const;
  for (const [verdict, tone, text] of marks) {
    if (findings.steps.some((step) => step.verdict === verdict)) entries.push([text, mark(tone, 7, 7)]);
  }
  if (findings.load_line) {
    entries.push([
      'load line and its interval',
      h(
        'g',
        {},
        h('rect', { class: 'interval', x: 2, y: 0, width: 10, height: 14 }),
        h('path', { class: 'load-line', d: 'M7 0V14' }),
      ),
    ]);
  }
  return h(
    'ul',
    { class: 'legend' },
    entries.map(([text, sample]) =>
      h('li', {}, h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, sample), text),
    ),
  );
}

function times(findings: Findings, hasCurve: boolean): Tree | null {
  const figures = percentiles(findings);
  if (!figures) return null;
  return section(
    'times',
    'Response times',
    `From the intended start to the last byte, ${takenAt(findings)}. Service time leaves out the wait before the send.`,
    h('div', { class: hasCurve ? 'curve-and-table' : '' }, hasCurve && chartPlace('curve'), figures),
  );
}

function timeline(findings: Findings): Tree {
  const unjudged = findings.timeline.some((point) => !point.judged);
  const shades = unjudged ? ' Shaded parts are warm-up or draining and not judged.' : '';
  const steps =
    findings.steps.length > 1
      ? ' Upright lines begin a step; the figure beside them is its offered rate.'
      : '';
  return section(
    'timeline',
    'Over time',
    `The run from its beginning to its end.${steps}${shades}`,
    chartPlace('timeline'),
  );
}
