// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_LEVELS, parseJson, TooDeepError } from '../src/json.js';

/** @param {number} levels @param {string} open @param {string} close @param {string} [inner] */
const nested = (levels, open, close, inner = '1') => open.repeat(levels) + inner + close.repeat(levels);

test('what is nested as deep as allowed is read, and deeper is refused in words', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ]) {
    const levels_each = open.startsWith('[{') ? 2 : 1;
    const fits = nested(MOST_LEVELS / levels_each, open, close);
    assert.deepEqual(parseJson(fits), JSON.parse(fits));
    for (const more of [1, 50_000]) {
      assert.throws(() => parseJson(nested(MOST_LEVELS + more, open, close)), {
        constructor: TooDeepError,
        message: 'nested too deep: expected at most 64 levels',
      });
    }
  }
});

test('what is wide, or has brackets in its strings, is not deep', () => {
  for (const value of [
    Array.from({ length: 1_000 }, () => ({ a: [] })),
    { '[': '['.repeat(1_000), '"[[': '\\"{'.repeat(1_000) },
  ]) {
    assert.deepEqual(parseJson(JSON.stringify(value)), value);
  }
});

test('what is not JSON is a syntax error, however it is nested', () => {
  for (const text of ['', '{', '['.repeat(64), '"'.repeat(100), ']'.repeat(100), `${'[]'.repeat(100)}"\\`]) {
    assert.throws(() => parseJson(text), SyntaxError, text);
  }
});
