/** The run as it went: rate, users, response time, CPU, memory and event loop over one axis of time. */

import * as figures from '../figures.ts';
import type { Findings, TimelinePoint } from '../findings.ts';
import { asked, axes, moment, names, panels, perSecond, stepName, summaries } from '../labels.ts';
import { pixel } from '../marks.ts';
import { extent, linear, logarithmic, type Scale, time } from '../scale.ts';
import { type Child, h } from '../tree.ts';
import { boundsOf } from './curve.ts';
import { type Bound, bareTick, type Chart, frame, type Panel, path, plot, type Stop } from './frame.ts';

/** One line of a panel. */
interface Series {
  name: string;
  class: string;
  of(point: TimelinePoint): number | null;
}

interface Measure {
  title: string;
  height: number;
  series: Series[];
  draw(value: number): string;
  bounds?: Bound[];
  /** Greatest value that the axis holds at least. */
  least?: number;
  logarithmic?: boolean;
  /** Its figures are rates. */
  perSecond?: boolean;
}

const mebibyte = 2 ** 20;

/** The chart, or null where there is no timeline. */
export function timelineChart(findings: Findings, width: number): Chart | null {
  const points = findings.timeline;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return null;
  const end = last.at_s + last.duration_s;
  const x = time([first.at_s, end], plot(width));
  const middle = (point: TimelinePoint) => x.at(point.at_s + point.duration_s / 2);
  const measures = measuresOf(findings, width).filter((measure) =>
    measure.series.some((series) => points.some((point) => series.of(point) !== null)),
  );
  return frame(
    {
      width,
      label: summaries.timeline(
        end,
        measures.map((measure) => measure.title),
      ),
      x,
      xTick: clock,
      xTitle: axes.time,
      head: findings.steps.length > 1 ? 14 : 0,
      panels: measures.map((measure) => panel(measure, points, middle)),
      behind: (top, bottom) => unjudged(points, x, top, bottom),
      before: (top, bottom) => boundaries(findings, x, top, bottom),
    },
    (ys) => points.map((point) => stop(point, middle(point), measures, ys, findings.steps.length > 1)),
  );
}

/** For which part of the time a quota kept the service from running; on several cores it may be more than all of it. */
function throttledShare(point: TimelinePoint): number | null {
  const ms = point.throttled_ms_per_s ?? null;
  return ms === null ? null : ms / 1000;
}

function measuresOf(findings: Findings, width: number): Measure[] {
  const atATime = findings.steps.some((step) => (step.users ?? step.connections) != null);
  const closed =
    atATime || (findings.command === 'bench' && findings.steps.every((step) => step.offered_per_s === null));
  const offered: Series = { name: names.offered, class: 'line offered', of: (point) => point.offered_per_s };
  const failed = findings.timeline.some((point) => point.errors_per_s > 0);
  const throttled = findings.timeline.some((point) => (throttledShare(point) ?? 0) > 0);
  const cpu = findings.objectives.filter(({ objective }) => objective.quantity === 'cpu');
  return [
    {
      title: asked(findings, width < 480 ? panels.requestsPerSecondShort : panels.requestsPerSecond),
      height: 130,
      series: [
        ...(closed ? [] : [offered]),
        { name: names.completed, class: 'line first', of: (point) => point.throughput_per_s },
      ],
      draw: figures.number,
      perSecond: true,
    },
    {
      title: panels.users,
      height: 64,
      series: [{ name: names.users, class: 'line second', of: (point) => point.users ?? null }],
      draw: figures.number,
    },
    {
      title: panels.errorsPerSecond,
      height: 64,
      series: failed ? [{ name: names.errors, class: 'line errors', of: (point) => point.errors_per_s }] : [],
      draw: figures.number,
      perSecond: true,
    },
    {
      title: panels.responseTime,
      height: 140,
      series: [
        { name: names.p50, class: 'line second', of: (point) => point.p50_ms },
        { name: names.p99, class: 'line first', of: (point) => point.p99_ms },
      ],
      draw: figures.duration,
      bounds: boundsOf(findings),
      logarithmic: true,
    },
    {
      title: panels.cpu,
      height: 90,
      series: [
        { name: names.cpu, class: 'line first', of: (point) => point.cpu_share },
        ...(throttled ? [{ name: names.throttled, class: 'line errors', of: throttledShare }] : []),
      ],
      draw: figures.share,
      bounds: cpu.map(({ objective }) => ({
        value: objective.bound,
        label: objective.text,
        allowed: 'below',
      })),
      least: 1,
    },
    {
      title: panels.memory,
      height: 80,
      // In MiB, so that the ticks are round.
      series: [
        {
          name: names.memory,
          class: 'line first',
          of: (point) => (point.rss_bytes === null ? null : point.rss_bytes / mebibyte),
        },
      ],
      draw: (value) => figures.bytes(value * mebibyte),
    },
  ];
}

