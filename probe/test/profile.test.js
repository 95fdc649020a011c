// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
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

const typed = service('typed.ts');
const stripsTypes = (/** @type {string} */ version) => Number(version.split('.')[0]) >= 22;
const tsx = createRequire(import.meta.url).resolve('tsx/cli');

for (const { version, node } of nodes) {
  test(`Node.js ${version}: a profile shows where the time went`, async (t) => {
    const { connection, url, root, child, exited } = await startService(t, {
      node,
      file: service('work.cjs'),
      settings: { mode: 'profile' },
    });
    assert.deepEqual(connection.messages[0]?.wrapped, []);
    connection.send({ type: 'start_profile', id: 1, interval_us: 500 });
    const { beside } = await connection.until(({ type, id }) => type === 'started' && id === 1);
    const tasks = process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/task`).map(Number) : [];
    assert.ok(beside.every((/** @type {number} */ task) => task !== child.pid && tasks.includes(task)));
    assert.equal(beside.length > 0, process.platform === 'linux');
    for (let call = 0; call < 100; call += 1) await get(`${url}/derive`);
    // The response comes even now.
    const file = join(root, 'go on');
    const response = get(`${url}/stand-still?until=${encodeURIComponent(file)}`);
    connection.send({ type: 'stop_profile', id: 2 });
    const { profile } = await connection.until(({ type, id }) => type === 'profile' && id === 2);
    writeFileSync(file, '');
    await response;
    const names = profile.nodes.map((/** @type {any} */ { callFrame }) => callFrame.functionName);
    assert.ok(names.includes('pbkdf2Sync'), names.join());
    const handler = profile.nodes.find(
      (/** @type {any} */ { callFrame }) => callFrame.functionName === '/derive',
    );
    assert.ok(handler.callFrame.url.endsWith('work.cjs'), handler.callFrame.url);
    assert.equal(profile.samples.length, profile.timeDeltas.length);
    assert.equal(profile.apart, false);
    if (process.platform === 'linux') assert.ok(profile.sampler_ns > 0, `sampler_ns: ${profile.sampler_ns}`);
    child.kill('SIGTERM');
    assert.equal((await exited).stderr, '');
  });

  test(`Node.js ${version}: a thread that the service starts takes its own profile`, async (t) => {
    const { connection, url, receiver, child, exited } = await startService(t, {
      node,
      file: service('pool.cjs'),
      settings: { mode: 'profile' },
    });
    const [, worker] = await receiver.connected(2);
    assert.ok(worker);
    assert.ok((await worker.until(({ type }) => type === 'hello')).thread_id > 0);
    for (const thread of [connection, worker]) {
      thread.send({ type: 'start_profile', id: 1, interval_us: 500 });
      await thread.until(({ type, id }) => type === 'started' && id === 1);
    }
    for (let call = 0; call < 20; call += 1) await get(url);
    const [main, crunching] = await Promise.all(
      [connection, worker].map(async (thread) => {
        thread.send({ type: 'stop_profile', id: 2 });
        return (await thread.until(({ type, id }) => type === 'profile' && id === 2)).profile;
      }),
    );
    const has = (/** @type {any} */ profile, /** @type {string} */ name) =>
      profile.nodes.some((/** @type {any} */ { callFrame }) => callFrame.functionName === name);
    assert.deepEqual([has(main, 'crunch'), has(crunching, 'crunch')], [false, true]);
    assert.ok(!has(crunching, 'obey'), 'the probe is not in it');
    assert.deepEqual([main.started_thread, crunching.started_thread], [undefined, true]);
    if (process.platform === 'linux') assert.ok(crunching.ran_ns > 1e6, `ran_ns: ${crunching.ran_ns}`);
    child.kill('SIGTERM');
    assert.equal((await exited).stderr, '');
  });

  test(`Node.js ${version}: a thread of a process that does not serve is left alone`, async (t) => {
    const root = directory(t);
    const { connections } = await listen(t, join(root, 'socket'));
    const command = [node, service('pool.cjs')];
    const { exited } = startProcess(t, {
      command,
      root,
      settings: { mode: 'profile' },
      env: { SERVES: 'no' },
    });
    assert.deepEqual(await exited, { code: 5, signal: null, stdout: '', stderr: '' });
    assert.equal(connections.length, 0);
  });

  test(`Node.js ${version}: sampled allocations name their function`, async (t) => {
    const { connection, url } = await startService(t, {
      node,
      file: service('work.cjs'),
      settings: { mode: 'profile' },
    });
    connection.send({ type: 'start_allocations', id: 1, interval_bytes: 16_384 });
    await connection.until(({ type }) => type === 'started');
    for (let call = 0; call < 10; call += 1) await get(`${url}/garbage`);
    connection.send({ type: 'stop_allocations', id: 2 });
    const { profile } = await connection.until(({ type, id }) => type === 'allocations' && id === 2);
    const bytes = callsTo('/garbage', profile.head).reduce((sum, { selfSize }) => sum + selfSize, 0);
    assert.ok(bytes > 1e6);
  });

  test(`Node.js ${version}: what cannot be done is reported`, async (t) => {
    const file = service('work.cjs');
    const { connection } = await startService(t, { node, file, settings: { mode: 'profile' } });
    connection.send({ type: 'stop_profile', id: 1 });
    await connection.until(({ type, id, message }) => type === 'error' && id === 1 && message !== '');
    connection.send({ type: 'dance', id: 2 });
    await connection.until(
      ({ type, message }) => type === 'error' && message === 'no command is called dance',
    );
    const counting = await startService(t, { node, file });
    counting.connection.send({ type: 'start_profile', id: 3 });
    await counting.connection.until(({ type, id }) => type === 'error' && id === 3);
  });

  if (stripsTypes(version)) {
    test(`Node.js ${version}: TypeScript without a compiler`, async (t) => {
      const { connection, url } = await startService(t, { node, file: typed });
      await get(url);
      const [site] = sitesOf(connection, await connection.report(), 'JSON.stringify');
      assert.deepEqual([site.own.file, site.own.line], [typed, markedLine(typed, 'JSON.stringify')]);
    });
  }

  test(`Node.js ${version}: TypeScript by tsx`, async (t) => {
    const { connection, url, receiver, child } = await startService(t, { node, args: [tsx], file: typed });
    await get(url);
    // tsx writes JSON too while it loads.
    const sites = sitesOf(connection, await connection.report(), 'JSON.stringify');
    const site = sites.find(({ own }) => own?.file === typed);
    assert.deepEqual([site?.own.line, site?.calls], [markedLine(typed, 'JSON.stringify'), 1]);
    assert.equal(connection.messages[0]?.ppid, child.pid);
    assert.equal(receiver.connections.length, 1);
  });

  test(`Node.js ${version}: a profile of TypeScript by tsx is in its lines`, async (t) => {
    const { connection, url } = await startService(t, {
      node,
      args: [tsx],
      file: typed,
      settings: { mode: 'profile' },
    });
    connection.send({ type: 'start_profile', id: 1, interval_us: 500 });
    await connection.until(({ type }) => type === 'started');
    for (let call = 0; call < 20; call += 1) await get(url);
    connection.send({ type: 'stop_profile', id: 2 });
    const { profile } = await connection.until(({ type }) => type === 'profile');
    const busy = profile.nodes.find((/** @type {any} */ { callFrame }) => callFrame.functionName === 'busy');
    assert.deepEqual(
      [busy.callFrame.url, busy.callFrame.lineNumber + 1],
      [typed, markedLine(typed, 'busy') - 2],
    );
    connection.send({ type: 'start_allocations', id: 3, interval_bytes: 16_384 });
    await connection.until(({ type, id }) => type === 'started' && id === 3);
    for (let call = 0; call < 20; call += 1) await get(url);
    connection.send({ type: 'stop_allocations', id: 4 });
    const sampled = await connection.until(({ type }) => type === 'allocations');
    const [fill] = callsTo('fill', sampled.profile.head);
    assert.deepEqual(
      [fill.callFrame.url, fill.callFrame.lineNumber + 1],
      [typed, markedLine(typed, 'fill') - 2],
    );
  });
}

test('npm is left alone, the service that it starts is not', async (t) => {
  const root = directory(t);
  const file = service('work.cjs');
  const scripts = { start: `"${process.execPath}" "${file}"` };
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'started', version: '1.0.0', scripts }));
  const receiver = await listen(t, join(root, 'socket'));
  startProcess(t, { command: ['npm', 'start', '--prefix', root], root });
  const [connection] = await receiver.connected(1);
  assert.ok(connection);
  const { port } = await connection.until(({ type }) => type === 'listening');
  await get(`http://127.0.0.1:${port}/parse`);
  assert.equal(counter(await connection.report(), 'JSON.parse').calls, 1);
  assert.equal(connection.messages[0]?.main, fileURLToPath(new URL('services/work.cjs', import.meta.url)));
  assert.equal(receiver.connections.length, 1);
});

/**
 * @param {string} name @param {any} node
 * @returns {any[]}
 */
function callsTo(name, node) {
  const own = node.callFrame.functionName === name ? [node] : [];
  return [...own, ...node.children.flatMap((/** @type {any} */ child) => callsTo(name, child))];
}
