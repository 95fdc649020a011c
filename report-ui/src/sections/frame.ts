/** What every page has, whatever was found: its head, the box with the answer, notices, how it came about, its foot. */

import * as figures from '../figures.ts';
import type { Findings } from '../findings.ts';
import type { Notice } from '../shared.ts';
import { type Child, h, type Tree } from '../tree.ts';
import { mark } from '../verdict.ts';
import { prose, sentence } from './parts.ts';

/** What is known of every result, of a run, a comparison or a sweep. */
type Result = Pick<
  Findings,
  'format' | 'name' | 'target' | 'started_at' | 'duration_s' | 'version' | 'notices'
> & { host: { text: string } | null; next_step: { text: string } };

/** The page of what `command` found. */
export function framed(result: Result, command: string, ...content: (Child | Child[])[]): Tree {
  return h(
    'div',
    { class: 'page' },
    masthead(result, command),
    h('main', {}, ...content),
    h('footer', {}, `plimsoll ${result.version}`),
  );
}

function masthead(result: Result, command: string): Tree {
  const parts = [command, startedAt(result.started_at), figures.elapsed(result.duration_s)];
  return h(
    'header',
    { class: 'masthead' },
    h('div', { class: 'brand' }, logo(), 'plimsoll'),
    h(
      'p',
      { class: 'subject' },
      h('strong', {}, result.name),
      !result.name.startsWith(result.target) && h('span', {}, result.target),
    ),
    h('p', { class: 'facts' }, parts.filter(Boolean).join(' · ')),
  );
}

/** The verdict, the answer as a heading, its facts, and what to do next. */
export function answerBox(
  tone: string,
  verdict: Child[],
  heading: Tree,
  facts: [string, Child | Child[]][],
  { next_step }: Result,
): Tree {
  return h(
    'section',
    { class: `answer ${tone}`, id: 'answer', 'aria-labelledby': 'answer-title' },
    h('p', { class: 'verdict' }, verdict),
    heading,
    facts.length > 0 &&
      h(
        'dl',
        { class: 'outcome' },
        facts.map(([name, content]) => h('div', {}, h('dt', {}, name), h('dd', {}, content))),
      ),
    h(
      'p',
      { class: 'next' },
      h('span', { class: 'name' }, 'Next step'),
      h('strong', {}, sentence(next_step.text)),
    ),
  );
}

/** The answer where it is a sentence. */
export const headline = (text: string): Tree =>
  h('h1', { id: 'answer-title', class: 'sentence' }, sentence(text));

/** What the reader should know besides; before the figures, because it may weaken them. */
export function notices({ notices }: Pick<Result, 'notices'>): Tree | null {
  if (notices.length === 0) return null;
  return h(
    'section',
    { class: 'notices', id: 'notices', 'aria-labelledby': 'notices-title' },
    h('h2', { id: 'notices-title' }, 'Notices'),
    h('ul', {}, notices.map(notice)),
  );
}

function notice({ text, hint }: Notice): Tree {
  return h(
    'li',
    {},
    h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, mark('doubtful', 7, 7.5, 5)),
    h(
      'div',
      {},
      h('p', {}, sentence(text)),
      hint && h('p', { class: 'hint' }, h('strong', {}, 'Hint: '), prose(hint)),
    ),
  );
}

/** What was done where and by which version, folded; entries without a text are left out. */
export function setting(result: Result, command: string, more: [string, string | null][] = []): Tree {
  const entries: [string, string | null][] = [
    ['Plan', result.name],
    ['Command', `plimsoll ${command}`],
    ['Target', result.target],
    ...more,
    ['Host', result.host?.text ?? null],
    ['Began', result.started_at],
    ['Took', figures.elapsed(result.duration_s)],
    ['Version', `plimsoll ${result.version}, ${result.format}`],
  ];
  return h(
    'details',
    { id: 'setting' },
    h('summary', {}, 'Plan, host and versions'),
    h(
      'dl',
      { class: 'facts-list wide' },
      entries.map(([name, text]) => text && h('div', {}, h('dt', {}, name), h('dd', {}, text))),
    ),
  );
}

/** The Plimsoll mark: a circle with a line through it. */
function logo(): Tree {
  return h(
    'svg',
    { viewBox: '0 0 24 24', class: 'logo', 'aria-hidden': 'true' },
    h('circle', { cx: 12, cy: 12, r: 7.5 }),
    h('path', { d: 'M1 12H23' }),
  );
}

/** `2026-03-02 09:14 UTC`; other text as it is. */
function startedAt(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text);
  return match ? `${match[1]} ${match[2]} UTC` : text;
}
