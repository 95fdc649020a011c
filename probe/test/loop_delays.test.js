// @ts-check
// For how long the event loop keeps timers waiting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, nodes, service, startService } from './support.js';

for (const { version, node } of nodes) {
  test(`Node.js ${version}: a loop that is blocked delays the timer that is due meanwhile`, async (t) => {
    const { connection, url } = await startService(t, {
      node,
      file: service('keeping.cjs'),
      settings: { mode: 'loop', loop_delays: true },
    });
    const first = await connection.until(({ type }) => type === 'loop_delays');
    assert.ok(first.delays_us.length > 0 && first.delays_us.every(Number.isInteger), JSON.stringify(first));
    await get(`${url}/blocked?ms=300`);
    const late = await connection.until(
      ({ type, delays_us }) => type === 'loop_delays' && Math.max(...delays_us) > 200_000,
    );
    assert.ok(Math.max(...late.delays_us) >= 250_000, JSON.stringify(late));
  });
}
