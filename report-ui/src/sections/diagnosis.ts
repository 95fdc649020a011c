/** Why the service stops where it stops: the causes in their order, where the time went, and what the passes cost. */

import * as figures from '../figures.ts';
import type { Cause, Diagnosis, Findings, Place, Predicted } from '../findings.ts';
import { h, type Tree } from '../tree.ts';
import { prose, section, sentence, table } from './parts.ts';

export function diagnosis(findings: Findings): (Tree | null)[] {
  const found = findings.diagnosis;
  if (!found) return [];
  return [causes(found), breakdown(found), flame(found), passes(found)];
}

const bounds: Record<Diagnosis['bound'], string> = {
  cpu: 'CPU-bound',
  upstream: 'bound by other services',
  neither: 'bound by neither CPU nor other services',
  unknown: 'bound by something unseen',
};

function causes(found: Diagnosis): Tree {
  const lead = `The service is ${bounds[found.bound]}: ${found.bound_because}. Causes stand in the order of what they are predicted to give back; that is computed, never measured.`;
  if (found.causes.length === 0) {
    return section('causes', 'Causes', lead, h('p', {}, 'Nothing was found that is known to be costly.'));
  }
  return section('causes', 'Causes', lead, h('ol', { class: 'causes' }, found.causes.map(cause)));
}

function cause(of: Cause): Tree {
  const facts: [string, string][] = [
    ['Costs', costs(of)],
    ['Evidence', of.evidence],
  ];
  if (of.predicted) facts.push(['Predicted', predicted(of.predicted)]);
  if (of.line_predicted) facts.push(['The whole line', predicted(of.line_predicted)]);
  if (of.other_places.length > 0) facts.push(['Also at', of.other_places.map(place).join(', ')]);
  return h(
    'li',
    {},
    h('h3', {}, sentence(of.what), of.via && !of.what.endsWith(of.via) ? `, through ${of.via}` : null),
    of.place &&
      h('p', { class: 'place' }, of.place.is_function ? 'in ' : 'at ', h('code', {}, place(of.place))),
    h(
      'dl',
      { class: 'facts' },
      facts.map(([name, text]) => h('div', {}, h('dt', {}, name), h('dd', {}, sentence(text)))),
    ),
    h('p', { class: 'remedy' }, h('strong', {}, 'Remedy: '), prose(of.remedy)),
    h('p', { class: 'small' }, `Kind ${of.kind}, explained in ${of.doc}`),
  );
}

function place(at: Place): string {
  const column = at.column === null || at.is_function ? '' : `:${at.column}`;
  return `${at.file}:${at.line}${column}${at.function ? ` (${at.function})` : ''}`;
}

function costs(of: Cause): string {
  const parts: string[] = [];
  if (of.cpu_us_per_request !== null) {
    const share = of.cpu_share === null ? '' : `, ${figures.share(of.cpu_share)} of its CPU`;
    parts.push(`${figures.duration(of.cpu_us_per_request / 1e3)} per request${share}`);
  }
  if (of.wait_ms_per_request !== null) {
    parts.push(`${figures.duration(of.wait_ms_per_request)} of waiting per request`);
  }
  if (of.per_request !== null) {
    const times = figures.number(of.per_request);
    parts.push(times === '1' ? 'once per request' : `${times} times per request`);
  }
  return parts.length > 0 ? parts.join('; ') : 'not known in CPU or time';
}

function predicted(of: Predicted): string {
  const factor = `× ${figures.number(of.factor)}`;
  const line =
    of.load_line_per_s === null
      ? `load line ${factor}`
      : `load line ${figures.rate(of.load_line_per_s)} (${factor})`;
  return `${line}, if mended; assumes that ${of.assumption}`;
}

function breakdown(found: Diagnosis): Tree | null {
  if (found.breakdown.length === 0) return null;
  return section(
    'breakdown',
    'Where the time went',
    'Shares of the busy time of the main threads in the CPU profile.',
    table(
      ['on', 'share'],
      found.breakdown.map(({ what, share }) => [what, figures.share(share)]),
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
  const extra = (share: number) => `${share < 0 ? '-' : '+'}${figures.share(Math.abs(share))}`;
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
        figures.orDash(pass.extra_cpu_share, extra),
        figures.orDash(pass.p50_ms, figures.duration),
        figures.orDash(pass.p99_ms, figures.duration),
      ]),
    ),
  );
}
