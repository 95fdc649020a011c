/** Every step of a capacity search over its offered rate: one panel for each objective, the load line through all. */

import * as figures from '../figures.ts';
import type { Condition, Findings, LoadLine, StepFinding } from '../findings.ts';
import {
  asked,
  axes,
  connections as connectionsOf,
  loadLine as named,
  names,
  offeredRate,
  offeredUsers,
  panelOf,
  panels,
  summaries,
  users as usersOf,
} from '../labels.ts';
import { mark, of, pixel, type Verdicts } from '../marks.ts';
import { extent, linear, logarithmic, type Scale } from '../scale.ts';
import type { Unit } from '../shared.ts';
import { type Child, h } from '../tree.ts';
import { type Bound, bareTick, type Chart, frame, type Panel, path, plot, type Stop } from './frame.ts';

interface Tried extends StepFinding {
  offered: number;
}

/** What a panel shows of a step, and how. */
interface Measure {
  quantity: Condition['quantity'];
  title: string;
  height: number;
  unit: Unit;
  of(step: StepFinding): number | null;
  bounds: Bound[];
  /** The step is breached, though not by what this panel shows. */
  held(step: StepFinding): boolean;
}

/** The load line and its interval in the unit of the search. */
interface Line {
  at: number;
  low: number;
  high: number | null;
}

function lineOf(line: LoadLine): Line {
  const { concurrent: users, held } = line;
  if (held) return { at: held.connections, low: held.interval_low, high: held.interval_high };
  return users
    ? { at: users.users, low: users.interval_low, high: users.interval_high }
    : { at: line.rate_per_s, low: line.interval_low_per_s, high: line.interval_high_per_s };
}

/** The chart, or null where no step has a constant rate. */
export function loadLineChart(findings: Findings, width: number, verdicts: Verdicts): Chart | null {
  const steps = findings.steps.flatMap((step): Tried[] => {
    const offered = step.users ?? step.connections ?? step.offered_per_s;
    return offered === null ? [] : [{ ...step, offered }];
  });
  const rates = extent(steps.map((step) => step.offered));
  if (!rates) return null;
  const line = findings.load_line ? lineOf(findings.load_line) : null;
  const highest = Math.max(rates[1], line?.high ?? 0, line?.at ?? 0);
  const x = linear([0, highest * 1.04], plot(width));
  const measures = measuresOf(findings).filter((measure) => steps.some((step) => measure.of(step) !== null));
  return frame(
    {
      width,
      label: summary(findings, steps),
      x,
      xTick: figures.number,
      xTitle: asked(findings, axisOf(steps)),
      head: line ? 24 : 0,
      panels: measures.map((measure) => panel(measure, steps, x, verdicts)),
      behind: (top, bottom) => (line ? interval(line, x, plot(width)[1], top, bottom) : []),
      before: (top, bottom) => (line ? loadLine(line, x, width, top, bottom) : []),
    },
    (ys) => steps.map((step) => stop(findings, step, x, measures, ys, verdicts)),
  );
}

function axisOf(steps: StepFinding[]): string {
  if (steps.some((step) => step.connections != null)) return axes.connections;
  return steps.some((step) => step.users != null) ? axes.users : axes.offered;
}

/** One panel for each objective in the order of the plan; then what no objective bounds. */
function measuresOf(findings: Findings): Measure[] {
  const failing = findings.steps.some((step) => (step.error_share ?? 0) > 0);
  const measures = findings.objectives.map(({ objective }): Measure => {
    const { quantity, unit } = objective;
    return {
      quantity,
      title: panelOf(objective),
      height: quantity === 'response_time' ? 150 : quantity === 'errors' && !failing ? 56 : 104,
      unit,
      of: (step) =>
        step.objectives.find((each) => isSame(each.objective, objective))?.observed ??
        fallback(objective, step),
      bounds: [
        {
          value: objective.bound,
          label: objective.text,
          allowed: quantity === 'achieved_rate' || quantity === 'held' ? 'above' : 'below',
        },
      ],
      held: (step) =>
        step.verdict === 'breached' &&
        step.objectives.some((each) => isSame(each.objective, objective) && each.passed !== false),
    };
  });
  const others = unboundedMeasures.filter((other) =>
    measures.every(({ quantity }) => quantity !== other.quantity),
  );
  return [...measures, ...others];
}

const p99 = (step: StepFinding): number | null => step.response_time.p99_ms;

const unbounded = (measure: Pick<Measure, 'quantity' | 'title' | 'height' | 'unit' | 'of'>): Measure => ({
  ...measure,
  bounds: [],
  held: () => false,
});

const unboundedMeasures: Measure[] = [
  unbounded({ quantity: 'response_time', title: panels.p99, height: 150, unit: 'ms', of: p99 }),
  unbounded({
    quantity: 'cpu',
    title: panels.cpu,
    height: 104,
    unit: 'share',
    of: (step) => step.cpu_share,
  }),
  unbounded({
    quantity: 'errors',
    title: panelOf({ quantity: 'errors', quantile: null, request: null, zone: null }),
    height: 104,
    unit: 'share',
    of: (step) => step.error_share,
  }),
];

const isSame = (one: Condition, other: Condition): boolean =>
  one.quantity === other.quantity &&
  one.quantile === other.quantile &&
  one.request === other.request &&
  one.bound === other.bound;

/** For steps whose objectives were not judged. */
function fallback({ quantity, quantile, request }: Condition, step: StepFinding): number | null {
  if (request) return null;
  if (quantity === 'cpu') return step.cpu_share;
  if (quantity === 'errors') return step.error_share;
  return quantity === 'response_time' && quantile === 0.99 ? p99(step) : null;
}

