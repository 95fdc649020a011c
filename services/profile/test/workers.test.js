// @ts-check
/** Several workers on one port, as processes. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mergeMetrics } from '../src/workers/metrics.js';
import { useRealParts } from './real-parts.js';

const { skip, settings } = useRealParts();
const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));
const PERSISTER = fileURLToPath(new URL('../src/persister.js', import.meta.url));

/** @param {import('node:test').TestContext} t @param {string} program @param {Record<string, string>} env */
function run(t, program, env) {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, LOG_LEVEL: 'info', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** @param {AsyncIterator<string>} lines @param {string} wanted @returns {Promise<any>} */
async function message(lines, wanted) {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the process ended before it said "${wanted}"`);
    const line = JSON.parse(value);
    if (line.msg === wanted) return line;
  }
}

test('workers share a port and their metrics, and one that dies is replaced', { skip }, async (t) => {
  const { child, lines } = run(t, SERVER, settings({ PROFILE_WORKERS: '2', PROFILE_SEED_USERS: '2' }));
  const [one, other] = [await message(lines, 'listening'), await message(lines, 'listening')];
  assert.equal(one.url, other.url);
  assert.notEqual(one.pid, other.pid);

  const headers = {
    authorization: 'Bearer token-u1',
    'content-type': 'application/json',
    connection: 'close',
  };
  for (let version = 2; version <= 5; version += 1) {
    const response = await fetch(`${one.url}/profiles/u1/turns`, {
      method: 'POST',
      headers,
      body: '{"action":"rest"}',
    });
    assert.equal((await response.json()).version, version);
  }
  const text = await (await fetch(`${one.url}/metrics`)).text();
  const counts = [...text.matchAll(/^profile_turns_total\{worker="\d",path="warm"\} (\d+)$/gm)];
  assert.equal(counts.length, 2);
  assert.equal(
    counts.reduce((sum, [, count]) => sum + Number(count), 0),
    4,
  );

  process.kill(one.pid, 'SIGKILL');
  const third = await message(lines, 'listening');
  assert.equal(third.url, one.url);
  assert.equal((await fetch(`${one.url}/health/ready`)).status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('workers that cannot start end the process with 1', { skip }, async (t) => {
  const { child } = run(
    t,
    SERVER,
    settings({ PROFILE_WORKERS: '2', PROFILE_REDIS_URL: 'redis://127.0.0.1:1' }),
  );
  const stderr = child.stderr.toArray();
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(
    Buffer.concat(await stderr).toString(),
    /failed to reach Redis.*failed to start: worker 1 did not start/s,
  );
});

test('the persister ends with 0 on SIGTERM, and with 1 when it cannot start', { skip }, async (t) => {
  const { child, lines } = run(t, PERSISTER, settings());
  const { url } = await message(lines, 'persisting');
  assert.equal(await (await fetch(`${url}/health/live`)).text(), 'live\n');
  assert.match(await (await fetch(`${url}/metrics`)).text(), /^profile_queue_waiting 0$/m);
  assert.equal((await fetch(`${url}/elsewhere`)).status, 404);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);

  const { child: second } = run(
    t,
    PERSISTER,
    settings({ PROFILE_MONGODB_URL: 'mongodb://127.0.0.1:1/profile' }),
  );
  const stderr = second.stderr.toArray();
  assert.equal((await once(second, 'close'))[0], 1);
  assert.match(Buffer.concat(await stderr).toString(), /^failed to start: failed to reach the store/);
});

test('metrics of workers are merged by family', () => {
  const of = (/** @type {number} */ count) =>
    `# HELP a_total What.\n# TYPE a_total counter\na_total{x="1"} ${count}\nb ${count}\n`;
  assert.equal(
    mergeMetrics([
      ['1', of(3)],
      ['2', of(4)],
    ]),
    '# HELP a_total What.\n# TYPE a_total counter\na_total{worker="1",x="1"} 3\na_total{worker="2",x="1"} 4\nb{worker="1"} 3\nb{worker="2"} 4\n',
  );
});
