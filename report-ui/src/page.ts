/** The whole page as a function of what it says. Charts are drawn apart, because they need a width. */

import { block } from './blocks.ts';
import type { Document, Subject } from './document.ts';
import { noticeList, result } from './result.ts';
import { h, type Tree } from './tree.ts';

export function page(document: Document): Tree {
  return h(
    'div',
    { class: 'page' },
    masthead(document.subject),
    h(
      'main',
      {},
      result(document.result),
      document.notices && noticeList(document.notices),
      document.content.map(block),
    ),
    h('footer', {}, document.foot),
  );
}

function masthead({ name, target, facts }: Subject): Tree {
  return h(
    'header',
    { class: 'masthead' },
    h('div', { class: 'brand' }, logo(), 'plimsoll'),
    h('p', { class: 'subject' }, h('strong', {}, name), target && h('span', {}, target)),
    h('p', { class: 'facts' }, facts.join(' · ')),
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
