// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTogether } from '../src/json.js';

test('texts are parsed together and keep their places', (t) => {
  const parse = t.mock.method(JSON, 'parse');
  assert.deepEqual(parseTogether(['1', '{"a":[2]}']), [1, { a: [2] }]);
  assert.equal(parse.mock.callCount(), 1);
  assert.deepEqual(parseTogether([undefined, 'null', undefined, '"x"']), [undefined, null, undefined, 'x']);
  assert.deepEqual(parseTogether([]), []);
});

test('what is not JSON is told', () => {
  assert.throws(() => parseTogether(['1', '{']), SyntaxError);
});
