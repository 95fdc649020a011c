// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../src/cache/memory.js';

/** @param {number} [entries] */
function cacheWithClock(entries = 10) {
  const clock = { now_ms: 0 };
  return { clock, cache: createMemoryCache({ entries, now: () => clock.now_ms }) };
}

test('texts come back in the order of the keys', () => {
  const { cache } = cacheWithClock();
  cache.set('a', '1', 10);
  cache.set('b', '2', 10);
  assert.deepEqual(['b', 'none', 'a'].map(cache.get), ['2', undefined, '1']);
});

test('a text lives until its time, which a change renews', () => {
  const { cache, clock } = cacheWithClock();
  cache.set('a', '1', 10);
  clock.now_ms = 9;
  assert.equal(cache.replace('a', '1', '2', 10), true);
  clock.now_ms = 18;
  assert.equal(cache.get('a'), '2');
  clock.now_ms = 19;
  assert.equal(cache.get('a'), undefined);
  assert.equal(cache.size(), 0);
});

test('replace wants the text that is there', () => {
  const { cache } = cacheWithClock();
  assert.equal(cache.replace('a', '1', '2', 10), false);
  cache.set('a', '1', 10);
  assert.equal(cache.replace('a', 'other', '2', 10), false);
  assert.equal(cache.get('a'), '1');
});

test('add keeps what is there', () => {
  const { cache, clock } = cacheWithClock();
  assert.equal(cache.add('a', '1', 10), '1');
  assert.equal(cache.add('a', '2', 10), '1');
  clock.now_ms = 10;
  assert.equal(cache.add('a', '3', 10), '3');
});

test('when it is full, what was written longest ago goes', () => {
  const { cache } = cacheWithClock(2);
  cache.set('a', '1', 10);
  cache.set('b', '2', 10);
  cache.replace('a', '1', '3', 10);
  cache.set('c', '4', 10);
  assert.deepEqual(['a', 'b', 'c'].map(cache.get), ['3', undefined, '4']);
  assert.equal(cache.size(), 2);
});
