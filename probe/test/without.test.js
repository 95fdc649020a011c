// @ts-check
// What is left out of a service, and that nothing else is.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { test } from 'node:test';
import { directory, get, markedLine, nodes, service, startService } from './support.js';

/** @typedef {import('./support.js').Connection} Connection */

/**
 * The headers by which layers say that they ran, without some of them.
 * @param {import('node:test').TestContext} t
 * @param {{ node: string, framework: string, without: string[] }} options
 */
async function ran(t, { node, framework, without }) {
  const file = service('middleware.cjs');
  const settings = { mode: 'without', without };
  const { connection, url } = await startService(t, { node, file, settings, env: { FRAMEWORK: framework } });
  const response = await fetch(url);
  assert.equal(await response.text(), 'hello');
  const names = ['tracer', 'arrow', 'door', 'login', 'sent'];
  return { connection, ran: names.filter((name) => response.headers.has(name)) };
}

/** @param {Connection} connection @param {string} type */
function told(connection, type) {
  return connection.messages.filter((message) => message.type === type);
}

for (const { version, node } of nodes) {
  test(`Node.js ${version}: middleware of Express goes by its name or its line`, async (t) => {
    const all = await ran(t, { node, framework: 'express', without: [] });
    assert.deepEqual(all.ran, ['tracer', 'arrow', 'door', 'login']);
    const found = told(all.connection, 'removable').map(({ name, guards }) => [name, guards]);
    assert.deepEqual(found, [
      ['middleware:tracer', false],
      ['middleware:anonymous', false],
      ['middleware:door', true],
      ['middleware:requireLogin', true],
    ]);
    const file = service('middleware.cjs');
    const line = markedLine(file, 'arrow');
    const without = ['middleware:tracer', `middleware:middleware.cjs:${line}`];
    const less = await ran(t, { node, framework: 'express', without });
    assert.deepEqual(less.ran, ['door', 'login']);
    await less.connection.until(({ type, name }) => type === 'removed' && name === 'middleware:anonymous');
    const removed = told(less.connection, 'removed');
    assert.deepEqual(
      removed.map(({ name }) => name),
      ['middleware:tracer', 'middleware:anonymous'],
    );
    assert.deepEqual([removed[1]?.place.file, removed[1]?.place.line], [file, line]);
  });

  test(`Node.js ${version}: what keeps requests out stays`, async (t) => {
    const without = ['middleware:door', 'middleware:requireLogin'];
    const all = await ran(t, { node, framework: 'express', without });
    assert.deepEqual(all.ran, ['tracer', 'arrow', 'door', 'login']);
    assert.deepEqual(told(all.connection, 'removed'), []);
  });

  test(`Node.js ${version}: middleware of Koa and hooks of Fastify`, async (t) => {
    const koa = await ran(t, { node, framework: 'koa', without: ['middleware:tracer'] });
    assert.deepEqual(koa.ran, []);
    const fastify = await ran(t, { node, framework: 'fastify', without: ['middleware:tracer'] });
    assert.deepEqual(fastify.ran, ['sent']);
    const hook = await ran(t, { node, framework: 'fastify', without: ['middleware:onSend'] });
    assert.deepEqual(hook.ran, ['tracer']);
  });

  test(`Node.js ${version}: middleware in ES modules, and of Hono`, async (t) => {
    const file = service('middleware.mjs');
    const lines = ['arrow', 'hono'].map((name) => `middleware:middleware.mjs:${markedLine(file, name)}`);
    const without = ['middleware:tracer', 'middleware:requireLogin', ...lines];
    const names = ['tracer', 'arrow', 'login'];
    for (const framework of ['express', 'koa', 'fastify', 'hono']) {
      const env = { FRAMEWORK: framework };
      /** @param {string[]} without */
      const left = async (without) => {
        const settings = { mode: 'without', without };
        const { url } = await startService(t, { node, file, settings, env });
        const response = await fetch(url);
        assert.equal(await response.text(), 'hello');
        return names.filter((name) => response.headers.has(name));
      };
      const has = ['express', 'hono'].includes(framework) ? names : ['tracer', 'login'];
      assert.deepEqual(await left([]), has, framework);
      assert.deepEqual(await left(without), ['login'], framework);
    }
  });

  test(`Node.js ${version}: calls do nothing, or return what they returned before`, async (t) => {
    /** @param {string[]} without */
    const responses = async (without) => {
      const root = directory(t);
      const file = service('leavings.cjs');
      const settings = { mode: 'without', without };
      const started = await startService(t, { node, file, settings, env: { ROOT: root } });
      const first = JSON.parse(await get(started.url));
      const second = JSON.parse(await get(started.url));
      const compressed = await fetch(started.url);
      await compressed.text();
      started.child.kill();
      const { stdout } = await started.exited;
      return { first, second, stdout, encoding: compressed.headers.get('content-encoding'), ...started };
    };
    const as_it_is = await responses([]);
    assert.deepEqual(as_it_is.second, {
      read: '2',
      format: '1,50',
      is_formatter: true,
      same_format: false,
      same_template: false,
      text: '3',
      other_options: '<%= price %>',
      compared: -1,
    });
    assert.match(as_it_is.stdout, /^starting\na request\nwritten\nstreamed\n/);
    const without = await responses(['log', 'sync-read', 'construction', 'compression']);
    assert.equal(without.stdout, 'starting\n');
    assert.deepEqual(without.first, as_it_is.first);
    assert.deepEqual(without.second, {
      read: '1',
      format: '1,50',
      is_formatter: true,
      same_format: true,
      same_template: true,
      text: '3',
      other_options: '<%= price %>',
      compared: -1,
    });
    assert.deepEqual([as_it_is.encoding, without.encoding], ['gzip', null]);
    for (const name of ['log', 'sync-read', 'construction', 'compression']) {
      await without.connection.until(({ type, name: of }) => type === 'removed' && of === name);
    }
  });

  test(`Node.js ${version}: Express sends no ETag`, async (t) => {
    const file = service('middleware.cjs');
    const settings = { mode: 'without', without: ['etag'] };
    const { url } = await startService(t, { node, file, settings, env: { FRAMEWORK: 'express' } });
    const response = await fetch(url);
    assert.equal(response.headers.get('etag'), null);
    await response.text();
  });

  test(`Node.js ${version}: the first responses are known by what they say`, async (t) => {
    const file = service('contents.cjs');
    const settings = { mode: 'without', without: [] };
    const { url, connection } = await startService(t, { node, file, settings });
    for (const path of ['whole', 'parts', 'other', 'none']) await (await fetch(new URL(path, url))).text();
    for (let i = 0; i < 64; i++) await get(new URL('again', url).href);
    await connection.until(() => told(connection, 'content').length === 64);
    const [whole, parts, other, none, again] = told(connection, 'content');
    assert.deepEqual([whole?.status, whole?.bytes, none?.bytes], [200, 7, 0]);
    assert.equal(whole?.content, parts?.content);
    assert.notEqual(whole?.content, other?.content);
    assert.notEqual(whole?.request, parts?.request);
    for (const content of told(connection, 'content').slice(4)) assert.deepEqual(content, again);
  });

  test(`Node.js ${version}: responses over HTTP/2 are known by what they say`, async (t) => {
    const file = service('streams.cjs');
    const settings = { mode: 'without', without: ['compression'] };
    const { url, connection } = await startService(t, { node, file, settings });
    const session = connect(url);
    t.after(() => session.destroy());
    for (const path of ['/stream', '/compat', '/compat']) {
      const stream = session.request({ ':path': path, 'accept-encoding': 'gzip' });
      stream.resume();
      await once(stream, 'close');
    }
    await connection.until(() => told(connection, 'content').length === 3);
    const [stream, compat, again] = told(connection, 'content');
    assert.deepEqual(
      [stream?.status, stream?.bytes, compat?.status, compat?.bytes],
      [200, 10_000, 200, 5000],
    );
    assert.notEqual(stream?.content, compat?.content);
    assert.deepEqual(again, compat);
    assert.equal(told(connection, 'removed')[0]?.name, 'compression');
  });
}
