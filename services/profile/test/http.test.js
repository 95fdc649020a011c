// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { open, send } from '@plimsoll/service-common/testing/client.js';
import { readJson } from '../src/http/body.js';
import { start } from './support.js';

/** @param {string} response @param {number} status @param {string} code */
function assertProblem(response, status, code) {
  const [head, body] = response.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head.toLowerCase(), /\r\ncontent-type: application\/problem\+json\r\n/);
  assert.match(head.toLowerCase(), /\r\nconnection: close/);
  assert.equal(JSON.parse(body).code, code);
}

const TURN =
  'POST /profiles/u1/turns HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token-u1\r\ncontent-type: application/json\r\n';

test('a path that does not exist', async (t) => {
  const { ask } = await start(t);
  for (const path of ['/', '/profiles/u1/', '/profiles/u1/turns/1', '/healthy']) {
    const { status, json } = await ask(path, { token: 'token-u1' });
    assert.deepEqual([status, json.code], [404, 'path_not_found'], path);
  }
});

test('a method that the path does not accept is told those that it does', async (t) => {
  const { ask } = await start(t);
  for (const [path, method, allow] of [
    ['/sessions', 'GET', 'POST'],
    ['/profiles', 'GET', 'POST'],
    ['/profiles/u1', 'POST', 'GET, PUT, DELETE, HEAD'],
    ['/profiles/u1/turns', 'GET', 'POST'],
    ['/metrics', 'POST', 'GET, HEAD'],
  ]) {
    const { status, headers } = await ask(path, { method });
    assert.deepEqual([status, headers.get('allow')], [405, allow]);
  }
});

test('a query does not change the route, and an error keeps the connection', async (t) => {
  const { url } = await start(t);
  const responses = await send(
    url,
    'GET /nowhere HTTP/1.1\r\nhost: x\r\n\r\nGET /health/live?a=b HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
  );
  assert.match(responses, /^HTTP\/1\.1 404 .*HTTP\/1\.1 200 .*live\n$/s);
});

test('a body with a thousand faults is not told all of them', async (t) => {
  const { ask } = await start(t);
  const body = Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`f${at}`, 1]));
  const { status, json, text } = await ask('/sessions', { method: 'POST', body });
  assert.deepEqual([status, json.code, json.errors.length], [422, 'invalid_body', 20]);
  assert.ok(json.errors_left_out > 1_400 && text.length < 4_000, text);
});

test('a body that comes in pieces is put together', async (t) => {
  const { url } = await start(t);
  const socket = open(
    url,
    `${TURN}connection: close\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const [go] = await once(socket, 'data');
  assert.match(go.toString(), /^HTTP\/1\.1 100 /);
  socket.write('a\r\n{"action":\r\n');
  socket.write('6\r\n"sail"\r\n1\r\n}\r\n0\r\n\r\n');
  assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 200 .*"version":2/s);
});

test('a body that does not come in time', async (t) => {
  const { url } = await start(t, { PROFILE_BODY_TIMEOUT_MS: '20' });
  assertProblem(await send(url, `${TURN}content-length: 17\r\n\r\n{"action"`), 408, 'body_timeout');
});

test('a body that drips', async (t) => {
  const { url } = await start(t, { PROFILE_BODY_TIMEOUT_MS: '50' });
  const socket = open(url, `${TURN}content-length: 1000\r\n\r\n{"action":"`);
  const drops = setInterval(() => socket.write('x'), 5);
  socket.on('error', () => {});
  const [response] = await once(socket, 'data');
  clearInterval(drops);
  assertProblem(`${response}`, 408, 'body_timeout');
});

test('a body that announces too much is refused before it comes', async (t) => {
  const { url } = await start(t);
  assertProblem(await send(url, `${TURN}content-length: 1000000\r\n\r\n`), 413, 'body_too_large');
});

test('a body without length that grows too large', async (t) => {
  const { url } = await start(t, { PROFILE_BODY_LIMIT_BYTES: '64' });
  const chunk = `${(65).toString(16)}\r\n${'x'.repeat(65)}\r\n`;
  assertProblem(await send(url, `${TURN}transfer-encoding: chunked\r\n\r\n${chunk}`), 413, 'body_too_large');
});

test('a client that leaves in the middle of a body hurts nobody and is no error of ours', async (t) => {
  const { url, ask, lines } = await start(t);
  const socket = open(url, `${TURN}expect: 100-continue\r\ncontent-length: 17\r\n\r\n`);
  await once(socket, 'data');
  socket.write('{"action"');
  socket.resetAndDestroy();
  await once(socket, 'close');
  const served = /route="\/profiles\/\{id\}\/turns",status="400"\} 1/;
  while (!served.test((await ask('/metrics')).text));
  assert.equal((await ask('/profiles/u1', { token: 'token-u1' })).json.version, 1);
  assert.deepEqual(lines, []);
});

test('headers without end', async (t) => {
  const { url } = await start(t);
  assertProblem(
    await send(url, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`),
    431,
    'headers_too_large',
  );
});

test('what is not HTTP', async (t) => {
  const { url } = await start(t);
  assertProblem(await send(url, 'ahoy\r\n\r\n'), 400, 'malformed_request');
});

test('a client that left before its body was asked for is not waited for', async () => {
  const req = new IncomingMessage(new Socket());
  req.headers = { 'content-type': 'application/json', 'content-length': '17' };
  req.destroy();
  await assert.rejects(readJson(req, { limit_bytes: 100, timeout_ms: 60_000 }), {
    code: 'malformed_request',
  });
});
