/** What came back: statuses, and failures with their first examples. */

import * as figures from '../figures.ts';
import type { Findings } from '../findings.ts';
import type { ErrorFinding, ExampleFinding, ResponsesFinding } from '../shared.ts';
import { h, type Tree } from '../tree.ts';
import { section, sentence, table } from './parts.ts';

export function errors({ errors, totals }: Findings): Tree {
  const statuses = statusWords(totals);
  const lead = statuses === '' ? 'No response was received.' : `Responses by status: ${statuses}.`;
  if (errors.length === 0) return section('errors', 'Errors', `None in the whole run. ${lead}`);
  return section('errors', 'Errors', `In the whole run. ${lead}`, failures(errors, 'Errors'));
}

/** Of several runs together. */
export function responses(all: ResponsesFinding[]): Tree | null {
  if (all.length === 0) return null;
  return section(
    'responses',
    'Responses',
    'By status, in all rounds, warm-up included.',
    table(
      ['of', 'statuses', 'requests', 'failed'],
      all.map(({ of, status, status_other, finished, errors }) => [
        of.text,
        statusWords({ status, status_other }) || 'none',
        figures.count(finished),
        figures.count(errors.reduce((sum, { charged, count }) => sum + (charged ? count : 0), 0)),
      ]),
      { label: 'Responses' },
    ),
    ...all
      .filter(({ errors }) => errors.length > 0)
      .flatMap(({ of, errors }) => [
        h('h3', {}, `Failures of ${of.text}`),
        failures(errors, `Failures of ${of.text}`),
      ]),
  );
}

export function statusWords({
  status,
  status_other,
}: Pick<ResponsesFinding, 'status' | 'status_other'>): string {
  const seen = status.flatMap((n, i) => (n > 0 ? [`${i + 1}xx ${figures.count(n)}`] : []));
  if (status_other > 0) seen.push(`others ${figures.count(status_other)}`);
  return seen.join(', ');
}

function failures(errors: ErrorFinding[], label: string): Tree {
  return table(
    ['class', 'count', 'of all requests', 'meaning'],
    errors.map((error) => [
      h(
        'span',
        {},
        h('code', {}, error.class),
        error.generators_own && h('span', { class: 'note' }, ' the generator’s own'),
        !error.charged && h('span', { class: 'note' }, ' not counted as errors'),
      ),
      figures.count(error.count),
      figures.share(error.share),
      h('span', {}, error.meaning, error.example && example(error.example)),
    ]),
    { className: 'stacks', label },
  );
}

/** What the first failure of a class looked like. */
const example = ({ text }: ExampleFinding): Tree => h('span', { class: 'note' }, sentence(text));
