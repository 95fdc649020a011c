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

/**
 * Without options V8 compares by what it made before; and where it is given one argument alone, in less time than any more takes to pass on.
 * @param {Function} original
 */
function comparing(original) {
  const making = counted(original, 'String.localeCompare', 'construction', () => 0);
  return {
    /** @this {unknown} @param {any} that @param {any} locales @param {any} options */
    wrapper(that, locales, options) {
      if (options !== undefined) return Reflect.apply(making, this, [that, locales, options]);
      return Reflect.apply(original, this, locales === undefined ? [that] : [that, locales]);
    },
  }.wrapper;
}
