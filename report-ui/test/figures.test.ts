import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import * as figures from '../src/figures.ts';

/** What crates/report draws of these: its own cases, and figures of every size that it writes for this test. */
const cases = ['figures.json', 'figures-of-every-size.json'].map(
  (file): Record<string, [number, string][]> =>
    JSON.parse(readFileSync(new URL(`../../crates/report/tests/${file}`, import.meta.url), 'utf8')),
);

const drawn: Record<string, (value: number) => string> = {
  count: figures.count,
  number: figures.number,
  duration_ms: figures.duration,
  length_s: figures.elapsed,
  share: figures.share,
  signed_share: figures.signedShare,
  bytes: figures.bytes,
  small: figures.small,
};

test('figures read as in every other form', () => {
  for (const each of cases) {
    assert.deepEqual(Object.keys(each).sort(), Object.keys(drawn).sort());
    for (const [name, pairs] of Object.entries(each)) {
      for (const [value, expected] of pairs)
        assert.equal(drawn[name]?.(value), expected, `${name} of ${value}`);
    }
  }
});

test('what is no number is no figure', () => {
  assert.equal(figures.number(Number.NaN), '-');
  assert.equal(figures.duration(Number.POSITIVE_INFINITY), '-');
  assert.equal(figures.share(Number.NaN), '-');
  assert.equal(figures.orDash(null, figures.share), figures.unknown);
  assert.equal(figures.orDash(0, figures.share), '0%');
});

test('a figure follows the unit of its objective', () => {
  assert.equal(figures.inUnit(287.4, 'ms'), '287 ms');
  assert.equal(figures.inUnit(0.8, 'share'), '80%');
  assert.equal(figures.inUnit(1500, 'us'), '1.50 ms');
  assert.equal(figures.inUnit(0.0123, 'number'), '0.0123');
});
