// @ts-check
// A service whose requests call another one in known ways, and what is said of those that are traced.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { markedLine, nodes, service, startService } from './support.js';

/** What the other service takes for a response, and what its clock may be off by. */
const DELAY_MS = 8;
const OFF_MS = 1;
const calls = service('calls.cjs');
const upstream = createServer((request, response) => {
  request.resume();
  setTimeout(() => {
    response.statusCode = { '/failing': 503, '/moved': 302 }[request.url ?? ''] ?? 200;
    if (request.url === '/moved') response.setHeader('location', '/there');
    response.end('{}');
  }, DELAY_MS);
});
before(() => new Promise((resolve) => upstream.listen(0, '127.0.0.1', () => resolve(undefined))));
after(() => {
  upstream.closeAllConnections();
  upstream.close();
});

/**
 * Routes, with what each of their requests does; `waits` are the parts of the waiting that would go, in responses of the other
 * service.
 * @type {{ route: string, calls: number, repeated?: number, shared?: number, connections?: number, series?: number,
 *   waits?: { repeated?: number, shared?: number, series?: number } }[]}
 */
const ROUTES = [
  { route: '/one', calls: 1, shared: 1, waits: { shared: 1 } },
  { route: '/one-fetch', calls: 1, shared: 1, waits: { shared: 1 } },
  {
    route: '/twice',
    calls: 3,
    repeated: 1,
    shared: 1,
    series: 2,
    waits: { repeated: 1, shared: 1, series: 1 },
  },
  { route: '/twice-http', calls: 2, repeated: 1, shared: 1, waits: { repeated: 1, shared: 1 } },
  { route: '/callbacks', calls: 2, repeated: 1, shared: 1, waits: { repeated: 1, shared: 1 } },
  { route: '/series', calls: 3, series: 3, waits: { series: 2 } },
  { route: '/parallel', calls: 3 },
  { route: '/queued', calls: 3, series: 3, waits: { series: 2 } },
  // Writing twice may be meant, and of whoever else asks the response may be another.
  { route: '/posts', calls: 2, series: 2, waits: { series: 1 } },
  { route: '/users', calls: 3, shared: 3, series: 3, waits: { shared: 3, series: 2 } },
  { route: '/retry', calls: 2, shared: 2, series: 2, waits: { shared: 2, series: 1 } },
  { route: '/closing', calls: 2, connections: 2, series: 2, waits: { series: 1 } },
  { route: '/redirect', calls: 2, shared: 2, series: 2, waits: { shared: 2, series: 1 } },
  { route: '/after', calls: 0 },
  { route: '/timer', calls: 1 },
];

for (const { version, node } of nodes) {
  test(`Node.js ${version} traces some requests, and says what their calls cost`, async (t) => {
    const started = await startTraced(t, node);
    for (const expected of ROUTES) {
      // Requests that differ.
      const found = await traced(started, expected.route, (number) => `?number=${number % 50}`);
      const { requests } = found;
      const each = (/** @type {string} */ field) => Math.round((10 * found[field]) / requests) / 10;
      const counts = {
        route: expected.route,
        calls: each('calls'),
        repeated: each('repeated'),
        series: each('series'),
      };
      const { route, repeated = 0, series = 0, shared = 0, connections = 0, waits = {} } = expected;
      assert.deepEqual(counts, { route, calls: expected.calls, repeated, series });
      // The first to ask is none of those that ask again.
      assert.ok(
        each('shared') <= shared && each('shared') >= shared * 0.7,
        `${route}: ${each('shared')} shared`,
      );
      if (connections > 0) assert.equal(each('connections'), connections, route);
      assert.ok(found.waited_ns <= found.ns, route);
      for (const [what, count] of Object.entries({ repeated: 0, series: 0, ...waits })) {
        const ms = found[`${what}_ns`] / requests / 1e6;
        const least = (count * DELAY_MS - OFF_MS) * (what === 'shared' ? 0.7 : 1);
        assert.ok(count === 0 ? ms === 0 : ms >= least, `${route}: ${ms} ms of ${what}`);
      }
      const parts = found.repeated_ns + found.connecting_ns + found.series_ns;
      assert.ok(parts <= found.waited_ns, route);
    }
  });

  test(`Node.js ${version}: what equal requests ask for is theirs alone`, async (t) => {
    const started = await startTraced(t, node);
    const found = await traced(started, '/twice', () => '');
    assert.deepEqual([found.shared, found.kinds, found.repeated], [0, 1, found.requests]);
  });

  test(`Node.js ${version}: calls through a helper have the places that call it`, async (t) => {
    const started = await startTraced(t, node);
    await traced(started, '/twice', () => '');
    const report = await started.connection.report();
    const lines = report.traced.sites.map((/** @type {any} */ site) => {
      const told = started.connection.messages.find(({ type, id }) => type === 'site' && id === site.id);
      return [told?.frames[0]?.line, told?.frames[1]?.line, site.repeated > 0];
    });
    const helper = markedLine(calls, 'helper');
    assert.deepEqual(lines, [
      [helper, markedLine(calls, 'first'), false],
      [helper, markedLine(calls, 'other'), false],
      [helper, markedLine(calls, 'again'), true],
    ]);
  });
}

/** @param {import('node:test').TestContext} t @param {string} node */
function startTraced(t, node) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (upstream.address());
  return startService(t, {
    node,
    file: calls,
    settings: { trace_pauses: 1 },
    env: { UPSTREAM: `http://127.0.0.1:${port}` },
  });
}

/** What was traced once the last request has ended, which the client may know before the service. @param {import('./support.js').Connection} connection */
async function settled(connection) {
  let { traced } = await connection.report();
  for (;;) {
    await sleep(50);
    const { traced: now } = await connection.report();
    if (now.requests === traced.requests) return now;
    traced = now;
  }
}

/**
 * What is said of the requests that were traced while the route was asked for, some at a time, until those are enough.
 * @param {Awaited<ReturnType<typeof startService>>} started @param {string} route @param {(number: number) => string} query
 */
async function traced({ connection, url }, route, query) {
  const from = await settled(connection);
  let number = 0;
  for (;;) {
    number += 3;
    await Promise.all([1, 2, 3].map(async (one) => (await fetch(url + route + query(number + one))).text()));
    const { traced: to } = await connection.report();
    if (to.requests - from.requests < 8) continue;
    return Object.fromEntries(
      Object.entries(to)
        .filter(([name]) => name !== 'sites')
        .map(([name, value]) => [name, name === 'kinds' ? value : value - from[name]]),
    );
  }
}
