/** The sections of figures: what matters in one row, objectives, times, the service, the generator. */

import * as figures from '../figures.ts';
import type { Findings, ObjectiveFinding, Percentiles } from '../findings.ts';
import { type Child, h, type Tree } from '../tree.ts';
import { badge, ofObjective, ofStep, type Word } from '../verdict.ts';
import { section, table } from './parts.ts';

/** Where durations, objectives and resources were taken. */
export const takenAt = (findings: Findings): string =>
  findings.load_line ? `at ${figures.rate(findings.load_line.rate_per_s)}` : 'over the judged part';

/** The figures that one looks for first. */
export function atAGlance(findings: Findings): Tree | null {
  const { response_time, target_resources: target, totals } = findings;
  if (response_time.count === 0) return null;
  const entries: [name: string, figure: string, note?: string][] = [
    ['completed', figures.orDash(totals.throughput_per_s, figures.rate)],
    ['median', figures.orDash(response_time.p50_ms, figures.duration)],
    ['p99', figures.orDash(response_time.p99_ms, figures.duration)],
    ['errors', figures.count(totals.errors), 'whole run'],
  ];
  if (target) {
    entries.push(['CPU', figures.share(target.cpu_share), `of ${cores(target.cores)}`]);
    if (target.cpu_us_per_request !== null) {
      entries.push(['CPU/request', figures.duration(target.cpu_us_per_request / 1e3)]);
    }
    entries.push(['memory', figures.bytes(target.rss_max_bytes), 'at most']);
  }
  return h(
    'section',
    { class: 'glance', id: 'glance', 'aria-label': `Figures ${takenAt(findings)}` },
    h('p', { class: 'where' }, capital(takenAt(findings))),
    h(
      'dl',
      {},
      entries.map(([name, figure, note]) =>
        h(
          'div',
          {},
          h('dt', {}, name),
          h('dd', {}, split(figure), note && h('span', { class: 'note' }, note)),
        ),
      ),
    ),
  );
}

export function objectives(findings: Findings): Tree | null {
  if (findings.objectives.length === 0) return null;
  return section(
    'objectives',
    'Objectives',
    judgedHow(findings),
    table(
      ['', 'objective', 'observed', 'worst window', 'windows passed'],
      findings.objectives.map((objective) => [
        badge(ofObjective(objective)),
        h('code', {}, objective.objective.text),
        inUnit(objective.observed, objective),
        inUnit(objective.worst, objective),
        objective.windows_judged === 0
          ? figures.unknown
          : `${figures.count(objective.windows_passed)} of ${figures.count(objective.windows_judged)}`,
      ]),
      { className: 'stacks' },
    ),
  );
}

function judgedHow(findings: Findings): string {
  if (findings.verdict === 'invalid' && !findings.load_line)
    return 'The generator was late, so these figures say nothing of the service.';
  const where = findings.load_line ? takenAt(findings) : 'window by window';
  return `In the order of their priority, judged ${where}.`;
}

/** Every step of a search with every figure, folded away. */
export function stepTable(findings: Findings): Tree {
  return h(
    'details',
    { class: 'steps' },
    h('summary', {}, `All ${findings.steps.length} steps as a table`),
    table(
      [
        '',
        'offered',
        'completed',
        'goodput',
        'p50',
        'p99',
        'p99.9',
        'CPU',
        'CPU per request',
        'errors',
        'dropped',
        'why',
      ],
      findings.steps.map((step) => {
        const time = (value: number | null) => figures.orDash(value, figures.duration);
        return [
          badge(ofStep(step.verdict)),
          figures.orDash(step.offered_per_s, figures.number),
          figures.orDash(step.throughput_per_s, figures.number),
          figures.orDash(step.goodput_per_s, figures.number),
          time(step.response_time.p50_ms),
          time(step.response_time.p99_ms),
          time(step.response_time.p999_ms),
          figures.orDash(step.cpu_share, figures.share),
          figures.orDash(step.cpu_us_per_request, (us) => figures.duration(us / 1e3)),
          figures.orDash(step.error_share, figures.share),
          figures.count(step.dropped),
          step.invalid_because?.text ?? step.broke?.text ?? '',
        ];
      }),
      { label: 'All steps' },
    ),
  );
}

