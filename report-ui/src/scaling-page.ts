/** The whole page of a sweep as a function of its findings. */

import type { Chart } from './charts/frame.ts';
import { scalingChart } from './charts/scaling.ts';
import * as figures from './figures.ts';
import type { Parameter, Scaling, Tells } from './scaling.ts';
import { answerBox, framed, headline, notices, setting } from './sections/frame.ts';
import { chartPlace, section, sentence, table } from './sections/parts.ts';
import { responses } from './sections/responses.ts';
import type { Child, Tree } from './tree.ts';
import { badge, ofSweep } from './verdict.ts';

/** The charts by the name of their place. */
export const scalingCharts: Record<string, (scaling: Scaling, width: number) => Chart | null> = {
  scaling: scalingChart,
};

/** Name of the page, for tabs and bookmarks. */
export const scalingTitle = (scaling: Scaling): string =>
  `${scaling.name}: throughput by ${scaling.sizes_of} – plimsoll`;

export function scalingPage(scaling: Scaling): Tree {
  return framed(
    scaling,
    'scale',
    answer(scaling),
    notices(scaling),
    sizes(scaling),
    responses(scaling.responses),
    setting(scaling, 'scale'),
  );
}

/** Without coherency no law has a peak. */
const proven = new Set<Tells>(['both', 'coherency']);

function answer(scaling: Scaling): Tree {
  const verdict = ofSweep(scaling.verdict);
  const entries: [string, Child | Child[]][] = [['Load', scaling.load]];
  const { law } = scaling;
  if (law) {
    const small = (value: number) => value.toFixed(6);
    entries.push(['Told', sentence(law.tells_text)]);
    entries.push(['λ', `${withInterval(law.lambda, figures.number)} req/s`]);
    entries.push(['σ contention', withInterval(law.sigma, small)]);
    entries.push(['κ coherency', withInterval(law.kappa, small)]);
    if (law.peak_size)
      entries.push([
        proven.has(law.tells) ? 'Peak' : 'Peak of the fit',
        `${withInterval(law.peak_size, figures.number)} ${scaling.sizes_of}`,
      ]);
  }
  return answerBox(verdict.tone, [badge(verdict)], headline(scaling.headline.text), entries, scaling);
}

function withInterval({ value, low, high }: Parameter, draw: (value: number) => string): string {
  return `${draw(value)} (${draw(low)} ${high === null ? 'or more' : `to ${draw(high)}`})`;
}

function sizes(scaling: Scaling): Tree | null {
  if (scaling.points.length === 0) return null;
  const confidence = figures.share(scaling.confidence);
  return section(
    'scaling',
    `Throughput by ${scaling.sizes_of}`,
    `A dot is one round, the line is X(N) = λN / (1 + σ(N − 1) + κN(N − 1)) fitted to them, the upright line its peak. Intervals hold with ${confidence} confidence.`,
    chartPlace('scaling'),
    table(
      [scaling.sizes_of, 'completed', 'law', 'efficiency', 'p50', 'CPU per request'],
      scaling.points.map((point) => [
        figures.count(point.size),
        figures.rate(point.throughput_per_s),
        figures.orDash(point.fitted_per_s, figures.rate),
        figures.orDash(point.efficiency, figures.share),
        figures.orDash(point.p50_ms, figures.duration),
        figures.orDash(point.cpu_us_per_request, (us) => figures.duration(us / 1e3)),
      ]),
      { label: 'Throughput by size' },
    ),
  );
}
