/** What stands first: the result, and what weakens it. */

import type { Heading, Noticed, Notices, Outcome } from './document.ts';
import { badge, mark } from './marks.ts';
import { cell, prose } from './text.ts';
import { h, type Tree } from './tree.ts';

/** The verdict, the result as a heading, its facts, and what to do next. */
export function result({ verdict, note, heading: title, facts, next }: Outcome): Tree {
  return h(
    'section',
    { class: `result ${verdict.tone}`, id: 'result', 'aria-labelledby': 'result-title' },
    h('p', { class: 'verdict' }, badge(verdict), note && `, ${note}`),
    heading(title),
    facts.length > 0 &&
      h(
        'dl',
        { class: 'outcome' },
        facts.map(({ name, value }) => h('div', {}, h('dt', {}, name), h('dd', {}, cell(value)))),
      ),
    h('p', { class: 'next' }, h('span', { class: 'name' }, next.name), h('strong', {}, cell(next.value))),
  );
}

function heading(title: Heading): Tree {
  if (title.kind === 'sentence') return h('h1', { id: 'result-title', class: 'sentence' }, prose(title.text));
  return h(
    'h1',
    { id: 'result-title', class: 'load-line' },
    h('span', { class: 'name' }, title.name),
    ' ',
    h('span', { class: 'figure' }, title.figure),
    ' ',
    h('span', { class: 'unit' }, title.unit),
  );
}

export function noticeList({ title, notices }: Notices): Tree {
  return h(
    'section',
    { class: 'notices', id: 'notices', 'aria-labelledby': 'notices-title' },
    h('h2', { id: 'notices-title' }, title),
    h('ul', {}, notices.map(notice)),
  );
}

function notice({ text, hint }: Noticed): Tree {
  return h(
    'li',
    {},
    h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, mark('doubtful', 7, 7.5, 5)),
    h(
      'div',
      {},
      h('p', {}, prose(text)),
      hint && h('p', { class: 'hint' }, h('strong', {}, hint.label), ' ', prose(hint.text)),
    ),
  );
}
