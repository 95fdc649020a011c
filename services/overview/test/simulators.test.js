// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asker } from '@plimsoll/service-common/testing/client.js';
import { createRandom, draw } from '../simulators/distribution.js';
import { MODES } from '../simulators/modes.js';
import { startUpstreams } from './support.js';

/** @import { ResponseTime } from '../simulators/distribution.js' */

const DRAWS = 100_000;

/** @param {ResponseTime} spec @param {number} [seed] @param {string} [name] */
function draws(spec, seed = 1, name = 'identity') {
  const random = createRandom(seed, name);
  return Array.from({ length: DRAWS }, () => draw(spec, random)).sort((a, b) => a - b);
}

/** Quantiles from the inverse of each distribution function; 2 % are some five standard errors of these draws. */
for (const [spec, quantiles] of /** @type {[ResponseTime, [number, number][]][]} */ ([
  [
    { kind: 'constant', ms: 7 },
    [
      [0.01, 7],
      [0.5, 7],
      [0.99, 7],
    ],
  ],
  [
    { kind: 'exponential', mean_ms: 10, at_most_ms: 1000 },
    [
      [0.25, -10 * Math.log(0.75)],
      [0.5, 10 * Math.LN2],
      [0.99, 10 * Math.log(100)],
    ],
  ],
  [
    { kind: 'lognormal', median_ms: 8, sigma: 0.5, at_most_ms: 1000 },
    [
      [0.0228, 8 * Math.exp(-1)],
      [0.5, 8],
      [0.9772, 8 * Math.exp(1)],
    ],
  ],
])) {
  test(`${spec.kind}: the draws have the quantiles of the distribution`, () => {
    const sorted = draws(spec);
    for (const [share, expected] of quantiles) {
      const found = sorted[Math.floor(share * DRAWS)];
      assert.ok(Math.abs(found / expected - 1) < 0.02, `quantile ${share}: ${found}, expected ${expected}`);
    }
  });
}

test('nothing is longer than the most', () => {
  assert.equal(draws({ kind: 'exponential', mean_ms: 10, at_most_ms: 20 }).at(-1), 20);
  assert.equal(draws({ kind: 'lognormal', median_ms: 8, sigma: 1, at_most_ms: 20 }).at(-1), 20);
});

test('the same seed and name draw the same, others do not', () => {
  const sequence = (/** @type {number} */ seed, /** @type {string} */ name) => {
    const random = createRandom(seed, name);
    return [random(), random(), random()].join();
  };
  assert.equal(sequence(1, 'cards'), sequence(1, 'cards'));
  assert.equal(new Set([sequence(1, 'cards'), sequence(2, 'cards'), sequence(1, 'loans')]).size, 3);
});

test('an upstream is switched, and switched back, on the port that it has', async (t) => {
  const { set, url } = await startUpstreams(t);
  const origins = await (await fetch(`${url}/origins`)).json();
  for (const mode of MODES) {
    const { status, json } = await set('cards', { mode });
    assert.deepEqual([status, json.mode, json.origin], [200, mode, origins.cards]);
    if (mode === 'refusing') await assert.rejects(fetch(`${origins.cards}/parts/a1`), /fetch failed/);
  }
  await set('cards', { mode: 'normal', response_time: { kind: 'constant', ms: 0 } });
  const response = await (await fetch(`${origins.cards}/parts/a1?basis=x-1,y-2`)).json();
  assert.deepEqual([response.reference, response.basis], ['cards-a1', ['x-1', 'y-2']]);
});

test('a switch that is not understood changes nothing', async (t) => {
  const { set, url } = await startUpstreams(t);
  for (const change of [
    {},
    { mode: 'drunk' },
    { response_time: { kind: 'constant' } },
    { speed: 1 },
    'slow',
  ]) {
    assert.equal((await set('cards', change)).status, 422);
  }
  const broken = await fetch(`${url}/upstreams/cards`, { method: 'PUT', body: '{"mode"' });
  assert.equal(broken.status, 422);
  assert.equal((await set('lifts', { mode: 'dead' })).status, 404);
});

test('lateness is told', async (t) => {
  const { url } = await startUpstreams(t);
  const ask = asker(url);
  assert.equal((await ask('/lateness')).json.responses, 0);
  const origins = (await ask('/origins')).json;
  for (const origin of Object.values(origins)) await (await fetch(`${origin}/parts/a1`)).text();
  const { responses, p50_us, max_us } = (await ask('/lateness')).json;
  assert.equal(responses, Object.keys(origins).length);
  assert.ok(p50_us >= 0 && max_us >= p50_us);
});

test('what is not asked rightly is refused', async (t) => {
  const { url } = await startUpstreams(t);
  const { cards } = (await asker(url)('/origins')).json;
  const ask = asker(cards);
  for (const path of ['/', '/parts/A1', '/parts/a1?basis=', '/parts/a1?basis=../x', '/flow']) {
    assert.equal((await ask(path)).status, 404, path);
  }
  const slip = { account: 'a1', basis: [], blocks: [[{ upstream: 'cards', timeout_ms: 100 }]] };
  const post = (/** @type {unknown} */ body) =>
    ask('/flow', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  assert.deepEqual((await post(slip)).json[0][0].content.reference, 'cards-a1');
  for (const [what, body] of Object.entries({
    'another leader': { ...slip, blocks: [[{ upstream: 'offers', timeout_ms: 100 }]] },
    'no block': { ...slip, blocks: [] },
    'an address': { ...slip, blocks: [[{ upstream: 'cards', timeout_ms: 100, origin: 'http://127.0.0.1' }]] },
    'not JSON': '{"account"',
    'too much': `${' '.repeat(20_000)}{}`,
  })) {
    assert.equal((await post(body)).status, 400, what);
  }
});

test('a slip that names an upstream that nobody has', async (t) => {
  const { url } = await startUpstreams(t);
  const { cards } = (await asker(url)('/origins')).json;
  const call = (/** @type {string} */ upstream) => ({ upstream, timeout_ms: 100 });
  const body = JSON.stringify({
    account: 'a1',
    basis: [],
    blocks: [[call('cards'), call('lifts')], [call('boats')]],
  });
  const { json } = await asker(cards)('/flow', { method: 'POST', body });
  assert.deepEqual(
    json.flat().map((/** @type {any} */ part) => part.reason),
    [undefined, 'refused', 'refused'],
  );
});