/** Percentiles down, the three durations across: fits a phone. */
export function percentiles(findings: Findings): Tree | null {
  const durations: [string, Percentiles][] = (
    [
      ['response', findings.response_time],
      ['service', findings.service_time],
      ['lag', findings.schedule_lag],
    ] satisfies [string, Percentiles][]
  ).filter(([, p]) => p.count > 0);
  if (durations.length === 0) return null;
  const rows: [string, (p: Percentiles) => number | null][] = [
    ['mean', (p) => p.mean_ms],
    ['p50', (p) => p.p50_ms],
    ['p90', (p) => p.p90_ms],
    ['p95', (p) => p.p95_ms],
    ['p99', (p) => p.p99_ms],
    ['p99.9', (p) => p.p999_ms],
    ['max', (p) => p.max_ms],
  ];
  return table(
    ['', ...durations.map(([name]) => name)],
    rows.map(([name, of]) => [name, ...durations.map(([, p]) => figures.orDash(of(p), figures.duration))]),
    { unseenHead: 'percentile' },
  );
}

export function service(findings: Findings): Tree {
  const target = findings.target_resources;
  if (!target) {
    const hint = findings.target_command ? '' : ' Let plimsoll start it, or name its process, to see them.';
    return section('service', 'Service', `Its CPU and memory could not be sampled.${hint}`);
  }
  return section(
    'service',
    'Service',
    `As the operating system saw it, ${takenAt(findings)}.`,
    facts([
      ['CPU', `${figures.share(target.cpu_share)} of ${cores(target.cores)}`],
      ['CPU per request', figures.orDash(target.cpu_us_per_request, (us) => figures.duration(us / 1e3))],
      ['Memory, resident at most', figures.bytes(target.rss_max_bytes)],
      ['Threads at most', figures.count(target.threads_max)],
      ['Sockets at most', figures.count(target.sockets_max)],
      ['Involuntary context switches', `${figures.number(target.involuntary_switches_per_s)}/s`],
    ]),
  );
}

/** Whether the measuring side was honest. */
export function generator(findings: Findings): Tree {
  const own = findings.generator;
  const word = generatorWord(own.kept_up);
  const { totals } = findings;
  return section(
    'generator',
    'Generator',
    honesty(findings),
    facts([
      ['State', badge(word)],
      [
        'Busiest shard',
        `${figures.orDash(own.busy_share_max, (busy) => `${figures.share(busy)} of its core`)}, ${own.shards} in all`,
      ],
      ['Woke late, p99 of the worst second', figures.orDash(own.wake_lag_p99_ms, figures.duration)],
      ['Schedule lag, p99', figures.orDash(own.lag_p99_ms, figures.duration)],
      ['CPU per request', figures.orDash(own.cpu_us_per_request, (us) => figures.duration(us / 1e3))],
      ['Scheduled', figures.count(totals.scheduled)],
      ['Sent', figures.count(totals.sent)],
      ['Completed', figures.count(totals.completed)],
      ['Never made', figures.count(totals.dropped)],
      ['Connections opened', figures.count(totals.connections_opened)],
      ['Bytes out, in', `${figures.bytes(totals.sent_bytes)}, ${figures.bytes(totals.received_bytes)}`],
    ]),
  );
}

function generatorWord(keptUp: boolean | null): Word {
  if (keptUp === null) return { tone: 'unknown', text: 'not judged' };
  return keptUp ? { tone: 'good', text: 'kept up' } : { tone: 'doubtful', text: 'was late' };
}

function honesty({ generator, load_line }: Findings): string {
  if (generator.kept_up === null)
    return 'Nothing was judged, so it is not known whether it made its starts in time.';
  if (generator.kept_up) return 'It made its starts in time, so the figures describe the service.';
  if (load_line) return 'It was late in some steps; those are invalid and say nothing of the service.';
  return 'It did not make its starts in time, so the figures say nothing of the service.';
}

/** Names and what they stand for. */
export function facts(entries: [string, Child][]): Tree {
  return h(
    'dl',
    { class: 'facts-list' },
    entries.map(([name, content]) => h('div', {}, h('dt', {}, name), h('dd', {}, content))),
  );
}

const inUnit = (value: number | null, { objective }: ObjectiveFinding): string =>
  figures.orDash(value, (known) => figures.inUnit(known, objective.unit));

const cores = (n: number): string => (n === 1 ? '1 core' : `${figures.count(n)} cores`);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The figure large, its unit small. */
function split(figure: string): Child[] {
  const [value, ...unit] = figure.split(' ');
  const small = unit.length > 0 && h('span', { class: 'unit' }, ` ${unit.join(' ')}`);
  return [h('span', { class: 'amount' }, h('span', { class: 'figure' }, value), small)];
}
