/** The building blocks of the sections. */

import { type Child, h, type Tree } from '../tree.ts';

/** A section with its heading, a sentence that says what it shows, and its content. */
export function section(id: string, title: string, lead: string, ...content: Child[]): Tree {
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    lead && h('p', { class: 'lead' }, lead),
    content,
  );
}

/** The first cell of a row names it. A table of the class `stacks` becomes a list of cards on a phone. */
export function table(heads: string[], rows: Child[][], className = ''): Tree {
  const isText = (column: number) => rows.every((row) => !/^[\d<>–-]/.test(String(row[column] ?? '')));
  const side = heads.map((_, column) => (isText(column) ? 'text' : 'figure'));
  return h(
    'table',
    { class: className },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        heads.map((head, i) =>
          h('th', { scope: 'col', class: side[i] }, head || h('span', { class: 'unseen' }, 'verdict')),
        ),
      ),
    ),
    h(
      'tbody',
      {},
      rows.map((row) =>
        h(
          'tr',
          {},
          row.map((cell, i) =>
            i === 0
              ? h('th', { scope: 'row' }, cell)
              : h('td', { class: side[i], 'data-head': heads[i] }, cell),
          ),
        ),
      ),
    ),
  );
}

/** Scrolls sideways by itself where it is too wide, also by keyboard. */
export const region = (label: string, content: Tree): Tree =>
  h('div', { class: 'scrolls', role: 'region', tabindex: 0, 'aria-label': label }, content);

/** Where a chart goes once its width is known. */
export const chartPlace = (name: string): Tree => h('figure', { class: 'chart-place', 'data-chart': name });
