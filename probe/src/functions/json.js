// @ts-check
// JSON.parse and JSON.stringify. They are called so often that they have wrappers of their own, without an array of
// arguments.

import { begin, count, createCounter, end } from '../count.js';
import { state } from '../state.js';
import { replace } from '../wrap.js';

export function wrapJson() {
  replace(JSON, 'parse', (original) => parser(/** @type {typeof JSON.parse} */ (original)));
  replace(JSON, 'stringify', (original) => writer(/** @type {typeof JSON.stringify} */ (original)));
}

/** @param {typeof JSON.parse} original */
function parser(original) {
  const counter = createCounter('JSON.parse', 'json');
  return {
    /** @param {string} text @param {any} reviver */
    parse(text, reviver) {
      if (!state.on || state.inside) return original(text, reviver);
      const from_ms = begin(counter);
      try {
        return original(text, reviver);
      } finally {
        const ns = end(from_ms);
        if (typeof text === 'string') count(counter, ns, text.length, text);
        else count(counter, ns, 0);
      }
    },
  }.parse;
}

/** @param {typeof JSON.stringify} original */
function writer(original) {
  const counter = createCounter('JSON.stringify', 'json');
  return {
    /** @param {unknown} value @param {any} replacer @param {any} space */
    stringify(value, replacer, space) {
      if (!state.on || state.inside) return original(value, replacer, space);
      let text;
      const from_ms = begin(counter);
      try {
        text = original(value, replacer, space);
        return text;
      } finally {
        const ns = end(from_ms);
        if (text !== undefined) count(counter, ns, text.length, text);
        else count(counter, ns, 0);
      }
    },
  }.stringify;
}
