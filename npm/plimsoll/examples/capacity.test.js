// @ts-check
/** With node:test: `node --test`. */
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { assertCapacity, assertObjectives, CAPACITY_TIMEOUT_MS } from 'plimsoll/testing';

const port = process.env.PORT ?? 3000;
const shop = {
  url: `http://127.0.0.1:${port}/prices/tea`,
  command: ['node', fileURLToPath(new URL('server.js', import.meta.url))],
};

test('shop carries 200 requests per second', { timeout: CAPACITY_TIMEOUT_MS }, async ({ signal }) => {
  await assertCapacity(shop, { atLeast: 200, budget: '6s', step: '1s', signal });
});

test('shop holds its objectives at 100 requests per second', async ({ signal }) => {
  await assertObjectives(
    { target: shop, objectives: ['p99 <= 250ms', 'errors = 0'], load: { rate: '100/s', duration: '3s' } },
    { signal },
  );
});
