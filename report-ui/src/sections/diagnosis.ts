/** Why the service stops where it stops: the causes in their order, where the time went, and what the passes cost. */

import * as figures from '../figures.ts';
import type { Cause, Diagnosis, Findings } from '../findings.ts';
import { h, type Tree } from '../tree.ts';
import { prose, section, sentence, table } from './parts.ts';

export function diagnosis(findings: Findings): (Tree | null)[] {
  const found = findings.diagnosis;
  if (!found) return [];
  return [causes(found), breakdown(found), flame(found), passes(found)];
}

function causes(found: Diagnosis): Tree {
  const lead = `The service is ${found.bound_text}: ${found.bound_because.text}. Causes stand in the order of what they are predicted to give back; that is computed, never measured.`;
  if (found.causes.length === 0) {
    return section('causes', 'Causes', lead, h('p', {}, 'No known costly pattern found.'));
  }
  return section('causes', 'Causes', lead, h('ol', { class: 'causes' }, found.causes.map(cause)));
}

function cause(of: Cause): Tree {
  const facts: [string, string][] = [
    ['Costs', of.costs],
    ['Evidence', of.evidence.text],
  ];
  if (of.predicted) facts.push(['Predicted', of.predicted.text]);
  if (of.line_predicted) facts.push(['The whole line', of.line_predicted.text]);
  if (of.other_places.length > 0)
    facts.push(['Also at', of.other_places.map((place) => place.text).join(', ')]);
  return h(
    'li',
    {},
    h('h3', {}, sentence(of.title)),
    of.place &&
      h('p', { class: 'place' }, of.place.is_function ? 'in ' : 'at ', h('code', {}, of.place.text)),
    h(
      'dl',
      { class: 'facts' },
      facts.map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, sentence(text)))),
    ),
    h('p', { class: 'remedy' }, h('strong', {}, 'Remedy: '), prose(of.remedy)),
    h('p', { class: 'small' }, `Kind ${of.kind}, explained in ${of.doc}`),
  );
}

function breakdown(found: Diagnosis): Tree | null {
  if (found.breakdown.length === 0) return null;
  return section(
    'breakdown',
    'Where the time went',
    'Shares of the busy time of the main threads in the CPU profile.',
    table(
      ['on', 'share'],
      found.breakdown.map(({ what, share }) => [what.text, figures.share(share)]),
    ),
  );
}

const classes: Record<string, string> = {
  own: 'own code',
  package: 'packages',
  node: 'Node.js',
  native: 'native code',
  regex: 'regular expressions',
  gc: 'garbage collection',
};

function flame(found: Diagnosis): Tree | null {
  if (found.flame.length === 0) return null;
  const key = Object.entries(classes).map(([name, text]) =>
    h(
      'li',
      {},
      h(
        'svg',
        { viewBox: '0 0 10 10', 'aria-hidden': 'true' },
        h('rect', { class: name, width: 10, height: 10 }),
      ),
      text,
    ),
  );
  return section(
    'flame',
    'Call tree',
    'Every call of the profile that takes a thousandth of the busy time, as wide as its time, callers above the called. A click zooms, Escape shows all.',
    h('div', { class: 'flame' }, h('ul', { class: 'flame-key' }, key), h('div', { 'data-flame': true })),
  );
}

function passes(found: Diagnosis): Tree {
  return section(
    'passes',
    'Passes',
    `All at ${figures.orDash(found.rate_per_s, figures.rate)}, under the same arrivals. Capacity and CPU per request are those of the plain pass; the others say what they cost.`,
    table(
      ['pass', 'completed', 'CPU per request', 'against plain', 'p50', 'p99'],
      found.passes.map((pass) => [
        pass.name,
        figures.orDash(pass.throughput_per_s, figures.number),
        figures.orDash(pass.cpu_us_per_request, (us) => figures.duration(us / 1e3)),
        figures.orDash(pass.extra_cpu_share, figures.signedShare),
        figures.orDash(pass.p50_ms, figures.duration),
        figures.orDash(pass.p99_ms, figures.duration),
      ]),
    ),
  );
}
