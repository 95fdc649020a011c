// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createApp } from '../src/app.js';
import { collectFacts } from '../src/facts.js';
import { createLog } from '../src/log.js';
import { createMetrics } from '../src/metrics.js';

/**
 * A real server on a free port, closed when the test ends.
 * @param {import('node:test').TestContext} t
 * @param {Partial<Parameters<typeof createApp>[0]['config']>} [config]
 * @param {typeof collectFacts} [facts]
 * @param {string} [obstacle] to being ready
 */
async function serve(t, config, facts = collectFacts, obstacle) {
  const log = createLog({ log_level: 'silent', log_sink: 'none', log_dir: undefined });
  const app = createApp({
    config: { http: '1.1', compression: true, template_cache: true, console_log: false, ...config },
    log,
    metrics: createMetrics(),
    facts,
    readiness: () => obstacle,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  /**
   * The response as it came over the wire: fetch would decompress it.
   * @param {string} path @param {string} [method] @param {Record<string, string>} [headers]
   */
  return async function ask(path, method = 'GET', headers = {}) {
    const sent = request({ port, path, method, headers, agent: false }).end();
    const [res] = /** @type {[import('node:http').IncomingMessage]} */ (await once(sent, 'response'));
    const bytes = Buffer.concat(await res.toArray());
    return { status: res.statusCode, headers: res.headers, bytes, text: bytes.toString(), port };
  };
}

test('the page shows every fact of the process', async (t) => {
  const ask = await serve(t);
  const { status, headers, text, port } = await ask('/info');
  assert.equal(status, 200);
  assert.match(headers['content-type'] ?? '', /^text\/html/);
  const shown = [
    process.platform,
    process.version,
    process.execPath,
    process.cwd(),
    `${process.pid}`,
    `${port}`,
  ];
  for (const fact of [...shown, ...process.argv]) assert.ok(text.includes(fact), `the page lacks ${fact}`);
  assert.match(text, /\d+\.\d MiB \(\d+ bytes\)/);
});

test('the page has about 3.1 kB, less than half of it with gzip', async (t) => {
  const facts = () => ({
    arguments: ['/usr/bin/node', '/srv/services/info/src/server.js'],
    platform: 'linux x64',
    node_version: 'v20.20.2',
    rss_bytes: 73_400_320,
    executable: '/usr/bin/node',
    process_id: 4242,
    working_directory: '/srv',
    cpus: 2,
    port: 3000,
  });
  const ask = await serve(t, {}, facts);
  const plain = await ask('/info');
  const packed = await ask('/info', 'GET', { 'accept-encoding': 'gzip' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
  assert.ok(Math.abs(plain.bytes.length - 3_100) < 100, `${plain.bytes.length} bytes`);
  assert.ok(Math.abs(packed.bytes.length - 1_400) < 100, `${packed.bytes.length} bytes with gzip`);
});

test('with compression off the page comes as it is', async (t) => {
  const ask = await serve(t, { compression: false });
  const { headers } = await ask('/info', 'GET', { 'accept-encoding': 'gzip' });
  assert.equal(headers['content-encoding'], undefined);
});

test('the switch for console.log prints each request, and only when it is on', async (t) => {
  const print = t.mock.method(console, 'log', () => {});
  const quiet = await serve(t);
  await quiet('/info');
  assert.equal(print.mock.callCount(), 0);
  const loud = await serve(t, { console_log: true });
  await loud('/info');
  assert.equal(print.mock.callCount(), 1);
  assert.equal(print.mock.calls[0].arguments[0].process_id, process.pid);
});

test('facts are escaped', async (t) => {
  const ask = await serve(t, {}, (port) => ({
    ...collectFacts(port),
    arguments: ['<script>alert(1)</script>'],
  }));
  const { text } = await ask('/info');
  assert.ok(!text.includes('<script>'));
  assert.ok(text.includes('&lt;script&gt;'));
});

test('HEAD responds without a body', async (t) => {
  const ask = await serve(t);
  const { status, bytes } = await ask('/info', 'HEAD');
  assert.equal(status, 200);
  assert.equal(bytes.length, 0);
});

test('health', async (t) => {
  const ask = await serve(t);
  assert.equal((await ask('/health/live')).text, 'live\n');
  assert.equal((await ask('/health/ready')).text, 'ready\n');
});

test('a service that stops is alive and not ready', async (t) => {
  const ask = await serve(t, {}, collectFacts, 'the service is stopping');
  assert.equal((await ask('/health/live')).status, 200);
  const { status, text } = await ask('/health/ready');
  assert.deepEqual([status, JSON.parse(text).detail], [503, 'the service is stopping']);
});

test('metrics count requests by route and status', async (t) => {
  const ask = await serve(t);
  await ask('/info?x=1');
  await ask('/info', 'POST');
  await ask('/a');
  await ask('/b');
  const { text, headers } = await ask('/metrics');
  assert.match(headers['content-type'] ?? '', /^text\/plain; version=0.0.4/);
  for (const line of [
    'info_requests_total{route="/info",status="200"} 1',
    'info_requests_total{route="/info",status="405"} 1',
    'info_requests_total{route="none",status="404"} 2',
  ]) {
    assert.ok(text.includes(`${line}\n`), `${line} is missing in ${text}`);
  }
  for (const line of text.trim().split('\n')) {
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+({.*})? [0-9.e+-]+)$/);
  }
});

test('the page is the same when the template is read each time', async (t) => {
  const facts = () => ({ ...collectFacts(1), rss_bytes: 1 });
  const pages = [true, false].map(async (template_cache) => {
    const ask = await serve(t, { template_cache }, facts);
    return (await ask('/info')).text;
  });
  assert.equal(await pages[0], await pages[1]);
});

for (const [method, path, status, code] of /** @type {[string, string, number, string][]} */ ([
  ['GET', '/', 404, 'path_not_found'],
  ['GET', '/%E0%A4%A', 404, 'path_not_found'],
  ['POST', '/info', 405, 'method_not_allowed'],
  ['DELETE', '/health/ready', 405, 'method_not_allowed'],
])) {
  test(`${method} ${path} is the problem ${code}`, async (t) => {
    const ask = await serve(t);
    const response = await ask(path, method);
    const problem = JSON.parse(response.text);
    assert.equal(response.status, status);
    assert.match(response.headers['content-type'] ?? '', /^application\/problem\+json/);
    assert.deepEqual(
      [problem.type, problem.status, problem.code],
      [`urn:problem:info:${code}`, status, code],
    );
    assert.equal(response.headers.allow, status === 405 ? 'GET, HEAD' : undefined);
  });
}

test('a failure inside is told without its detail', async (t) => {
  const ask = await serve(t, {}, () => {
    throw new Error('the secret of /etc');
  });
  const { status, text } = await ask('/info');
  assert.equal(status, 500);
  assert.equal(JSON.parse(text).code, 'internal');
  assert.ok(!text.includes('secret'));
});
