/** Throughput by size: every round, the fitted law, and its peak. */

import * as figures from '../figures.ts';
import { axes, names, summaries } from '../labels.ts';
import { pixel } from '../marks.ts';
import { linear } from '../scale.ts';
import type { Scaling } from '../scaling.ts';
import { h } from '../tree.ts';
import { type Chart, frame, path, plot } from './frame.ts';

/** The chart, or null where no size was measured. */
export function scalingChart(scaling: Scaling, width: number): Chart | null {
  const last = scaling.points.at(-1);
  if (!last) return null;
  const { law, points, sizes_of } = scaling;
  const peak = law?.peak_size?.value ?? null;
  // The peak is worth showing as long as the points do not shrink into a corner for it.
  const end = peak !== null && peak <= 2 * last.size ? Math.max(last.size, peak * 1.15) : last.size;
  const curve = (law?.curve ?? []).filter((point) => point.size <= end);
  const greatest = Math.max(
    ...points.flatMap((point) => point.rounds_per_s),
    ...curve.map((point) => point.per_s),
  );
  const [left, right] = plot(width);
  const x = linear([0, end], [left, right]);
  return frame(
    {
      width,
      label: summaries.scaling(
        sizes_of,
        points.map((point) => [point.size, point.throughput_per_s]),
      ),
      x,
      xTick: figures.number,
      xTitle: sizes_of,
      behind: (top, bottom) =>
        peak === null || peak > end
          ? []
          : [h('path', { class: 'load-line', d: `M${pixel(x.at(peak))} ${pixel(top)}V${pixel(bottom)}` })],
      panels: [
        {
          title: axes.perSecond,
          height: width < 480 ? 220 : 280,
          scale: (range) => linear([0, greatest * 1.08], range),
          tick: figures.number,
          key: [{ name: names.fittedLaw, class: 'line second' }],
          marks: (y) => [
            path(
              curve.map((point) => [x.at(point.size), y.at(point.per_s)]),
              'line second',
            ),
            ...points.flatMap((point) =>
              point.rounds_per_s.map((per_s) =>
                h('circle', {
                  class: 'dot first',
                  cx: pixel(x.at(point.size)),
                  cy: pixel(y.at(per_s)),
                  r: 3,
                }),
              ),
            ),
          ],
        },
      ],
    },
    ([y]) =>
      points.map((point) => ({
        x: x.at(point.size),
        title: `${figures.count(point.size)} ${sizes_of}`,
        rows: [
          [names.completed, figures.rate(point.throughput_per_s)],
          [names.law, figures.orDash(point.fitted_per_s, figures.rate)],
          [names.efficiency, figures.orDash(point.efficiency, figures.share)],
        ],
        rings: [[x.at(point.size), y?.at(point.throughput_per_s) ?? 0]],
      })),
  );
}
