/** The whole page of a comparison as a function of its findings. */

import { changesChart } from './charts/changes.ts';
import type { Chart } from './charts/frame.ts';
import type { Comparison, PredictionFinding } from './comparison.ts';
import * as figures from './figures.ts';
import { answerBox, framed, headline, notices, setting } from './sections/frame.ts';
import { chartPlace, section, table } from './sections/parts.ts';
import { responses } from './sections/responses.ts';
import type { RoundFinding } from './shared.ts';
import { type Child, h, type Tree } from './tree.ts';
import { badge, ofChange, ofComparison } from './verdict.ts';

/** The charts by the name of their place. */
export const comparisonCharts: Record<string, (comparison: Comparison, width: number) => Chart | null> = {
  changes: changesChart,
};

/** Name of the page, for tabs and bookmarks. */
export const comparisonTitle = (comparison: Comparison): string =>
  `${comparison.name}: ${ofComparison(comparison.verdict).text} – plimsoll`;

export function comparisonPage(comparison: Comparison): Tree {
  return framed(
    comparison,
    'compare',
    answer(comparison),
    notices(comparison),
    changes(comparison),
    responses(comparison.responses),
    rounds(comparison),
    setting(comparison, 'compare'),
  );
}

function answer(comparison: Comparison): Tree {
  const verdict = ofComparison(comparison.verdict);
  const entries: [string, Child][] = comparison.variants.map(({ name, what }) => [name, h('code', {}, what)]);
  entries.push(['Load', comparison.load]);
  if (comparison.threshold_text) entries.push(['Threshold', comparison.threshold_text]);
  entries.push(...prediction(comparison.prediction));
  return answerBox(verdict.tone, [badge(verdict)], headline(comparison.headline.text), entries, comparison);
}

/** What was predicted and what came of it, one beside the other and never mixed. */
function prediction(of: PredictionFinding | null | undefined): [string, Child][] {
  if (!of) return [];
  const entries: [string, Child][] = [['Predicted', of.text]];
  if (of.outcome_text) entries.push(['Proven', of.outcome_text]);
  return entries;
}

function changes(comparison: Comparison): Tree | null {
  if (comparison.figures.length === 0) return null;
  const confidence = figures.share(comparison.confidence);
  return section(
    'changes',
    'What changed',
    `Every figure against that of ${comparison.variants[0]?.name}. A bar is the interval of the change, its upright line the estimate, a dot one block of rounds. The intervals of the judged figures hold together with ${confidence} confidence.`,
    chartPlace('changes'),
    table(
      ['', 'figure', 'of', 'first', 'variant', 'change', 'interval', 'detectable'],
      comparison.figures.map((figure) => [
        badge(ofChange(figure.verdict)),
        figure.text,
        figure.variant,
        figures.inUnit(figure.baseline, figure.unit),
        figures.inUnit(figure.value, figure.unit),
        figures.signedShare(figure.change),
        `${figures.signedShare(figure.change_low)} to ${figures.signedShare(figure.change_high)}`,
        figures.share(figure.detectable),
      ]),
      { className: 'stacks', label: 'What changed' },
    ),
  );
}

function rounds(comparison: Comparison): Tree | null {
  if (comparison.rounds.length === 0) return null;
  const row = (round: RoundFinding): Child[] => [
    figures.count(round.round + 1),
    round.variant,
    figures.orDash(round.cpu_us_per_request, (us) => figures.duration(us / 1e3)),
    figures.orDash(round.p50_ms, figures.duration),
    figures.orDash(round.p99_ms, figures.duration),
    figures.orDash(round.throughput_per_s, figures.rate),
    figures.orDash(round.error_share, figures.share),
    round.used ? 'used' : (round.unused_because?.text ?? 'not used'),
  ];
  return section(
    'rounds',
    'Rounds',
    'Each is a run of its own with the service started anew, in the order in which they were run.',
    table(
      ['round', 'variant', 'CPU per request', 'p50', 'p99', 'completed', 'errors', 'use'],
      comparison.rounds.map(row),
      { label: 'Rounds' },
    ),
  );
}
