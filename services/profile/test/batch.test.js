// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch } from '../src/batch.js';

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** A server that responds when it is told to. @param {number} most @param {(send: () => void) => void} [later] */
function server(most, later) {
  /** @type {{ items: number[], respond: (value: number[]) => void, fail: (error: Error) => void }[]} */
  const asked = [];
  const ask = createBatch(
    (/** @type {number[]} */ items) =>
      new Promise((/** @type {(value: number[]) => void} */ respond, fail) => {
        asked.push({ items, respond, fail });
      }),
    most,
    later,
  );
  return { ask, asked };
}

test('what is asked in one turn of the loop goes out together', async () => {
  const { ask, asked } = server(10);
  const results = Promise.all([ask(1), ask(2), ask(3)]);
  assert.equal(asked.length, 0);
  await turn();
  assert.deepEqual(
    asked.map(({ items }) => items),
    [[1, 2, 3]],
  );
  asked[0].respond([10, 20, 30]);
  assert.deepEqual(await results, [10, 20, 30]);
});

test('so many go out at once, without waiting', async () => {
  const { ask, asked } = server(2);
  const results = Promise.all([ask(1), ask(2), ask(3)]);
  assert.deepEqual(
    asked.map(({ items }) => items),
    [[1, 2]],
  );
  await turn();
  assert.deepEqual(asked[1].items, [3]);
  asked[0].respond([10, 20]);
  asked[1].respond([30]);
  assert.deepEqual(await results, [10, 20, 30]);
});

test('how long a moment is can be said', async () => {
  /** @type {(() => void)[]} */
  const moments = [];
  const { ask, asked } = server(10, (send) => void moments.push(send));
  ask(1);
  await turn();
  ask(2);
  assert.equal(asked.length, 0);
  moments[0]();
  assert.deepEqual(asked[0].items, [1, 2]);
  assert.equal(moments.length, 1);
});

test('a failure is told to those who asked, and to nobody else', async () => {
  const { ask, asked } = server(10);
  const [one, two] = [ask(1), ask(2)];
  await turn();
  const three = ask(3);
  await turn();
  asked[0].fail(new Error('gone'));
  await assert.rejects(one, /gone/);
  await assert.rejects(two, /gone/);
  asked[1].respond([30]);
  assert.equal(await three, 30);
});

test('with one at a time each goes out at once', async () => {
  const { ask, asked } = server(1);
  ask(1);
  ask(2);
  assert.deepEqual(
    asked.map(({ items }) => items),
    [[1], [2]],
  );
});
