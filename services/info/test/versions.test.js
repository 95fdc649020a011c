// @ts-check
/** The same page, its logging and its errors, over each version of HTTP, in clear text and over TLS. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { askHttp1, openHttp2 } from '@plimsoll/service-common/testing/http2.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} env
 */
async function start(t, env) {
  const directory = await mkdtemp(join(tmpdir(), 'info-versions-'));
  t.after(() => rm(directory, { recursive: true }));
  const { url, stop } = await startService(
    readConfig({ PORT: '0', LOG_SINK: 'file', LOG_DIR: directory, ...env }),
  );
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stopOnce() {
    stopped ??= stop();
    return stopped;
  }
  t.after(stopOnce);
  return { url, stop: stopOnce, log: () => readFile(join(directory, 'info.log'), 'utf8') };
}

for (const [version, env] of /** @type {['1.1' | '2', Record<string, string>][]} */ ([
  ['1.1', { TLS_CERT: 'self-signed' }],
  ['2', { HTTP_VERSION: '2' }],
  ['2', { HTTP_VERSION: '2', TLS_CERT: 'self-signed' }],
  ['1.1', { HTTP_VERSION: 'both', TLS_CERT: 'self-signed' }],
  ['2', { HTTP_VERSION: 'both', TLS_CERT: 'self-signed' }],
])) {
  const name = `HTTP/${version} of ${Object.values(env).join(', ')}`;

  /** @param {import('node:test').TestContext} t @param {string} url @returns {Promise<typeof askHttp1>} */
  async function asker(t, url) {
    if (version === '1.1') return (path, question) => askHttp1(url + path, question);
    return (await openHttp2(t, url)).ask;
  }

  test(`${name}: the page, packed when the client accepts it`, async (t) => {
    const { url, stop, log } = await start(t, env);
    const ask = await asker(t, url);
    const plain = await ask('/info?x=1');
    assert.equal(plain.status, 200);
    assert.match(plain.headers['content-type'] ?? '', /^text\/html/);
    for (const fact of [`${process.pid}`, new URL(url).port, process.version]) {
      assert.ok(plain.text.includes(fact), `the page lacks ${fact}`);
    }
    const packed = await ask('/info', { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    assert.match(gunzipSync(packed.bytes).toString(), /<\/html>/);
    assert.ok(packed.bytes.length < plain.bytes.length / 2);
    const head = await ask('/info', { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    const { text } = await ask('/metrics');
    assert.match(text, /^info_requests_total\{route="\/info",status="200"\} 3$/m);
    await stop();
    const lines = (await log())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines
        .filter(({ message }) => message === 'responded')
        .map(({ method, url, status }) => [method, url, status]),
      [
        ['GET', '/info?x=1', 200],
        ['GET', '/info', 200],
        ['HEAD', '/info', 200],
      ],
    );
  });

  test(`${name}: errors are problem documents`, async (t) => {
    const { url } = await start(t, env);
    const ask = await asker(t, url);
    for (const [method, path, status, code] of /** @type {[string, string, number, string][]} */ ([
      ['GET', '/nowhere', 404, 'path_not_found'],
      ['POST', '/info', 405, 'method_not_allowed'],
    ])) {
      const refused = await ask(path, { method, body: 'x'.repeat(100_000) });
      assert.deepEqual([refused.status, JSON.parse(refused.text).code], [status, code]);
      assert.match(refused.headers['content-type'] ?? '', /^application\/problem\+json/);
    }
    assert.equal((await ask('/health/live')).text, 'live\n');
  });
}

test('stopping ends connections over HTTP/2 that are idle', async (t) => {
  const { url, stop } = await start(t, { HTTP_VERSION: '2', TLS_CERT: 'self-signed' });
  const { ask, session } = await openHttp2(t, url);
  await ask('/info');
  const told = once(session, 'goaway');
  const closed = once(session, 'close');
  await stop();
  assert.equal((await told)[0], 0);
  await closed;
});

test('a certificate that cannot be read stops the boot', async () => {
  await assert.rejects(
    startService(readConfig({ PORT: '0', LOG_SINK: 'none', TLS_CERT: '/none.pem', TLS_KEY: '/none.pem' })),
    /^Error: TLS_CERT must be a file that can be read; found "\/none\.pem" \(ENOENT\)$/,
  );
});
