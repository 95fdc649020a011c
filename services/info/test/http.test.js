// @ts-check
/** What comes over the wire and is not a plain request for a page: it is told why, or left alone, and hurts nobody. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, send } from '@plimsoll/service-common/testing/client.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/** @param {import('node:test').TestContext} t */
async function start(t) {
  const { url, stop } = await startService(readConfig({ PORT: '0', LOG_SINK: 'none' }));
  t.after(stop);
  return url;
}

for (const [what, bytes, status, code] of /** @type {[string, string, number, string][]} */ ([
  [
    'a flood of headers',
    `GET /info HTTP/1.1\r\nhost: x\r\n${`x: ${'y'.repeat(100)}\r\n`.repeat(500)}\r\n`,
    431,
    'headers_too_large',
  ],
  [
    'a path without end',
    `GET /info?${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['what is not HTTP', 'ahoy\r\n\r\n', 400, 'malformed_request'],
])) {
  test(`${what} is the problem ${code}, and hurts nobody`, async (t) => {
    const url = await start(t);
    const response = await send(url, bytes);
    assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"type":"urn:problem:info:${code}"`));
    assert.equal((await fetch(`${url}/info`)).status, 200);
  });
}

test('a body that nobody asked for is not waited for', async (t) => {
  const url = await start(t);
  const socket = open(url, 'GET /info HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\nslow');
  t.after(() => socket.destroy());
  const [response] = await socket.take(1).toArray();
  assert.match(`${response}`, /^HTTP\/1\.1 200 /);
});

test('a large body is refused with its method, and the next request gets its response', async (t) => {
  const url = await start(t);
  const refused = await fetch(`${url}/info`, { method: 'POST', body: 'x'.repeat(1_000_000) });
  assert.deepEqual([refused.status, (await refused.json()).code], [405, 'method_not_allowed']);
  assert.equal((await fetch(`${url}/info`)).status, 200);
});