function panel(measure: Measure, steps: Tried[], x: Scale, verdicts: Verdicts): Panel {
  const inOrder = [...steps].sort((a, b) => a.offered - b.offered);
  return {
    title: measure.title,
    height: measure.height,
    scale: yScale(measure, steps),
    tick: (value) => bareTick(figures.inUnit(value, measure.unit)),
    bounds: measure.bounds,
    marks: (y) => [
      path(
        inOrder
          .filter((step) => step.verdict === 'passed' || step.verdict === 'breached')
          .map((step) => [x.at(step.offered), height(measure, step, y)]),
        'thread',
      ),
      ...inOrder.map((step) => {
        const at = height(measure, step, y);
        if (at === null) return null;
        const shape = mark(of(verdicts, step.verdict).tone, x.at(step.offered), at);
        // The step broke, but not here.
        return measure.held(step) ? h('g', { class: 'aside' }, shape) : shape;
      }),
    ],
  };
}

function height(measure: Measure, step: StepFinding, y: Scale): number | null {
  const value = measure.of(step);
  return value === null ? null : y.at(value);
}

/** Durations that differ by more than a factor of 30 are drawn on a logarithmic scale. */
function yScale(measure: Measure, steps: Tried[]): Panel['scale'] {
  const bounds = measure.bounds.map((bound) => bound.value);
  const values = steps.map(measure.of);
  if (measure.quantity === 'response_time') {
    const positive = extent([...values, ...bounds].filter((value) => value !== null && value > 0)) ?? [1, 10];
    if (positive[1] / positive[0] > 30)
      return (range) => logarithmic([positive[0] * 0.6, positive[1] * 1.8], range);
    return (range) => linear([0, positive[1] * 1.15], range);
  }
  const highest = extent([...values, ...bounds])?.[1] ?? 1;
  if (measure.quantity === 'errors') return (range) => linear([0, Math.max(highest * 1.25, 0.01)], range);
  return (range) => linear([0, Math.max(highest, 1)], range);
}

function interval(line: Line, x: Scale, right: number, top: number, bottom: number): Child[] {
  const from = x.at(line.low);
  const to = line.high === null ? right : x.at(line.high);
  return [
    h('rect', {
      class: 'interval',
      x: pixel(from),
      width: pixel(Math.max(to - from, 1)),
      y: pixel(top),
      height: pixel(bottom - top),
    }),
  ];
}

/** The line itself, with a Plimsoll mark on top and its figure beside it. */
function loadLine(line: Line, x: Scale, width: number, top: number, bottom: number): Child[] {
  const at = x.at(line.at);
  const onLeft = at > width / 2;
  const y = top - 33;
  return [
    h('line', { class: 'load-line', x1: pixel(at), x2: pixel(at), y1: pixel(y), y2: pixel(bottom) }),
    h('circle', { class: 'load-line', cx: pixel(at), cy: pixel(y), r: 5 }),
    h('line', { class: 'load-line', x1: pixel(at - 9), x2: pixel(at + 9), y1: pixel(y), y2: pixel(y) }),
    h(
      'text',
      {
        class: 'load-line',
        x: pixel(onLeft ? at - 15 : at + 15),
        y: pixel(y + 4.5),
        'text-anchor': onLeft ? 'end' : 'start',
      },
      named(line.at),
    ),
  ];
}

function stop(
  findings: Findings,
  step: Tried,
  x: Scale,
  measures: Measure[],
  ys: Scale[],
  verdicts: Verdicts,
): Stop {
  const { tone, text } = of(verdicts, step.verdict);
  const at = x.at(step.offered);
  const rings = measures.flatMap((measure, i): [number, number][] => {
    const y = ys[i] && height(measure, step, ys[i]);
    return y == null ? [] : [[at, y]];
  });
  return {
    x: at,
    title: asked(findings, offeredIn(step)),
    tone,
    verdict: text,
    rows: rowsOf(findings, step),
    rings,
  };
}

function offeredIn({ users, connections, offered }: Tried): string {
  if (connections != null) return connectionsOf(connections);
  return users == null ? offeredRate(offered) : offeredUsers(users);
}

/** The exact figures of a step. */
function rowsOf(findings: Findings, step: StepFinding): [string, string][] {
  const rows: [string, string][] = [
    [names.step, String(step.step + 1)],
    [names.completed, asked(findings, figures.orDash(step.throughput_per_s, figures.rate))],
    [names.goodput, asked(findings, figures.orDash(step.goodput_per_s, figures.rate))],
    [names.p50, figures.orDash(step.response_time.p50_ms, figures.duration)],
    [names.p99, figures.orDash(step.response_time.p99_ms, figures.duration)],
    [names.cpu, figures.orDash(step.cpu_share, figures.share)],
    [names.errors, figures.orDash(step.error_share, figures.share)],
  ];
  if (step.dropped > 0) rows.push([names.dropped, figures.count(step.dropped)]);
  if (step.broke) rows.push([names.broke, step.broke.text]);
  if (step.invalid_because) rows.push([names.why, step.invalid_because.text]);
  return rows;
}

function summary(findings: Findings, steps: Tried[]): string {
  const passed = steps.filter((step) => step.verdict === 'passed').length;
  const breached = steps.filter((step) => step.verdict === 'breached').length;
  const line = findings.load_line;
  return summaries.loadLine(steps.length, passed, breached, line ? asked(findings, atLine(line)) : null);
}

function atLine({ concurrent: users, held, rate_per_s }: LoadLine): string {
  if (held) return connectionsOf(held.connections);
  return users ? usersOf(users.users) : figures.rate(rate_per_s);
}
