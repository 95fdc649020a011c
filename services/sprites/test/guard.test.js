// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../src/config.js';
import { networkOf } from '../src/guard/address.js';
import { Buckets } from '../src/guard/buckets.js';
import { Gate, SURPLUS } from '../src/guard/gate.js';
import { createGuard } from '../src/guard/guard.js';
import { originCheck } from '../src/guard/origins.js';

test('bucket_gives_no_more_than_its_rate_and_what_was_saved', () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(
      gaps,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      (gaps, per_s, burst) => {
        const buckets = new Buckets({ per_s, burst, keys: 1 });
        let now_ms = 1;
        /** @type {number[]} */
        const taken = [];
        for (const gap of gaps) {
          now_ms += gap;
          const wait_ms = buckets.take('a', now_ms);
          assert.ok(wait_ms <= 1e3 / per_s + 1e-3);
          if (wait_ms === 0) taken.push(now_ms);
        }
        for (let from = 0; from < taken.length; from += 1) {
          for (let to = from; to < taken.length; to += 1) {
            const allowed = burst + ((taken[to] - taken[from]) / 1e3) * per_s;
            assert.ok(to - from + 1 <= allowed + 1e-6, `${to - from + 1} of ${allowed}`);
          }
        }
      },
    ),
  );
});

test('bucket_that_says_when_has_a_token_then', () => {
  const buckets = new Buckets({ per_s: 3, burst: 3, keys: 10 });
  assert.deepEqual(
    [0, 0, 0].map((now_ms) => buckets.take('a', now_ms)),
    [0, 0, 0],
  );
  const wait_ms = buckets.take('a', 0);
  assert.ok(Math.abs(wait_ms - 1e3 / 3) < 1e-9);
  assert.equal(buckets.take('b', 0), 0);
  assert.equal(buckets.take('a', wait_ms), 0);
  assert.ok(buckets.take('a', wait_ms) > 0);
});

test('bucket_that_was_idle_longest_is_forgotten', () => {
  const buckets = new Buckets({ per_s: 1, burst: 1, keys: 2 });
  for (const key of ['a', 'b']) assert.equal(buckets.take(key, 0), 0);
  assert.ok(buckets.take('a', 1) > 0);
  assert.equal(buckets.take('c', 2), 0);
  assert.equal(buckets.size, 2);
  assert.ok(buckets.take('a', 3) > 0, 'a was used after b');
});

test('address_is_counted_as_what_a_subscriber_has', () => {
  /** @type {[string | undefined, string][]} */
  const cases = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8::6', '2001:db8:0:0::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['::1', '0:0:0:0::'],
    [undefined, ''],
  ];
  for (const [address, network] of cases) assert.equal(networkOf(address), network);
});

test('gate_counts_each_address_and_forgets_it', () => {
  const gate = new Gate(3, 2);
  const [one, two, three] = ['a', 'a', 'a'].map((address) => {
    const tally = gate.enter(address);
    return { tally, refusal: gate.refusal(tally) };
  });
  assert.deepEqual([one.refusal, two.refusal, three.refusal], [undefined, undefined, 'too_many_connections']);
  const other = gate.enter('b');
  assert.equal(gate.refusal(other), 'no_room');
  assert.equal(gate.problem('no_room').status, 503);
  assert.equal(gate.refused, 2);
  assert.equal(gate.isFlooded(other), false);
  for (const { tally } of [one, two, three]) gate.leave(tally);
  assert.equal(gate.refusal(gate.enter('a')), undefined);
  for (let n = 0; n < SURPLUS + 2; n += 1) gate.enter(`${n}`);
  assert.equal(gate.isFlooded(other), true);
});

test('origin_of_a_page_is_that_of_the_service_or_listed', () => {
  const local = originCheck({
    host: '127.0.0.1',
    public_host: undefined,
    origins: ['https://sprites.example'],
  });
  const open = originCheck({ host: '0.0.0.0', public_host: 'sprites.example', origins: [] });
  /** @type {[string | undefined, boolean, boolean][]} */
  const cases = [
    [undefined, true, true],
    ['http://127.0.0.1:3000', true, false],
    ['http://localhost:1234', true, false],
    ['http://[::1]:3000', true, false],
    ['https://sprites.example', true, true],
    ['https://sprites.example:8443', false, true],
    ['http://sprites.example.evil.example', false, false],
    ['http://127.0.0.1.evil.example', false, false],
    ['null', false, false],
    ['', false, false],
  ];
  for (const [origin, onLocal, onOpen] of cases) {
    assert.deepEqual([local(origin), open(origin)], [onLocal, onOpen], origin);
  }
});

test('guard_leaves_others_at_an_address_what_one_client_may_not_have', () => {
  const limits = { throws_per_s: 1, address_throws_per_s: 2, address_joins_per_s: 1, address_connections: 1 };
  let now_ms = 0;
  const guard = createGuard({ limits, origins: [], host: '127.0.0.1', public_host: undefined }, () => now_ms);
  let taken = 0;
  for (let n = 0; n < 10; n += 1) {
    try {
      guard.checkThrow('a', 'one');
      taken += 1;
    } catch {}
  }
  assert.equal(taken, 3);
  for (let n = 0; n < 3; n += 1) guard.checkThrow('a', `other ${n}`);
  assert.throws(() => guard.checkThrow('a', 'another'), {
    code: 'too_many_throws',
    headers: ['retry-after', '1'],
    message: /at most 2 throws a second of one address; hint: come again in 1 s/,
  });
  guard.checkThrow('b', 'another');
  now_ms = 1_000;
  guard.checkThrow('a', 'one');
  assert.equal(guard.counts.throws, 8);
});

test('protection_that_cannot_be_meant_stops_the_boot', () => {
  const open = { HOST: '0.0.0.0', SPRITES_PUBLIC_HOST: 'sprites.example' };
  assert.throws(() => readConfig({ ...open, SPRITES_LIMITS: 'off' }), /so HOST must be a loopback address/);
  assert.throws(
    () => readConfig({ SPRITES_ORIGINS: 'sprites.example' }),
    /SPRITES_ORIGINS must be origins such/,
  );
  const { protection } = readConfig({ ...open, SPRITES_ORIGINS: 'https://a.example, https://b.example' });
  assert.deepEqual(protection.origins, ['https://a.example', 'https://b.example']);
  assert.equal(protection.limits?.throws_per_s, 10);
});
