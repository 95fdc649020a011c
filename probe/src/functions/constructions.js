// @ts-check
// What is costly to make and could be kept: formatters of `Intl`, and the methods that make one for each call.

import { counted, replace, wrap, wrapClass } from '../wrap.js';

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
  replace(String.prototype, 'localeCompare', comparing);
}

/** Without options V8 compares by what it made before. @param {Function} original */
function comparing(original) {
  const making = counted(original, 'String.localeCompare', 'construction', () => 0);
  return {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      return Reflect.apply(args[2] === undefined ? original : making, this, args);
    },
  }.wrapper;
}
