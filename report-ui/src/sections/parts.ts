/** The building blocks of the sections. */

import { type Child, h, type Tree } from '../tree.ts';

/** A section with its heading, a sentence that says what it shows, and its content. */
export function section(id: string, title: string, lead: string, ...content: Child[]): Tree {
  const [first, ...rest] = content;
  return h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    // On paper a heading does not part from what it heads.
    h(
      'div',
      { class: 'keeps' },
      h('h2', { id: `${id}-title` }, title),
      lead && h('p', { class: 'lead' }, lead),
      first,
    ),
    rest,
  );
}

/**
 * The first cell of a row names it. What is too wide scrolls by itself; with a label, the keyboard can reach it for
 * that. A table of the class `stacks` becomes a list of cards on a phone.
 */
export function table(
  heads: string[],
  rows: Child[][],
  { className, label, unseenHead }: { className?: string; label?: string; unseenHead?: string } = {},
): Tree {
  const isText = (column: number) => rows.every((row) => !/^[\d<>–-]/.test(String(row[column] ?? '')));
  const side = heads.map((_, column) => (isText(column) ? 'text' : 'figure'));
  const head = (text: string) => text || h('span', { class: 'unseen' }, unseenHead ?? 'verdict');
  const cell = (content: Child, i: number) =>
    i === 0
      ? h('th', { scope: 'row' }, content)
      : h('td', { class: side[i], 'data-head': heads[i] }, content);
  return h(
    'div',
    { class: 'scrolls', ...(label && { role: 'region', tabindex: 0, 'aria-label': label }) },
    h(
      'table',
      { class: className },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          heads.map((text, i) => h('th', { scope: 'col', class: side[i] }, head(text))),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) => h('tr', {}, row.map(cell))),
      ),
    ),
  );
}

/** What was written for people: between backticks stands code. */
export function prose(text: string): Child[] {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part));
}

/** Prose with a capital, unless it begins with something that is written small, such as an objective. */
export const sentence = (text: string): Child[] =>
  prose(/^[a-z]+ (?![<>=])/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text);

/** Where a chart goes once its width is known. */
export const chartPlace = (name: string): Tree => h('figure', { class: 'chart-place', 'data-chart': name });
