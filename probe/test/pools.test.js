// @ts-check
// Pools of connections: how long the service waits for them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, markedLine, nodes, service, sitesOf, startService } from './support.js';

/** Six calls at once for two connections, each of which is taken for 20 ms: two wait 20 ms, two 40 ms. */
const AT_ONCE = 6;
const WAITED_MS = 2 * 20 + 2 * 40;

for (const { version, node } of nodes) {
  test(`Node.js ${version}: who asks a pool for a connection waits until one is free`, async (t) => {
    const file = service('pools.cjs');
    const { connection, url } = await startService(t, { node, file });
    for (const route of ['/agent', '/pool', '/unbound']) await get(url + route);
    const { pools, upstream } = await connection.until(
      ({ type, upstream }) => type === 'counters' && upstream[0]?.answered === 2 * AT_ONCE,
    );
    // Who waits for a connection opens none.
    assert.equal(upstream[0].connections, 2 + AT_ONCE);
    assert.deepEqual(
      pools.map((/** @type {any} */ { name, size, asked, waiting }) => ({ name, size, asked, waiting })),
      [
        { name: 'http.Agent', size: 2, asked: AT_ONCE, waiting: 0 },
        { name: 'tarn Pool.acquire', size: 2, asked: AT_ONCE, waiting: 0 },
      ],
    );
    for (const { name, waiting_ns } of pools) {
      // No less, but for the granularity of timers; how much more depends on who else is running.
      assert.ok(waiting_ns / 1e6 >= WAITED_MS * 0.9, `${name}: ${waiting_ns}`);
    }
    const sites = sitesOf(connection, await connection.report(), 'tarn Pool.acquire');
    assert.deepEqual(
      sites.map(({ own }) => [own?.file, own?.line]),
      [[file, markedLine(file, 'pool')]],
    );
  });
}
