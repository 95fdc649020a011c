import assert from 'node:assert/strict';
import test from 'node:test';
import { extent, linear, logarithmic, quantile, time } from '../src/scale.ts';

test('a linear scale spreads evenly and holds what lies outside', () => {
  const scale = linear([0, 200], [10, 110]);
  assert.equal(scale.at(0), 10);
  assert.equal(scale.at(50), 35);
  assert.equal(scale.at(200), 110);
  assert.equal(scale.at(-5), 10);
  assert.equal(scale.at(1e18), 110);
});

test('a range may run upwards, as y does', () => {
  assert.equal(linear([0, 1], [100, 0]).at(0.25), 75);
});

test('linear ticks are round and inside', () => {
  for (const [high, wanted, expected] of [
    [1, 4, [0, 0.5, 1]],
    [6700, 7, [0, 1000, 2000, 3000, 4000, 5000, 6000]],
    [0.01, 2, [0, 0.005, 0.01]],
    [9.9e12, 3, [0, 5e12]],
  ] as const) {
    assert.deepEqual(linear([0, high], [0, 1]).ticks(wanted), expected);
  }
});

test('a scale of one value has a width all the same', () => {
  assert.ok(Number.isFinite(linear([0, 0], [0, 100]).at(0)));
  assert.ok(Number.isFinite(logarithmic([5, 5], [0, 100]).at(5)));
  assert.ok(linear([3, 3], [0, 100]).ticks(3).length < 20);
});

test('a logarithmic scale gives each decade the same', () => {
  const scale = logarithmic([1, 1000], [0, 300]);
  assert.equal(scale.at(1), 0);
  assert.ok(Math.abs(scale.at(10) - 100) < 1e-9);
  assert.ok(Math.abs(scale.at(100) - 200) < 1e-9);
  assert.equal(scale.at(0), 0);
  assert.equal(scale.at(-1), 0);
});

test('logarithmic ticks are decades, finer where there is room', () => {
  assert.deepEqual(logarithmic([0.9, 1200], [0, 1]).ticks(4), [1, 10, 100, 1000]);
  assert.deepEqual(logarithmic([0.9, 12], [0, 1]).ticks(4), [1, 2, 5, 10]);
  assert.ok(logarithmic([1e-9, 1e12], [0, 1]).ticks(5).length <= 7);
});

test('each nine of a quantile takes the same room', () => {
  const scale = quantile(0.9999, [0, 400]);
  assert.equal(scale.at(0), 0);
  assert.ok(Math.abs(scale.at(0.9) - 100) < 1e-6);
  assert.ok(Math.abs(scale.at(0.999) - 300) < 1e-6);
  assert.equal(scale.at(1), 400);
  assert.deepEqual(scale.ticks(9), [0, 0.9, 0.99, 0.999, 0.9999]);
});

test('time is counted as people do', () => {
  assert.deepEqual(time([0, 65], [0, 1]).ticks(5), [0, 15, 30, 45, 60]);
  assert.deepEqual(time([0, 7200], [0, 1]).ticks(4), [0, 1800, 3600, 5400, 7200]);
});

test('the extent leaves out what is no number', () => {
  assert.deepEqual(extent([3, null, Number.NaN, 1, undefined, Number.POSITIVE_INFINITY]), [1, 3]);
  assert.equal(extent([null]), null);
});
