/** Text as it stands in tables, beside names and in sentences. */

import type { Cell } from './document.ts';
import { badge } from './marks.ts';
import { type Child, h } from './tree.ts';

/** What was written for people: between backticks stands code. */
export function prose(text: string): Child[] {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, i) => (i % 2 === 1 ? h('code', {}, part) : part));
}

export function cell(content: Cell): Child[] {
  if (typeof content === 'string') return [content];
  if ('tone' in content) return [badge(content)];
  const { text, code, notes } = content;
  const small = notes.map((note) => h('span', { class: 'note' }, ` ${note}`));
  return [h('span', {}, code ? h('code', {}, text) : text, small)];
}
