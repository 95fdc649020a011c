// @ts-check
/** The chat in several processes, with Redis between them, and its process. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exchange, findProgram, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';
import { join, start } from './support.js';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));
const program = findProgram('redis-server');
const skip = program === undefined && 'redis-server not found; run scripts/setup/services';

/** @param {import('node:test').TestContext} t */
async function startRedis(t) {
  const directory = await mkdtemp(pathOf(tmpdir(), 'plimsoll-chat-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const port = await freePort();
  const redis = await startServer({
    program: /** @type {string} */ (program),
    args: ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--daemonize', 'no'],
    log: pathOf(directory, 'redis.log'),
    port,
    url: `redis://127.0.0.1:${port}`,
    responds: (at) => exchange(at, 'PING\r\n', (response) => response.startsWith('+PONG')),
  });
  t.after(() => redis.kill());
  return redis.url;
}

/** @param {Record<string, string>} env */
function run(env) {
  return spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('members_of_two_processes_are_in_one_room', { skip }, async (t) => {
  const REDIS_URL = await startRedis(t);
  const [one, two] = [await start(t, { REDIS_URL }), await start(t, { REDIS_URL })];
  const [ada, bob] = [await one.join('ada'), await two.join('bob')];
  assert.deepEqual(await ada.next(), ['came', 'bob']);
  assert.deepEqual((await ada.ask('who')).members, ['ada', 'bob']);
  await bob.ask('say', 'hello');
  assert.deepEqual(await ada.next(), ['said', { from: 'bob', text: 'hello' }]);
  bob.socket.disconnect();
  assert.deepEqual(await ada.next(), ['gone', 'bob']);
});

test('two_processes_share_a_port_and_end_in_order', { skip }, async (t) => {
  const port = await freePort();
  const child = run({
    PORT: `${port}`,
    REDIS_URL: await startRedis(t),
    CHAT_PROCESSES: '2',
    LOG_LEVEL: 'info',
  });
  t.after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout);
  let listening = 0;
  for await (const line of lines) {
    if (JSON.parse(line).msg !== 'listening') continue;
    listening += 1;
    if (listening === 2) break;
  }
  const url = `http://127.0.0.1:${port}`;
  const members = await Promise.all(['ada', 'bob', 'eve', 'joe'].map((name) => join(t, url, name, 'hall')));
  assert.deepEqual((await members[0]?.ask('who'))?.members, ['ada', 'bob', 'eve', 'joe']);
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});

test('a_wrong_setting_stops_the_boot', async () => {
  for (const [env, expected] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{ CHAT_PROCESSES: '2' }, /^failed to start: CHAT_PROCESSES needs REDIS_URL/],
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, /^failed to start: failed to reach Redis at REDIS_URL/],
  ])) {
    const child = run({ PORT: '0', ...env });
    let text = '';
    for await (const chunk of child.stderr) text += chunk;
    const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
    assert.deepEqual([code, expected.test(text)], [1, true], text);
  }
});
