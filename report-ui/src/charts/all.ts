/** The charts by the names of their places. */

import type { Comparison } from '../comparison.ts';
import type { ChartName } from '../document.ts';
import type { Findings } from '../findings.ts';
import { chartNames } from '../labels.ts';
import type { Verdicts } from '../marks.ts';
import type { Scaling } from '../scaling.ts';
import { changesChart } from './changes.ts';
import { percentileCurve } from './curve.ts';
import type { Chart } from './frame.ts';
import { loadLineChart } from './load-line.ts';
import { scalingChart } from './scaling.ts';
import { timelineChart } from './timeline.ts';

export type { Chart };
export { chartNames };

export type Found = Findings | Comparison | Scaling;

/** Draws findings at a width; null where there is nothing to draw. */
export type Draw<F> = (findings: F, width: number, verdicts: Verdicts) => Chart | null;

export const runCharts: Record<'load-line' | 'curve' | 'timeline', Draw<Findings>> = {
  'load-line': loadLineChart,
  curve: percentileCurve,
  timeline: timelineChart,
};

/** A page has places only for the charts of its kind. */
export const charts: Record<ChartName, Draw<Found>> & Record<string, Draw<Found> | undefined> = {
  'load-line': (found, ...how) => ('steps' in found ? loadLineChart(found, ...how) : null),
  curve: (found, width) => ('steps' in found ? percentileCurve(found, width) : null),
  timeline: (found, width) => ('steps' in found ? timelineChart(found, width) : null),
  changes: (found, ...how) => ('variants' in found ? changesChart(found, ...how) : null),
  scaling: (found, width) => ('sizes_of' in found ? scalingChart(found, width) : null),
};
