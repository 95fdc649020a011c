/** The call tree apart from its canvas. */

import assert from 'node:assert/strict';
import test from 'node:test';
import type { FlameCall } from '../src/findings.ts';
import { describe, layout, matchedShare, neighbour } from '../src/flame.ts';

const call = (caller: number | null, name: string, share: number, place = ''): FlameCall => ({
  caller,
  function: name,
  place,
  class: 'own',
  share,
  self_share: 0.1,
});

const calls = [
  call(null, '(root)', 1),
  call(0, 'handler', 0.6, 'app.js:3'),
  call(1, 'parse', 0.2),
  call(0, 'tick', 0.3),
  call(1, 'render', 0.3, 'page.js:9'),
  call(4, 'parse', 0.1),
];

test('what a call calls lies below it, side by side', () => {
  const places = layout(calls).map(({ depth, from }) => [depth, Math.round(from * 100) / 100]);
  assert.deepEqual(places, [
    [0, 0],
    [1, 0],
    [2, 0],
    [1, 0.6],
    [2, 0.2],
    [3, 0.2],
  ]);
});

test('time that matches twice counts once', () => {
  const bars = layout(calls);
  assert.equal(matchedShare(bars, 'PARSE').toFixed(2), '0.30');
  assert.equal(matchedShare(bars, 'page.js').toFixed(2), '0.30');
  assert.equal(matchedShare(bars, ' '), 0);
  assert.equal(matchedShare(bars, 'r').toFixed(2), '1.00');
});

test('arrows lead through the tree and stop at its edges', () => {
  const bars = layout(calls);
  const path = [
    'ArrowDown',
    'ArrowDown',
    'ArrowLeft',
    'ArrowLeft',
    'ArrowUp',
    'ArrowRight',
    'ArrowRight',
    'ArrowDown',
  ];
  let at = 0;
  const visited = path.map((key) => {
    at = neighbour(bars, at, key);
    return at;
  });
  assert.deepEqual(visited, [1, 4, 2, 2, 1, 3, 3, 3]);
});

test('a call is described with its place', () => {
  assert.equal(describe(call(null, '', 0.25, 'app.js:3')), '(anonymous) at app.js:3: 25%, 10% in itself');
});
