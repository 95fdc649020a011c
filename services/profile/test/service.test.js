// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from '@plimsoll/service-common/testing/client.js';
import { openSqliteStore } from '../src/store/sqlite.js';
import { start, temporaryDirectory } from './support.js';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));

/** @param {Record<string, string>} env */
function startProcess(env) {
  return spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('health and metrics', async (t) => {
  const { ask, turn } = await start(t);
  assert.equal((await ask('/health/live')).text, 'live\n');
  assert.equal((await ask('/health/ready')).text, 'ready\n');
  await turn('u1');
  const { text, headers } = await ask('/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  for (const line of text.trimEnd().split('\n')) {
    assert.match(
      line,
      /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]+"(,[a-z]+="[^"]+")*\})? [0-9.e+-]+)$/,
    );
  }
  assert.match(text, /profile_requests_total\{route="\/profiles\/\{id\}\/turns",status="200"\} 1\n/);
  assert.match(text, /profile_turns_total\{path="warm"\} 1\n/);
});

test('while too many profiles wait, changes are refused and the service is not ready', async (t) => {
  const { ask, turn } = await start(t, { PROFILE_QUEUE_LIMIT: '1', PROFILE_FLUSH_INTERVAL_MS: '60000' });
  assert.equal((await turn('u1')).status, 200);
  const refused = await turn('u2');
  assert.deepEqual([refused.status, refused.json.code], [503, 'queue_full']);
  assert.equal(refused.headers.get('retry-after'), '1');
  const ready = await ask('/health/ready');
  assert.deepEqual([ready.status, ready.json.code], [503, 'not_ready']);
  assert.equal((await ask('/profiles/u2', { token: 'token-u2' })).status, 200);
});

test('with the level info each request is a line', async (t) => {
  const { ask, lines } = await start(t, { LOG_LEVEL: 'info' });
  await ask('/health/live?probe=1');
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'responded');
  assert.deepEqual([line.method, line.url, line.status], ['GET', '/health/live?probe=1', 200]);
  assert.ok(line.service_time_ms >= 0);
});

test('stopping stores what waits, and the next start finds it', async (t) => {
  const env = { PROFILE_DATA_DIR: await temporaryDirectory(t), PROFILE_FLUSH_INTERVAL_MS: '60000' };
  const before = await start(t, env);
  const last = await before.turn('u1');
  await before.stop();
  const after = await start(t, env);
  assert.equal((await after.ask('/profiles/u1', { token: 'token-u1' })).text, last.text);
});

test('stopping finishes the request that is in flight', async (t) => {
  const { url, stop } = await start(t);
  const head = 'POST /profiles/u1/turns HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-u1\r\n';
  const body = 'content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 17\r\n\r\n';
  const socket = open(url, head + body);
  await once(socket, 'data');
  const stopped = stop();
  socket.write('{"action":"sail"}');
  const response = Buffer.concat(await socket.toArray()).toString();
  assert.match(response, /^HTTP\/1\.1 200 /);
  assert.match(response, /connection: close/i);
  await stopped;
});

test('stopping cuts what does not finish within the grace', async (t) => {
  const { url, stop } = await start(t, { PROFILE_SHUTDOWN_GRACE_MS: '10' });
  const socket = open(url, 'GET /health/live HTTP/1.1\r\n');
  await once(socket, 'connect');
  await stop();
  assert.equal(Buffer.concat(await socket.toArray().catch(() => [])).toString(), '');
});

test('a failure inside is told without its detail and logged with it', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = await openSqliteStore(join(directory, 'profiles.db'));
  await store.writeProfiles([{ id: 'u1', version: 7, text: '{"owner":"u1",' }]);
  await store.close();
  const { turn, lines } = await start(t, { PROFILE_DATA_DIR: directory });
  const { status, json } = await turn('u1');
  assert.deepEqual([status, json.code, json.detail], [500, 'internal', undefined]);
  const [line] = lines.map((text) => JSON.parse(text));
  assert.deepEqual(
    [line.level, line.msg, line.url, line.err.type],
    [50, 'request failed', '/profiles/u1/turns', 'SyntaxError'],
  );
});

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  test(`the process ends with 0 on ${signal}, leaving no temporary directory`, async (t) => {
    const directory = await temporaryDirectory(t);
    const child = startProcess({ PORT: '0', LOG_LEVEL: 'info', TMPDIR: directory });
    t.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout });
    const [line] = await once(lines, 'line');
    const { url, data_dir } = JSON.parse(line);
    assert.equal(dirname(data_dir), directory);
    assert.equal(await (await fetch(`${url}/health/ready`)).text(), 'ready\n');
    child.kill(signal);
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.deepEqual(await readdir(directory), []);
  });
}

test('what was stored survives a kill', async (t) => {
  const env = {
    PORT: '0',
    PROFILE_DATA_DIR: await temporaryDirectory(t),
    PROFILE_SEED_USERS: '3',
    PROFILE_FLUSH_INTERVAL_MS: '1',
  };
  const child = startProcess({ ...env, LOG_LEVEL: 'info' });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url } = JSON.parse(line);
  const headers = { authorization: 'Bearer token-u1', 'content-type': 'application/json' };
  const turn = await fetch(`${url}/profiles/u1/turns`, {
    method: 'POST',
    headers,
    body: '{"action":"sail"}',
  });
  const text = await turn.text();
  while (!/profile_store_waiting 0\n/.test(await (await fetch(`${url}/metrics`)).text()));
  child.kill('SIGKILL');
  await once(child, 'close');
  const { ask } = await start(t, env);
  assert.equal((await ask('/profiles/u1', { token: 'token-u1' })).text, text);
});

test('a setting that cannot be used and a port that is taken end the process with 1', async (t) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  t.after(() => squatter.close());
  await once(squatter, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (squatter.address());
  for (const [env, reason] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{ PORT: 'x' }, /^failed to start: PORT must be .*; found "x"\n$/],
    [{ PORT: `${port}` }, /^failed to start: listen EADDRINUSE: .*\n$/],
    [{ PORT: '0', PROFILE_DATA_DIR: '/dev/null/here' }, /^failed to start: .*\/dev\/null\/here.*\n$/],
  ])) {
    const directory = await temporaryDirectory(t);
    const child = startProcess({ TMPDIR: directory, ...env });
    const stderr = child.stderr.toArray();
    const [code] = await once(child, 'close');
    assert.equal(code, 1);
    assert.match(Buffer.concat(await stderr).toString(), reason);
    assert.deepEqual(await readdir(directory), []);
  }
});
