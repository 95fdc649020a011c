/** The answer of a run or a search: what it comes to, what broke first, what to do next. */

import * as figures from '../figures.ts';
import type { Findings, LoadLine } from '../findings.ts';
import { type Child, h, type Tree } from '../tree.ts';
import { badge, ofRun } from '../verdict.ts';
import { answerBox, headline } from './frame.ts';
import { sentence } from './parts.ts';

/** Name of the page, for tabs and bookmarks. */
export function title(findings: Findings): string {
  const line = findings.load_line;
  const result = line ? `load line ${figures.rate(line.rate_per_s)}` : ofRun(findings.verdict).text;
  return `${findings.name}: ${result} – plimsoll`;
}

export function answer(findings: Findings): Tree {
  const verdict = ofRun(findings.verdict);
  const line = findings.load_line;
  return answerBox(
    verdict.tone,
    [badge(verdict), line && !line.converged ? ', its bracket not confirmed' : null],
    line && !findings.diagnosis ? loadLine(line) : headline(findings.headline.text),
    outcome(findings),
    findings,
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

function outcome(findings: Findings): [string, Child[]][] {
  const line = findings.load_line;
  const entries: [string, Child[]][] = [];
  if (line) entries.push(['True line', interval(line)]);
  const broke = brokeFirst(findings);
  if (broke) entries.push(['Broke first', broke]);
  if (line) entries.push(['Search ended', sentence(line.ended_because.text)]);
  return entries;
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
    if (line.broke) return [h('code', {}, line.broke.text), at && small(at)];
    return [at ?? 'Nothing: every rate that was judged passed'];
  }
  if (findings.verdict === 'invalid') return null;
  const first = findings.objectives.find(({ passed }) => passed === false);
  if (!first) return null;
  const observed = figures.orDash(first.observed, (value) => figures.inUnit(value, first.objective.unit));
  const windows = `${figures.count(first.windows_passed)} of ${figures.count(first.windows_judged)} windows`;
  return [h('code', {}, first.objective.text), small(`observed ${observed}, held in ${windows}`)];
}
