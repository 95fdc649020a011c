/** The requests of the scenario, each on its own. */

import * as figures from '../figures.ts';
import type { Findings, RequestFinding } from '../findings.ts';
import { h, type Tree } from '../tree.ts';
import { takenAt } from './figures.ts';
import { section, table } from './parts.ts';
import { statusWords } from './responses.ts';

export function requests(findings: Findings): Tree | null {
  if (findings.requests.length === 0) return null;
  return section(
    'requests',
    'Requests',
    `Rates and response times ${takenAt(findings)}; errors and statuses over the whole run.`,
    table(
      ['request', 'per second', 'median', 'p99', 'longest', 'service p99', 'errors', 'statuses'],
      findings.requests.map((request) => [
        name(request),
        figures.orDash(request.rate_per_s, figures.number),
        figures.orDash(request.response_time.p50_ms, figures.duration),
        figures.orDash(request.response_time.p99_ms, figures.duration),
        figures.orDash(request.response_time.max_ms, figures.duration),
        figures.orDash(request.service_time.p99_ms, figures.duration),
        errors(request),
        statusWords(request) || 'none',
      ]),
      { className: 'stacks', label: 'Requests' },
    ),
  );
}

function name({ name, others }: RequestFinding): Tree {
  const note = others > 0 && h('span', { class: 'note' }, ` and ${figures.count(others)} more`);
  return h('span', {}, name, note);
}

function errors({ error_share, errors, failures }: RequestFinding): Tree {
  const share = figures.orDash(error_share, figures.share);
  const classes = failures.map(({ class: name, count }) => `${name} ${figures.count(count)}`).join(', ');
  return h('span', {}, share, errors > 0 && h('span', { class: 'note' }, ` ${classes}`));
}
