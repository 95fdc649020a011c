// @ts-check
// Whose time a profile saw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, markedLine, nodes, service, startService } from './support.js';

/** Who is behind each function of the service that takes time. */
const EXPECTED = /** @type {Record<string, Record<string, string>>} */ ({
  express: {
    inTracer: 'tracer',
    inTimer: 'later',
    inPromise: 'promised',
    inHeaders: 'later',
    inFinish: 'later',
    inPacking: 'packer',
    inHandler: 'handler',
    inWriting: 'handler',
  },
  koa: {
    inTracer: 'tracer',
    inTimer: 'later',
    inPromise: 'later',
    inHeaders: 'tracer',
    inFinish: 'tracer',
    inHandler: 'handler',
  },
  fastify: {
    inTracer: 'tracer',
    inTimer: 'later',
    inPromise: 'later',
    inHeaders: 'tracer',
    inFinish: 'tracer',
    inHandler: 'handler',
    inReply: 'handler',
  },
  nest: {
    inTracer: 'tracer',
    inTimer: 'Later',
    inPromise: 'Greeter.greet',
    inHeaders: 'tracer',
    inFinish: 'tracer',
    inHandler: 'Greeter.greet',
  },
  hono: {
    inTracer: 'tracer',
    inTimer: 'later',
    inPromise: 'later',
    inFinish: 'tracer',
    inHandler: 'handler',
  },
  'hono in ES modules': { inTracer: 'tracer', inPromise: 'later', inHandler: 'handler' },
});

/** The samples of each function by layer, of those in which layers were followed. @param {any} profile */
function byFunction(profile) {
  /** @type {Map<number, any>} */
  const parents = new Map();
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node);
  const by_id = new Map(profile.nodes.map((/** @type {any} */ node) => [node.id, node]));
  /** @type {Record<string, Record<string, number>>} */
  const found = {};
  for (const [index, id] of profile.samples.entries()) {
    const label = profile.sample_layers[index];
    if (label < 0) continue;
    /** @type {any} */
    let node = by_id.get(id);
    while (node && !/^in[A-Z]/.test(node.callFrame.functionName)) node = parents.get(node.id);
    if (!node) continue;
    const name = profile.layers[label - 2]?.name ?? `label ${label}`;
    found[node.callFrame.functionName] ??= {};
    const of = /** @type {Record<string, number>} */ (found[node.callFrame.functionName]);
    of[name] = (of[name] ?? 0) + 1;
  }
  return found;
}

for (const { version, node } of nodes) {
  for (const [framework, expected] of Object.entries(EXPECTED)) {
    test(`Node.js ${version}: what layers of ${framework} cause is theirs`, async (t) => {
      const file = service(framework.endsWith('ES modules') ? 'layers.mjs' : 'layers.cjs');
      const env = { FRAMEWORK: framework };
      const { connection, url, child, exited } = await startService(t, {
        node,
        file,
        settings: { mode: 'profile' },
        env,
      });
      connection.send({ type: 'start_profile', id: 1, interval_us: 500 });
      await connection.until(({ type }) => type === 'started');
      // Longer than a burst.
      const until = performance.now() + 1500;
      while (performance.now() < until) await get(url);
      connection.send({ type: 'stop_profile', id: 2 });
      const { profile } = await connection.until(({ type }) => type === 'profile');
      assert.equal(profile.sample_layers.length, profile.samples.length);
      const found = byFunction(profile);
      for (const [name, layer] of Object.entries(expected)) {
        const all = Object.values(found[name] ?? {}).reduce((sum, count) => sum + count, 0);
        assert.ok(all > 0, `${name} was not seen: ${JSON.stringify(found)}`);
        // A sample at the very end may belong to the next.
        assert.ok((found[name]?.[layer] ?? 0) > 0.8 * all, `${name}: ${JSON.stringify(found)}`);
      }
      const named = new Set(Object.values(expected));
      for (const { name, place } of profile.layers)
        if (named.has(name)) assert.equal(place?.file, file, name);
      // What a framework wraps around a function and registers with another one is the same layer.
      const handlers = profile.layers.filter((/** @type {any} */ { kind }) => kind === 'handler');
      assert.deepEqual(
        handlers.map((/** @type {any} */ { name }) => name),
        // What is given to `use` of Koa is middleware.
        framework === 'koa' ? [] : [expected.inHandler],
      );
      if (framework === 'nest') assert.equal(handlers[0].place.line, markedLine(file, 'Greeter.greet'));
      const servers = profile.layers.filter((/** @type {any} */ { kind }) => kind === 'server');
      assert.deepEqual(
        servers.map((/** @type {any} */ { place }) => place?.file),
        [file],
      );
      assert.ok(servers[0].callbacks > 0);
      const { run } = profile.layers.find((/** @type {any} */ { name }) => name === 'tracer');
      assert.deepEqual([run?.file, run?.function, run?.package], [file, 'tracer', null]);
      for (const layer of profile.layers) assert.ok(!layer.run?.file.includes('probe.cjs'), layer.run?.file);
      const ours = profile.nodes.filter((/** @type {any} */ { callFrame }) =>
        callFrame.url.includes('probe.cjs'),
      );
      assert.deepEqual(ours, []);
      connection.send({ type: 'start_allocations', id: 3, interval_bytes: 1024 });
      await get(url);
      connection.send({ type: 'stop_allocations', id: 4 });
      const allocations = await connection.until(({ type }) => type === 'allocations');
      assert.ok(!JSON.stringify(allocations).includes('probe.cjs'));
      child.kill('SIGTERM');
      assert.equal((await exited).stderr, '');
    });
  }
}
