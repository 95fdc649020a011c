// @ts-check
/** With Vitest: `vitest run`. */
import { fileURLToPath } from 'node:url';
import { assertCapacity, CAPACITY_TIMEOUT_MS } from 'plimsoll/testing';
import { test } from 'vitest';

const port = process.env.PORT ?? 3000;
const shop = {
  url: `http://127.0.0.1:${port}/prices/tea`,
  command: ['node', fileURLToPath(new URL('server.js', import.meta.url))],
};

test('shop carries 200 requests per second', { timeout: CAPACITY_TIMEOUT_MS }, async ({ signal }) => {
  await assertCapacity(shop, { atLeast: 200, budget: '6s', step: '1s', signal });
});
