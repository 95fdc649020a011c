/** Response time by percentile, the rare ones drawn as wide as the frequent ones. */

import * as figures from '../figures.ts';
import type { CurvePoint, Findings, Percentiles } from '../findings.ts';
import { asked, axes, names, oneIn, summaries } from '../labels.ts';
import { pixel } from '../marks.ts';
import { extent, linear, logarithmic, quantile } from '../scale.ts';
import { h } from '../tree.ts';
import { type Bound, bareTick, type Chart, frame, path, plot } from './frame.ts';

/** The chart, or null where nothing was measured. */
export function percentileCurve(findings: Findings, width: number): Chart | null {
  const curve = visible(findings);
  const highest = curve.at(-1);
  if (!highest || curve.length < 2) return null;
  const ends = extent(curve.map((point) => point.ms).filter((ms) => ms > 0)) ?? [0.1, 1];
  // A bound far above the curve would flatten it; the table of objectives shows it all the same.
  const bounds = boundsOf(findings).filter((bound) => bound.value <= ends[1] * 8);
  const greatest = Math.max(ends[1], ...bounds.map((bound) => bound.value));
  const service = known(findings.service_time);
  const x = quantile(highest.quantile, plot(width));
  const scale =
    greatest / ends[0] > 40
      ? (range: readonly [number, number]) => logarithmic([ends[0] * 0.7, greatest * 1.4], range)
      : (range: readonly [number, number]) => linear([0, greatest * 1.12], range);
  const until = (points: [number, number][]) => points.filter(([q]) => q <= highest.quantile);
  return frame(
    {
      width,
      label: summaries.curve(
        known(findings.response_time).map(([q, ms]) => [figures.quantile(q), figures.duration(ms)]),
      ),
      x,
      xTick: (q) => figures.quantile(q).slice(1),
      xTitle: asked(findings, axes.percentile),
      panels: [
        {
          title: '',
          height: width < 480 ? 220 : 280,
          scale,
          tick: (ms) => bareTick(figures.duration(ms)),
          bounds,
          key: [
            { name: names.responseTime, class: 'line first' },
            ...(service.length > 0 ? [{ name: names.serviceTime, class: 'line second' }] : []),
          ],
          marks: (y) => [
            path(
              until(service).map(([q, ms]) => [x.at(q), y.at(ms)]),
              'line second',
            ),
            path(
              curve.map((point) => [x.at(point.quantile), y.at(point.ms)]),
              'line first',
            ),
            ...until(known(findings.response_time)).map(([q, ms]) => dot(x.at(q), y.at(ms))),
          ],
        },
      ],
    },
    ([y]) =>
      curve.map((point) => ({
        x: x.at(point.quantile),
        title: figures.quantile(point.quantile),
        rows: [
          [names.responseTime, figures.duration(point.ms)],
          [names.slower, oneIn(1 / Math.max(1 - point.quantile, 1e-9))],
        ],
        rings: ringAt(x.at(point.quantile), y?.at(point.ms)),
      })),
  );
}

/** Up to the rarest quantile that so many requests can tell apart; what lies beyond is the slowest of them. */
function visible({ response_time_curve: curve, response_time: { count } }: Findings): CurvePoint[] {
  const rarest = 1 - 1 / Math.max(count, 2);
  const points = curve.filter((point) => point.quantile <= rarest);
  const beyond = curve.find((point) => point.quantile > rarest);
  return beyond ? [...points, { quantile: rarest, ms: beyond.ms }] : points;
}

const dot = (x: number, y: number) => h('circle', { class: 'dot first', cx: pixel(x), cy: pixel(y), r: 3 });

const ringAt = (x: number, y: number | undefined): [number, number][] => (y === undefined ? [] : [[x, y]]);

/** The quantiles that a summary keeps. */
function known(p: Percentiles): [quantile: number, ms: number][] {
  const kept: [quantile: number, ms: number | null][] = [
    [0.5, p.p50_ms],
    [0.9, p.p90_ms],
    [0.95, p.p95_ms],
    [0.99, p.p99_ms],
    [0.999, p.p999_ms],
  ];
  return kept.flatMap(([quantile, ms]) => (ms === null ? [] : [[quantile, ms]]));
}

/** Bounds of the response time of all requests, whatever their quantile: the label names it. */
export function boundsOf(findings: Findings): Bound[] {
  return findings.objectives
    .filter(({ objective }) => objective.quantity === 'response_time' && !objective.request)
    .map(({ objective }) => ({ value: objective.bound, label: objective.text, allowed: 'below' }));
}
