// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, integer, LOG_LEVELS, oneOf } from '../src/settings.js';

test('what is not set, or empty, is the default', () => {
  for (const env of [{}, { SIZE: '', LOG_LEVEL: '' }]) {
    assert.equal(integer(env, 'SIZE', 7, 1, 10), 7);
    assert.equal(oneOf(env, 'LOG_LEVEL', 'error', LOG_LEVELS), 'error');
  }
});

test('what is set is read, up to the bounds', () => {
  for (const size of [1, 10]) assert.equal(integer({ SIZE: `${size}` }, 'SIZE', 7, 1, 10), size);
  assert.equal(oneOf({ LOG_LEVEL: 'debug' }, 'LOG_LEVEL', 'error', LOG_LEVELS), 'debug');
});

for (const text of ['0', '11', '-1', '1.5', '3e0', ' 3', '3s', '0x3', '99999999999999999999']) {
  test(`the number ${JSON.stringify(text)} is refused by name and value`, () => {
    assert.throws(
      () => integer({ SIZE: text }, 'SIZE', 7, 1, 10),
      (error) =>
        error instanceof ConfigError &&
        error.message === `SIZE must be a whole number from 1 to 10; found "${text}"`,
    );
  });
}

test('another choice is refused by name, value and what there is', () => {
  assert.throws(
    () => oneOf({ COLOUR: 'Red' }, 'COLOUR', 'red', ['red', 'green']),
    (error) =>
      error instanceof ConfigError && error.message === 'COLOUR must be one of red, green; found "Red"',
  );
});
