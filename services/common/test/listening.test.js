// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { clientErrorResponder } from '../src/client-error.js';
import { listen } from '../src/listening.js';
import { open, send } from '../testing/client.js';
import { Problem, start } from './support.js';

/** @param {string} response @param {number} status @param {string} code */
function assertProblem(response, status, code) {
  const [head, body] = response.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(head.toLowerCase(), /\r\ncontent-type: application\/problem\+json\r\n/);
  assert.match(head.toLowerCase(), /\r\nconnection: close/);
  assert.equal(JSON.parse(body).code, code);
}

test('headers without end', async (t) => {
  const { url } = await start(t, []);
  const flood = `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(17_000)}\r\n\r\n`;
  assertProblem(await send(url, flood), 431, 'headers_too_large');
});

test('what is not HTTP', async (t) => {
  const { url } = await start(t, []);
  assertProblem(await send(url, 'ahoy\r\n\r\n'), 400, 'malformed_request');
});

test('a request that never ends', async (t) => {
  const limits = { requestTimeout: 20, headersTimeout: 20, connectionsCheckingInterval: 5 };
  const server = createServer(limits).on('clientError', clientErrorResponder(Problem)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  assertProblem(await send(`http://127.0.0.1:${port}`, 'GET / HTTP/1.1\r\nhost:'), 408, 'request_timeout');
});

test('a client that resets its connection in the middle of a request', async (t) => {
  const { url } = await start(t, []);
  const socket = open(url, 'GET / HTTP/1.1\r\nhost:');
  await once(socket, 'connect');
  socket.resetAndDestroy();
  await once(socket, 'close');
  assert.equal(await (await fetch(`${url}/health/live`)).text(), 'live\n');
});

test('the url can be asked, on IPv6 as well', async (t) => {
  const { url, close } = await listen((_req, res) => void res.end('hello'), {
    host: '::1',
    port: 0,
    Problem,
  });
  t.after(() => close(0));
  assert.match(url, /^http:\/\/\[::1\]:\d+$/);
  assert.equal(await (await fetch(url)).text(), 'hello');
});

test('a port that is taken', async (t) => {
  const { url } = await start(t, []);
  const port = Number(new URL(url).port);
  await assert.rejects(
    listen(() => {}, { host: '127.0.0.1', port, Problem }),
    { code: 'EADDRINUSE' },
  );
});

test('closing waits for the response that is due, and for no connection that is idle', async (t) => {
  /** @type {(() => void)[]} */
  const waiting = [];
  const { url, stop } = await start(t, [
    {
      pattern: '/slow',
      methods: {
        async GET() {
          await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve));
          return { status: 200, headers: [], body: 'at last' };
        },
      },
    },
  ]);
  const idle = open(url, 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(idle, 'data');
  const responses = [
    send(url, 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'),
    send(url, 'GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'),
  ];
  while (waiting.length < 2) await new Promise(setImmediate);
  const stopped = stop();
  await once(idle, 'close');
  for (const respond of waiting) respond();
  for (const response of responses) assert.match(await response, /\r\nconnection: close\r\n.*at last$/is);
  await stopped;
  await assert.rejects(fetch(`${url}/health/live`));
});

test('a response that was on its way when the server closed does not keep its connection', async () => {
  let asked = false;
  /** @type {(() => void) | undefined} */
  let finish;
  const { url, close } = await listen(
    (_req, res) => {
      asked = true;
      // Without the header that would close the connection.
      finish = () => res.end('hello');
    },
    { host: '127.0.0.1', port: 0, Problem },
  );
  const response = send(url, 'GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  while (!asked) await new Promise(setImmediate);
  const closed = close(60_000);
  finish?.();
  await closed;
  assert.match(await response, /hello/);
});

test('closing cuts what does not finish within the grace', async (t) => {
  const { url, stop } = await start(t, []);
  const socket = open(url, 'GET /health/live HTTP/1.1\r\n');
  await once(socket, 'connect');
  await stop(10);
  assert.equal(Buffer.concat(await socket.toArray().catch(() => [])).toString(), '');
});
