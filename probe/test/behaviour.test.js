// @ts-check
// What a service must not notice.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  counter,
  directory,
  get,
  listen,
  markedLine,
  nodes,
  service,
  sitesOf,
  startProcess,
  startService,
} from './support.js';

for (const { version, node } of nodes) {
  test(`Node.js ${version}: wrapped functions look and behave as they did`, async (t) => {
    const root = directory(t);
    await listen(t, join(root, 'socket'));
    const [plain, wrapped] = ['plain', 'wrapped'].map((name) => join(root, name));
    assert.ok(plain && wrapped);
    const file = service('functions.cjs');
    assert.equal(spawnSync(node, [file, plain]).status, 0);
    const { exited } = startProcess(t, { command: [node, file, wrapped], root });
    const { code, stderr } = await exited;
    assert.equal(code, 0, stderr);
    const [lines, expected] = [wrapped, plain].map((path) => readFileSync(path, 'utf8').trim().split('\n'));
    assert.equal(lines?.length, 2);
    assert.deepEqual(lines?.map(parsed), expected?.map(parsed));
  });

  test(`Node.js ${version}: ES modules that import by name are counted too`, async (t) => {
    const file = service('modules.mjs');
    const { connection, url } = await startService(t, { node, file });
    for (let call = 0; call < 10; call += 1) await get(url);
    const report = await connection.report();
    for (const name of ['fs.readFileSync', 'Hash.update', 'fs.promises.stat', 'handlebars.compile']) {
      assert.equal(counter(report, name).calls, 10, name);
      const [site] = sitesOf(connection, report, name);
      assert.deepEqual([site.own.file, site.own.line], [file, markedLine(file, name)], name);
    }
  });

  test(`Node.js ${version}: a process that does not listen is left alone`, async (t) => {
    const root = directory(t);
    const { connections } = await listen(t, join(root, 'socket'));
    // A pipe, as tsx has one, is no service either.
    const script = `const net = require('net'); const server = net.createServer();
      server.listen(process.argv[1], () => server.close()); JSON.parse('1'); process.exitCode = 5`;
    const { exited } = startProcess(t, { command: [node, '-e', script, join(root, 'pipe')], root });
    assert.deepEqual(await exited, { code: 5, signal: null, stdout: '', stderr: '' });
    assert.equal(connections.length, 0);
  });

  for (const mode of ['counters', 'profile']) {
    test(`Node.js ${version}: a service that has nothing to do exits, ${mode}`, async (t) => {
      const root = directory(t);
      await listen(t, join(root, 'socket'));
      const { exited } = startProcess(t, { command: [node, service('short.cjs')], root, settings: { mode } });
      assert.deepEqual(await exited, { code: 0, signal: null, stdout: 'leaving', stderr: '' });
    });
  }

  test(`Node.js ${version}: it says goodbye with its last figures`, async (t) => {
    // No report falls due before the end.
    const settings = { report_interval_ms: 3_600_000 };
    const { connection, url, exited } = await startService(t, { node, file: service('work.cjs'), settings });
    await get(`${url}/parse`);
    await assert.rejects(get(`${url}/exit`));
    assert.equal((await exited).code, 7);
    await connection.ended();
    const [figures, bye] = connection.messages.slice(-2);
    assert.equal(counter(/** @type {any} */ (figures), 'JSON.parse').calls, 1);
    assert.deepEqual(bye, { type: 'bye', code: 7 });
  });

  test(`Node.js ${version}: SIGTERM ends it as it did`, async (t) => {
    const { connection, child, exited } = await startService(t, { node, file: service('work.cjs') });
    await connection.until(({ type }) => type === 'counters');
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: null, signal: 'SIGTERM', stdout: '', stderr: '' });
    await connection.ended();
  });

  test(`Node.js ${version}: the service goes on without its receiver, and a new one hears everything`, async (t) => {
    const { receiver, connection, url, root } = await startService(t, { node, file: service('work.cjs') });
    await get(`${url}/parse`);
    await connection.report();
    receiver.close();
    await connection.ended();
    await get(`${url}/parse`);
    const second = await listen(t, join(root, 'socket'));
    const [again] = await second.connected(1);
    assert.ok(again);
    const report = await again.until(({ type }) => type === 'counters');
    assert.deepEqual(
      again.messages.slice(0, 3).map(({ type }) => type),
      ['hello', 'listening', 'site'],
    );
    assert.equal(counter(report, 'JSON.parse').calls, 2);
  });

  test(`Node.js ${version}: a service without a receiver works, and exits`, async (t) => {
    const root = directory(t);
    const { exited } = startProcess(t, { command: [node, service('short.cjs')], root });
    assert.deepEqual(await exited, { code: 0, signal: null, stdout: 'leaving', stderr: '' });
  });

  test(`Node.js ${version}: more call sites than it can remember`, async (t) => {
    const settings = { stacks_per_s: 1e9 };
    const { connection, url } = await startService(t, { node, file: service('sites.cjs'), settings });
    for (let call = 0; call < 3; call += 1) await get(url);
    const report = await connection.report();
    assert.equal(counter(report, 'JSON.parse').calls, 9000);
    assert.equal(report.sites.length, 1024);
    assert.ok(report.sites[0].id === 0 && report.sites[0].calls > 0);
    const calls = report.sites.reduce(
      (/** @type {number} */ sum, /** @type {any} */ site) => sum + site.calls,
      0,
    );
    assert.equal(calls, 9000);
  });
}

test('a setting that cannot be read keeps the probe out', async (t) => {
  const root = directory(t);
  const env = { PLIMSOLL_PROBE: '{"socket":' };
  const script = 'console.log(JSON.stringify(Object.getOwnPropertyNames(JSON.parse)), JSON.parse.toString())';
  const { exited } = startProcess(t, { command: [process.execPath, '-p', script], root, env });
  assert.match((await exited).stdout, /native code/);
});

test('each worker of a cluster reports, the primary does not', async (t) => {
  const root = directory(t);
  const receiver = await listen(t, join(root, 'socket'));
  const { child } = startProcess(t, { command: [process.execPath, service('cluster.cjs')], root });
  const connections = await receiver.connected(2);
  const hellos = await Promise.all(connections.map((one) => one.until(({ type }) => type === 'counters')));
  assert.equal(hellos.length, 2);
  const [first, second] = connections.map(({ messages }) => messages[0]);
  assert.deepEqual([first?.cluster_worker, second?.cluster_worker].sort(), [1, 2]);
  for (const hello of [first, second]) assert.equal(hello?.ppid, child.pid);
  const exited = once(child, 'close');
  child.kill('SIGTERM');
  await exited;
  assert.equal(receiver.connections.length, 2);
});

test('each thread that listens reports', async (t) => {
  const root = directory(t);
  const receiver = await listen(t, join(root, 'socket'));
  startProcess(t, { command: [process.execPath, service('threads.cjs')], root });
  const connections = await receiver.connected(2);
  for (const connection of connections) {
    const { port } = await connection.until(({ type }) => type === 'listening');
    const { isMainThread } = JSON.parse(await get(`http://127.0.0.1:${port}`));
    const hello = connection.messages[0];
    assert.equal(hello?.thread_id === 0, isMainThread);
    const report = await connection.report();
    assert.equal(counter(report, 'JSON.stringify').calls, 1);
  }
});

/** @param {string} line */
function parsed(line) {
  return JSON.parse(line);
}
