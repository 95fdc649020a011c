/** The parts of a page, each by its kind. */

import type {
  Block,
  Causes,
  CauseText,
  Facts,
  FlameKey,
  Folded,
  Glance,
  GlanceFigure,
  Legend,
  ListingLine,
  ListingText,
  Section,
  Table,
} from './document.ts';
import { mark } from './marks.ts';
import { cell, prose } from './text.ts';
import { type Child, h, type Tree } from './tree.ts';

export function block(of: Block): Tree {
  switch (of.kind) {
    case 'section':
      return section(of);
    case 'columns':
      return h('div', { class: of.widths.replaceAll('_', '-') }, of.content.map(block));
    case 'folded':
      return folded(of);
    case 'table':
      return table(of);
    case 'facts':
      return facts(of);
    case 'glance':
      return glance(of);
    case 'legend':
      return legend(of);
    case 'chart':
      return h('figure', { class: 'chart-place', 'data-chart': of.name });
    case 'flame':
      return flame(of);
    case 'causes':
      return causes(of);
    case 'listing':
      return listing(of);
    case 'heading':
      return h('h3', {}, of.text);
    case 'paragraph':
      return h('p', {}, of.text);
  }
}

function section({ id, title, lead, content }: Section): Tree {
  const [first, ...rest] = content.map(block);
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    // On paper a heading does not part from what it heads.
    h(
      'div',
      { class: 'keeps' },
      h('h2', { id: `${id}-title` }, title),
      lead && h('p', { class: 'lead' }, prose(lead)),
      first,
    ),
    rest,
  );
}

const folded = ({ id, summary, content }: Folded): Tree =>
  h('details', { id }, h('summary', {}, summary), content.map(block));

/** What is too wide scrolls by itself, and the keyboard can reach it for that. */
function table({ label, columns, rows, cards }: Table): Tree {
  const side = (i: number) => (columns[i]?.figures ? 'figure' : 'text');
  const head = columns.map(({ head, unseen }, i) =>
    h('th', { scope: 'col', class: side(i) }, unseen ? h('span', { class: 'unseen' }, head) : head),
  );
  const row = (cells: Table['rows'][number]) =>
    cells.map((content, i) =>
      i === 0
        ? h('th', { scope: 'row' }, cell(content))
        : h('td', { class: side(i), 'data-head': columns[i]?.head ?? '' }, cell(content)),
    );
  return h(
    'div',
    { class: 'scrolls', role: 'region', tabindex: cards ? null : 0, 'aria-label': label },
    h(
      'table',
      { class: cards && 'cards' },
      h('thead', {}, h('tr', {}, head)),
      h(
        'tbody',
        {},
        rows.map((cells) => h('tr', {}, row(cells))),
      ),
    ),
  );
}

const layouts = { figures: 'facts-list', lines: 'facts-list wide', terms: 'glossary' };

const facts = ({ layout, facts }: Facts): Tree =>
  h(
    'dl',
    { class: layouts[layout] },
    facts.map(({ name, value }) => h('div', {}, h('dt', {}, name), h('dd', {}, cell(value)))),
  );

function glance({ label, taken_at, figures }: Glance): Tree {
  return h(
    'section',
    { class: 'glance', id: 'glance', 'aria-label': label },
    h('p', { class: 'where' }, taken_at),
    h('dl', {}, figures.map(large)),
  );
}

/** The figure large, its unit small. */
function large({ name, figure, note }: GlanceFigure): Tree {
  const [amount, ...unit] = figure.split(' ');
  return h(
    'div',
    {},
    h('dt', {}, name),
    h(
      'dd',
      {},
      h(
        'span',
        { class: 'amount' },
        h('span', { class: 'figure' }, amount),
        unit.length > 0 && h('span', { class: 'unit' }, ` ${unit.join(' ')}`),
      ),
      note && h('span', { class: 'note' }, note),
    ),
  );
}

function legend({ marks, line }: Legend): Tree {
  const sample = h(
    'g',
    {},
    h('rect', { class: 'interval', x: 2, y: 0, width: 10, height: 14 }),
    h('path', { class: 'load-line', d: 'M7 0V14' }),
  );
  const entry = (text: string, drawn: Child) =>
    h('li', {}, h('svg', { viewBox: '0 0 14 14', 'aria-hidden': 'true' }, drawn), text);
  return h(
    'ul',
    { class: 'legend' },
    marks.map(({ tone, text }) => entry(text, mark(tone, 7, 7))),
    line && entry(line, sample),
  );
}

function flame({ classes }: FlameKey): Tree {
  const key = classes.map((each) =>
    h(
      'li',
      {},
      h(
        'svg',
        { viewBox: '0 0 10 10', 'aria-hidden': 'true' },
        h('rect', { class: each.class, width: 10, height: 10 }),
      ),
      each.text,
    ),
  );
  return h('div', { class: 'flame' }, h('ul', { class: 'flame-key' }, key), h('div', { 'data-flame': true }));
}

const causes = ({ causes }: Causes): Tree => h('ol', { class: 'causes' }, causes.map(cause));

function cause({ title, place, facts, remedy, more }: CauseText): Tree {
  return h(
    'li',
    {},
    h('h3', {}, prose(title)),
    place && h('p', { class: 'place' }, place.label, ' ', h('code', {}, place.text)),
    h(
      'dl',
      { class: 'facts' },
      facts.map(({ label, text }) => h('div', {}, h('dt', {}, label), h('dd', {}, prose(text)))),
    ),
    h('p', { class: 'remedy' }, h('strong', {}, remedy.label), ' ', prose(remedy.text)),
    h('p', { class: 'small' }, more),
  );
}

/** A function with the time of its lines, each with a bar as long as its time. Long lines scroll. */
function listing({ title, costs, heads, lines }: ListingText): Tree {
  const head = h(
    'tr',
    {},
    h('td', {}),
    heads.map((text) => h('th', { scope: 'col' }, text)),
  );
  return h(
    'figure',
    { class: 'listing' },
    h('figcaption', {}, h('code', {}, title), ' ', h('span', {}, costs)),
    h(
      'div',
      { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': title },
      h('table', {}, h('thead', {}, head), h('tbody', {}, lines.map(listingLine))),
    ),
  );
}

function listingLine({ time, line, text, heat, after_gap }: ListingLine): Tree {
  const bar = h(
    'svg',
    { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    h('rect', { width: heat * 100, height: 10 }),
  );
  return h(
    'tr',
    { class: after_gap && 'after-gap' },
    h('td', { class: 'heat' }, heat > 0 && bar),
    h('td', { class: 'time' }, time),
    h('th', { scope: 'row' }, line),
    h('td', {}, h('code', {}, text)),
  );
}
