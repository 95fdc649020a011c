/** The head of the page: what was tested, what it comes to, what broke first, what to do next. */

import * as figures from '../figures.ts';
import type { Findings, LoadLine, Notice } from '../findings.ts';
import { type Child, h, type Tree } from '../tree.ts';
import { badge, mark, ofObjective, ofRun } from '../verdict.ts';
import { prose, sentence } from './parts.ts';

/** Name of the page, for tabs and bookmarks. */
export function title(findings: Findings): string {
  const line = findings.load_line;
  const result = line ? `load line ${figures.rate(line.rate_per_s)}` : ofRun(findings.verdict).text;
  return `${findings.name}: ${result} – plimsoll`;
}

export function masthead(findings: Findings): Tree {
  const parts = [findings.command, startedAt(findings.started_at), figures.elapsed(findings.duration_s)];
  return h(
    'header',
    { class: 'masthead' },
    h('div', { class: 'brand' }, logo(), 'plimsoll'),
    h(
      'p',
      { class: 'subject' },
      h('strong', {}, findings.name),
      !findings.name.startsWith(findings.target) && h('span', {}, findings.target),
    ),
    h('p', { class: 'facts' }, parts.filter(Boolean).join(' · ')),
  );
}

export function answer(findings: Findings): Tree {
  const verdict = ofRun(findings.verdict);
  const line = findings.load_line;
  const facts = outcome(findings);
  return h(
    'section',
    { class: `answer ${verdict.tone}`, id: 'answer', 'aria-labelledby': 'answer-title' },
    h(
      'p',
      { class: 'verdict' },
      badge(verdict),
      line && !line.converged ? ', its bracket not confirmed' : null,
    ),
    line && !findings.diagnosis
      ? loadLine(line)
      : h('h1', { id: 'answer-title', class: 'sentence' }, sentence(findings.headline)),
    facts.length > 0 && h('dl', { class: 'outcome' }, facts),
    findings.next_step &&
      h(
        'p',
        { class: 'next' },
        h('span', { class: 'name' }, 'Next step'),
        h('strong', {}, sentence(findings.next_step)),
      ),
  );
}

/** What the reader should know besides; before the figures, because it may weaken them. */
export function notices(findings: Pick<Findings, 'notices'>): Tree | null {
  if (findings.notices.length === 0) return null;
  return h(
    'section',
    { class: 'notices', id: 'notices', 'aria-labelledby': 'notices-title' },
    h('h2', { id: 'notices-title' }, 'Notices'),
    h('ul', {}, findings.notices.map(notice)),
  );
}

/** The Plimsoll mark: a circle with a line through it. */
export function logo(): Tree {
  return h(
    'svg',
    { viewBox: '0 0 24 24', class: 'logo', 'aria-hidden': 'true' },
    h('circle', { cx: 12, cy: 12, r: 7.5 }),
    h('path', { d: 'M1 12H23' }),
  );
}

function loadLine(line: LoadLine): Tree {
  return h(
    'h1',
    { id: 'answer-title', class: 'load-line' },
    h('span', { class: 'name' }, line.failed_per_s === null ? 'Load line, at least' : 'Load line'),
    ' ',
    h('span', { class: 'figure' }, figures.number(line.rate_per_s)),
    ' ',
    h('span', { class: 'unit' }, 'req/s'),
  );
}

function outcome(findings: Findings): Tree[] {
  const line = findings.load_line;
  const entries: [string, Child[]][] = [];
  if (line) entries.push(['True line', interval(line)]);
  const broke = brokeFirst(findings);
  if (broke) entries.push(['Broke first', broke]);
  if (line?.ended_because) entries.push(['Search ended', sentence(line.ended_because)]);
  return entries.map(([name, content]) => h('div', {}, h('dt', {}, name), h('dd', {}, content)));
}

const small = (text: string): Tree => h('span', { class: 'small' }, text);

function interval(line: LoadLine): Child[] {
  const high = line.interval_high_per_s;
  const low = figures.number(line.interval_low_per_s);
  const bracket =
    line.bracket_share === null ? 'no upper end met' : `bracket ${figures.share(line.bracket_share)}`;
  return [
    high === null ? `${low} req/s or more` : `${low} to ${figures.rate(high)}`,
    small(`${figures.share(line.confidence)} confidence, ${bracket}`),
  ];
}

function brokeFirst(findings: Findings): Child[] | null {
  const line = findings.load_line;
  if (line) {
    const at = line.failed_per_s === null ? null : `at ${figures.rate(line.failed_per_s)}`;
    if (line.broke) return [h('code', {}, line.broke), at && small(at)];
    return [at ?? 'Nothing: every rate that was judged passed'];
  }
  if (findings.verdict === 'invalid') return null;
  const first = findings.objectives.find((objective) => ofObjective(objective).text === 'breached');
  if (!first) return null;
  const observed = figures.orDash(first.observed, (value) => figures.inUnit(value, first.unit));
  const windows = `${figures.count(first.windows_passed)} of ${figures.count(first.windows_judged)} windows`;
  return [h('code', {}, first.objective), small(`observed ${observed}, held in ${windows}`)];
}

function notice({ message, hint }: Notice): Tree {
  return h(
    'li',
    {},
    h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, mark('doubtful', 7, 7.5, 5)),
    h(
      'div',
      {},
      h('p', {}, sentence(message)),
      hint && h('p', { class: 'hint' }, h('strong', {}, 'Hint: '), prose(hint)),
    ),
  );
}

/** `2026-03-02 09:14 UTC`; other text as it is. */
export function startedAt(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text);
  return match ? `${match[1]} ${match[2]} UTC` : text;
}
