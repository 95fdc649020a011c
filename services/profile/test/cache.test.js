// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryCache } from '../src/cache/memory.js';

/** @param {number} [entries] */
function cacheWithClock(entries = 10) {
  const clock = { now_ms: 0 };
  return { clock, cache: createMemoryCache({ entries, now: () => clock.now_ms }) };
}

test('texts come back in the order of the keys', async () => {
  const { cache } = cacheWithClock();
  await cache.set('a', '1', 10);
  await cache.set('b', '2', 10);
  assert.deepEqual(await cache.getMany(['b', 'none', 'a']), ['2', undefined, '1']);
});

test('a text lives until its time, which a change renews', async () => {
  const { cache, clock } = cacheWithClock();
  await cache.set('a', '1', 10);
  clock.now_ms = 9;
  assert.equal(await cache.replace('a', '1', '2', 10), true);
  clock.now_ms = 18;
  assert.deepEqual(await cache.getMany(['a']), ['2']);
  clock.now_ms = 19;
  assert.deepEqual(await cache.getMany(['a']), [undefined]);
  assert.equal(cache.size(), 0);
});

test('replace wants the text that is there', async () => {
  const { cache } = cacheWithClock();
  assert.equal(await cache.replace('a', '1', '2', 10), false);
  await cache.set('a', '1', 10);
  assert.equal(await cache.replace('a', 'other', '2', 10), false);
  assert.deepEqual(await cache.getMany(['a']), ['1']);
});

test('add keeps what is there', async () => {
  const { cache, clock } = cacheWithClock();
  assert.equal(await cache.add('a', '1', 10), '1');
  assert.equal(await cache.add('a', '2', 10), '1');
  clock.now_ms = 10;
  assert.equal(await cache.add('a', '3', 10), '3');
});

test('when it is full, what was written longest ago goes', async () => {
  const { cache } = cacheWithClock(2);
  await cache.set('a', '1', 10);
  await cache.set('b', '2', 10);
  await cache.replace('a', '1', '3', 10);
  await cache.set('c', '4', 10);
  assert.deepEqual(await cache.getMany(['a', 'b', 'c']), ['3', undefined, '4']);
  assert.equal(cache.size(), 2);
});

test('a deleted text is gone', async () => {
  const { cache } = cacheWithClock();
  await cache.set('a', '1', 10);
  await cache.delete('a');
  assert.deepEqual(await cache.getMany(['a']), [undefined]);
});
