// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatch } from '../src/batch.js';

/** A server that answers when it is told to. @param {number} most */
function server(most) {
  /** @type {{ items: number[], answer: (value: number[]) => void, fail: (error: Error) => void }[]} */
  const asked = [];
  const ask = createBatch(
    (/** @type {number[]} */ items) =>
      new Promise((/** @type {(value: number[]) => void} */ answer, fail) => {
        asked.push({ items, answer, fail });
      }),
    most,
  );
  return { ask, asked, turn: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))) };
}

test('what is asked in one turn of the loop goes out together', async () => {
  const { ask, asked, turn } = server(10);
  const answers = Promise.all([ask(1), ask(2), ask(3)]);
  assert.equal(asked.length, 0);
  await turn();
  assert.deepEqual(
    asked.map(({ items }) => items),
    [[1, 2, 3]],
  );
  asked[0].answer([10, 20, 30]);
  assert.deepEqual(await answers, [10, 20, 30]);
});

test('what is asked while an answer is on its way goes out when it has come, so many at a time', async () => {
  const { ask, asked, turn } = server(2);
  const first = ask(1);
  await turn();
  const others = Promise.all([ask(2), ask(3), ask(4)]);
  await turn();
  assert.equal(asked.length, 1);
  asked[0].answer([10]);
  assert.equal(await first, 10);
  await turn();
  assert.deepEqual(asked[1].items, [2, 3]);
  asked[1].answer([20, 30]);
  await turn();
  asked[2].answer([40]);
  assert.deepEqual(await others, [20, 30, 40]);
});

test('a failure is told to those who asked, and to nobody else', async () => {
  const { ask, asked, turn } = server(10);
  const [one, two] = [ask(1), ask(2)];
  await turn();
  const three = ask(3);
  asked[0].fail(new Error('gone'));
  await assert.rejects(one, /gone/);
  await assert.rejects(two, /gone/);
  await turn();
  asked[1].answer([30]);
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
