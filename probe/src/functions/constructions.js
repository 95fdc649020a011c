// @ts-check
// What is costly to make and could be kept: formatters of `Intl`, and the methods that make one for each call.

import { wrap, wrapClass } from '../wrap.js';

export const FORMATTERS = [
  'Collator',
  'DateTimeFormat',
  'DisplayNames',
  'DurationFormat',
  'ListFormat',
  'NumberFormat',
  'PluralRules',
  'RelativeTimeFormat',
  'Segmenter',
];
const DATE_METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'];

export function wrapConstructions() {
  for (const key of FORMATTERS) wrapClass(Intl, key, `new Intl.${key}`, 'construction');
  for (const key of DATE_METHODS) wrap(Date.prototype, key, `Date.${key}`, 'construction', () => 0);
  for (const { prototype, name } of [Number, BigInt]) {
    wrap(prototype, 'toLocaleString', `${name}.toLocaleString`, 'construction', () => 0);
  }
}