function panel(measure: Measure, points: TimelinePoint[], middle: (point: TimelinePoint) => number): Panel {
  return {
    title: measure.title,
    height: measure.height,
    scale: yScale(measure, points),
    tick: (value) => bareTick(measure.draw(value)),
    ...(measure.bounds ? { bounds: measure.bounds } : {}),
    ...(measure.series.length > 1 ? { key: measure.series } : {}),
    marks: (y) =>
      measure.series.map((series) =>
        path(
          // Nothing joins the end of a step to the beginning of the next.
          points.flatMap((point, i): [number, number | null][] => {
            const value = series.of(point);
            const at: [number, number | null] = [middle(point), value === null ? null : y.at(value)];
            return point.step === (points[i - 1]?.step ?? point.step) ? [at] : [[at[0], null], at];
          }),
          series.class,
        ),
      ),
  };
}

function yScale(measure: Measure, points: TimelinePoint[]): Panel['scale'] {
  const bounds = (measure.bounds ?? []).map((bound) => bound.value);
  const values = measure.series.flatMap((series) => points.map(series.of));
  if (measure.logarithmic) {
    const positive = extent([...values, ...bounds].filter((value) => value !== null && value > 0)) ?? [1, 10];
    if (positive[1] / positive[0] > 30)
      return (range) => logarithmic([positive[0] * 0.7, positive[1] * 1.6], range);
  }
  const highest = Math.max(extent([...values, ...bounds])?.[1] ?? 1, measure.least ?? 0);
  return (range) => linear([0, measure.least ? highest : highest * 1.12], range);
}

/** Warm-up and draining, side by side slots merged into one shade. */
function unjudged(points: TimelinePoint[], x: Scale, top: number, bottom: number): Child[] {
  const shades: [from: number, to: number][] = [];
  for (const point of points) {
    if (point.judged) continue;
    const end = point.at_s + point.duration_s;
    const last = shades.at(-1);
    if (last && point.at_s - last[1] < 1e-6) last[1] = end;
    else shades.push([point.at_s, end]);
  }
  return shades.map(([from, to]) =>
    h('rect', {
      class: 'unjudged',
      x: pixel(x.at(from)),
      width: pixel(x.at(to) - x.at(from)),
      y: pixel(top),
      height: pixel(bottom - top),
    }),
  );
}

/** Where each step begins, with what it offered where there is room for it. */
function boundaries(findings: Findings, x: Scale, top: number, bottom: number): Child[] {
  if (findings.steps.length < 2) return [];
  let free = Number.NEGATIVE_INFINITY;
  return findings.steps.flatMap((step) => {
    const at = x.at(step.start_s);
    const offered = step.users ?? step.connections ?? step.offered_per_s;
    const name = offered === null ? stepName(step.step) : figures.number(offered);
    const line = h('line', {
      class: 'boundary',
      x1: pixel(at),
      x2: pixel(at),
      y1: pixel(top - 30),
      y2: pixel(bottom),
    });
    if (at < free) return [line];
    free = at + name.length * 6.6 + 12;
    return [line, h('text', { class: 'tick', x: pixel(at + 4), y: pixel(top - 26) }, name)];
  });
}

function stop(point: TimelinePoint, x: number, measures: Measure[], ys: Scale[], stepped: boolean): Stop {
  const rows: [string, string][] = [];
  const rings: [number, number][] = [];
  for (const [i, measure] of measures.entries()) {
    for (const series of measure.series) {
      const value = series.of(point);
      if (value === null) continue;
      rows.push([series.name, measure.perSecond ? perSecond(measure.draw(value)) : measure.draw(value)]);
      const y = ys[i]?.at(value);
      if (y !== undefined) rings.push([x, y]);
    }
  }
  return {
    x,
    title: moment(
      clock(point.at_s),
      clock(point.at_s + point.duration_s),
      stepped ? point.step : null,
      point.judged,
    ),
    rows,
    rings,
  };
}

/** `0:05`, `1:02:30`; parts of a second where there are some. */
function clock(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const part = tenths % 10 === 0 ? '' : `.${tenths % 10}`;
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return `${h > 0 ? `${h}:${two(m)}` : m}:${two(s)}${part}`;
}
