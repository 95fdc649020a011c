// @ts-check
// What a service keeps, and which of its lines asked for what stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { get, nodes, service, startService } from './support.js';

const MB = 1e6;

for (const { version, node } of nodes) {
  test(`Node.js ${version}: what is kept is told from garbage`, async (t) => {
    const { connection, url, child, exited } = await startService(t, {
      node,
      file: service('keeping.cjs'),
      settings: { mode: 'memory' },
    });
    let id = 0;
    const kept = async () => {
      id += 1;
      connection.send({ type: 'collect', id });
      return connection.until((message) => message.type === 'kept' && message.id === id);
    };
    const before = await kept();
    connection.send({ type: 'start_allocations', id: 100, interval_bytes: 4096, alive: true });
    await connection.until(({ type }) => type === 'started');
    await get(`${url}/garbage?mb=30`);
    const garbage = await kept();
    const sum = (/** @type {any} */ { heap_used_bytes, external_bytes }) => heap_used_bytes + external_bytes;
    assert.ok(sum(garbage) - sum(before) < 3 * MB, `${sum(before)} to ${sum(garbage)}`);
    assert.ok(garbage.paused_ns > 0 && Number.isInteger(garbage.paused_ns));
    assert.ok(garbage.probe_bytes > 0 && garbage.probe_bytes < garbage.rss_bytes);

    await get(`${url}/buffers?mb=20`);
    const buffers = await kept();
    assert.ok(Math.abs(buffers.external_bytes - garbage.external_bytes - 20 * MB) < 3 * MB);
    assert.ok(Math.abs(buffers.array_buffers_bytes - garbage.array_buffers_bytes - 20 * MB) < 3 * MB);

    connection.send({ type: 'read_allocations', id: 101 });
    const half = await connection.until((message) => message.type === 'allocations' && message.id === 101);
    await get(`${url}/objects?mb=10`);
    const objects = await kept();
    assert.ok(objects.heap_used_bytes - buffers.heap_used_bytes > 8 * MB);
    const space = objects.spaces.find((/** @type {any} */ { name }) => name === 'old_space');
    assert.ok(space.used_bytes > 8 * MB, JSON.stringify(objects.spaces));
    connection.send({ type: 'stop_allocations', id: 102 });
    const { profile } = await connection.until(
      (message) => message.type === 'allocations' && message.id === 102,
    );
    const grown = bytesOf(profile.head, 'objects') - bytesOf(half.profile.head, 'objects');
    assert.ok(grown > 6 * MB && grown < 15 * MB, `${grown}`);
    assert.ok(bytesOf(profile.head, 'garbage') < MB);
    child.kill('SIGTERM');
    assert.equal((await exited).stderr, '');
  });
}

/** @param {any} node @param {string} name @returns {number} of the functions of this name */
function bytesOf({ callFrame, selfSize, children }, name) {
  const below = children.reduce(
    (/** @type {number} */ sum, /** @type {any} */ child) => sum + bytesOf(child, name),
    0,
  );
  return below + (callFrame.functionName === name ? selfSize : 0);
}
