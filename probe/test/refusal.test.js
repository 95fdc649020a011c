// @ts-check
// What the probe says where it cannot do its work.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { directory, get, listen, nodes, service, startProcess, startService } from './support.js';

for (const { version, node } of nodes) {
  test(`Node.js ${version}: frozen intrinsics leave parts out, in words`, async (t) => {
    const file = service('work.cjs');
    const { connection, url } = await startService(t, { node, file, args: ['--frozen-intrinsics'] });
    await get(`${url}/parse`);
    const report = await connection.report();
    const parts = connection.messages[0]?.skipped.map((/** @type {any} */ { part }) => part);
    assert.deepEqual(parts, ['JSON.parse and JSON.stringify', 'the lines that calls come from']);
    assert.equal(report.requests.started, 1);
  });

  test(`Node.js ${version}: the permission model is named`, async (t) => {
    const root = directory(t);
    const receiver = await listen(t, join(root, 'socket'));
    const model = Number.parseInt(version, 10) < 24 ? '--experimental-permission' : '--permission';
    const file = service('work.cjs');
    const allowed = [root, dirname(file), join(dirname(file), '..', '..', '..', 'node_modules')];
    const options = allowed.map((path) => `--allow-fs-read=${join(path, '*')}`);
    startProcess(t, { command: [node, model, ...options, file], root });
    const [connection] = await receiver.connected(1);
    const off = await connection?.until(({ type }) => type === 'off');
    assert.match(off?.reason, /permission model .* --allow-worker/);
  });
}

test('nothing is left out where nothing is frozen', async (t) => {
  const { connection } = await startService(t, { node: process.execPath, file: service('work.cjs') });
  assert.deepEqual(connection.messages[0]?.skipped, []);
});
