// @ts-check
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  counter,
  directory,
  get,
  makeDirectory,
  markedLine,
  nodes,
  service,
  sitesOf,
  startService,
} from './support.js';

const CALLS = 30;
const work = service('work.cjs');

/** Routes of the service, the counter that each moves, and by how much with a call. */
const COUNTED = [
  { route: '/parse', name: 'JSON.parse', kind: 'json' },
  { route: '/stringify', name: 'JSON.stringify', kind: 'json' },
  { route: '/read', name: 'fs.readFileSync', kind: 'file-read' },
  { route: '/write', name: 'fs.writeFileSync', kind: 'file-write', bytes: 4 },
  { route: '/console', name: 'console.log', kind: 'output', bytes: 6 },
  { route: '/stdout', name: 'process.stdout.write', kind: 'output', bytes: 6 },
  { route: '/descriptor', name: 'fs.writeSync of stdout and stderr', kind: 'output', bytes: 6 },
  { route: '/derive', name: 'crypto.pbkdf2Sync', kind: 'crypto' },
  { route: '/hash', name: 'Hash.update', kind: 'crypto', bytes: 4 },
  { route: '/random', name: 'crypto.randomBytes', kind: 'crypto', bytes: 16 },
  { route: '/gzip', name: 'zlib.gzipSync', kind: 'zlib' },
  { route: '/spawn', name: 'child_process.execFileSync', kind: 'process' },
  { route: '/start', name: 'child_process.execFile', kind: 'process' },
  { route: '/thread', name: 'new Worker', kind: 'process' },
  { route: '/money', name: 'new Intl.NumberFormat', kind: 'construction' },
  { route: '/day', name: 'Date.toLocaleDateString', kind: 'construction' },
  { route: '/compare', name: 'String.localeCompare', kind: 'construction' },
  { route: '/schema', name: 'ajv.compile', kind: 'construction' },
  { route: '/expression', name: 'new RegExp', kind: 'expression' },
  { route: '/error', name: 'new Error', kind: 'error' },
  { route: '/capture', name: 'Error.captureStackTrace', kind: 'error' },
  { route: '/zod', name: 'zod.object', kind: 'schema' },
  { route: '/require', name: 'require', kind: 'module' },
  { route: '/template', name: 'ejs.compile', kind: 'template' },
  { route: '/pool', name: 'crypto.pbkdf2', kind: 'pool' },
  { route: '/fetch', name: 'fetch', kind: 'fetch' },
  { route: '/http', name: 'http.get', kind: 'fetch' },
];

for (const { version, node } of nodes) {
  test(`Node.js ${version} counts each call, and says where it came from`, async (t) => {
    const settings = { stacks_per_s: 1e6 };
    const { connection, url } = await startService(t, { node, file: work, settings });
    for (const { route } of COUNTED) {
      for (let call = 0; call < CALLS; call += 1) await get(url + route);
    }
    const report = await connection.report();
    for (const { route, name, kind, bytes } of COUNTED) {
      const found = counter(report, name);
      assert.ok(found, name);
      assert.equal(found.kind, kind, name);
      // The routes with the template and the schema require their engine each time, and the compiler of schemas a module.
      if (name === 'require') assert.ok(found.calls >= 3 * CALLS, name);
      else assert.equal(found.calls, CALLS, name);
      assert.ok(found.ns > 0, name);
      if (bytes !== undefined) assert.equal(found.bytes, CALLS * bytes, name);
      const sites = sitesOf(connection, report, name);
      const line = markedLine(work, name);
      assert.ok(
        sites.some(({ own, calls }) => own?.file === work && own.line === line && calls > 0),
        `${route}: ${JSON.stringify(sites)}`,
      );
    }
    assert.ok(report.requests.started >= COUNTED.length * CALLS);
  });

  test(`Node.js ${version}: the function that goes on after a wait is known in a stack`, async (t) => {
    const file = service('series.cjs');
    const settings = { stacks_per_s: 1e6 };
    const { connection, url } = await startService(t, { node, file, settings });
    await get(`${url}/handler`);
    await get(`${url}/helper`);
    await connection.report();
    const sites = connection.messages.filter(
      ({ type, counter }) => type === 'site' && counter === 'http.get',
    );
    const resumed = sites.flatMap(({ frames }) => frames.filter((/** @type {any} */ frame) => frame.resumed));
    assert.deepEqual(
      resumed.map(({ line }) => line),
      [markedLine(file, 'handler'), markedLine(file, 'helper')],
    );
  });

  test(`Node.js ${version}: a call through a package leads to the package and to the service`, async (t) => {
    const packages = makeDirectory(join(directory(t), 'node_modules', '@some', 'parser'));
    const file = join(packages, 'index.js');
    writeFileSync(
      file,
      'exports.parse = (text, deep) => (deep ? exports.parse(text, deep - 1) : JSON.parse(text));\n',
    );
    const settings = { stacks_per_s: 1e6 };
    const env = { PACKAGE: file };
    const { connection, url } = await startService(t, { node, file: work, settings, env });
    for (const [route, deep] of [
      ['through-package', 0],
      ['through-deep-package', 20],
    ]) {
      await get(`${url}/${route}`);
      const line = markedLine(work, String(route));
      const sites = sitesOf(connection, await connection.report(), 'JSON.parse');
      const site = sites.find(({ own }) => own?.file === work && own.line === line);
      assert.ok(site, JSON.stringify(sites));
      const inner = site.frames.slice(0, site.frames.indexOf(site.own));
      assert.equal(inner.length, Math.min(Number(deep) + 1, 8));
      for (const frame of inner)
        assert.deepEqual([frame.package, frame.file, frame.line], ['@some/parser', file, 1]);
    }
  });

  test(`Node.js ${version}: an error of a class of its own comes from the line that makes it`, async (t) => {
    const settings = { stacks_per_s: 1e6 };
    const { connection, url } = await startService(t, { node, file: work, settings });
    await get(`${url}/own-error`);
    const report = await connection.report();
    for (const name of ['new Error', 'Error.captureStackTrace']) {
      const sites = sitesOf(connection, report, name);
      const lines = sites.map(({ frames }) => frames[0]?.line);
      assert.deepEqual(lines, [markedLine(work, 'new NoSuchPage')], name);
      const in_constructor = sites.map(({ made_in }) => made_in?.line);
      assert.deepEqual(in_constructor, [markedLine(work, `in PageError, ${name}`)], name);
    }
    await get(`${url}/error`);
    const [plain] = sitesOf(connection, await connection.report(), 'new Error').slice(1);
    assert.equal(plain?.made_in, undefined, 'there is no constructor of its own');
  });

  test(`Node.js ${version}: what a stream reads goes back to the line that made it`, async (t) => {
    const settings = { stacks_per_s: 1e6 };
    const { connection, url } = await startService(t, { node, file: work, settings });
    for (let call = 0; call < CALLS; call += 1) await get(`${url}/stream`);
    const report = await connection.report();
    const found = counter(report, 'fs.read');
    assert.deepEqual([found.calls, found.bytes], [4 * CALLS, 1024 * CALLS]);
    const [site, ...others] = sitesOf(connection, report, 'fs.read');
    assert.deepEqual([site?.own?.line, site?.calls, others], [markedLine(work, 'fs.read'), 4 * CALLS, []]);
  });

  test(`Node.js ${version} counts what is logged to a file once`, async (t) => {
    const { connection, url, root } = await startService(t, { node, file: work, stdout: 'log' });
    assert.equal(connection.messages[0]?.stdout, 'file');
    for (let call = 0; call < CALLS; call += 1) await get(`${url}/console`);
    const { calls, bytes } = counter(await connection.report(), 'console.log');
    assert.deepEqual([calls, bytes], [CALLS, statSync(join(root, 'log')).size]);
  });

  test(`Node.js ${version} measures a part of many calls, for all`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    for (let call = 0; call < 10 * CALLS; call += 1) await get(`${url}/parse-many`);
    const { calls, bytes } = counter(await connection.report(), 'JSON.parse');
    assert.equal(calls, 10 * CALLS * 500);
    const length = bytes / calls;
    assert.ok(length !== 7 && length > 5 && length < 9, `${length} instead of about 7`);
  });

  test(`Node.js ${version} follows some requests to their end`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    const { requests: before } = await connection.report();
    const abort = new AbortController();
    const response = fetch(`${url}/hang`, { signal: abort.signal });
    await connection.until(
      ({ type, requests }) => type === 'counters' && requests.started === before.started + 1,
    );
    await setTimeout(200);
    abort.abort();
    await assert.rejects(response);
    const { requests: after } = await connection.until(
      ({ type, requests }) => type === 'counters' && requests.followed === before.followed + 1,
    );
    assert.ok(after.followed_ns - before.followed_ns >= 2e8);
    for (let call = 0; call < 100 * CALLS; call += 1) await get(`${url}/hash`);
    const { requests: many } = await connection.report();
    assert.equal(many.started, after.started + 100 * CALLS);
    const share = (many.followed - after.followed) / (100 * CALLS);
    assert.ok(share > 0.5 && share < 1.5, `${share} instead of about 1`);
  });

  test(`Node.js ${version} tells texts that come again from those that do not`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    for (let call = 0; call < CALLS; call += 1) await get(`${url}/parse`);
    const again = counter(await connection.report(), 'JSON.parse');
    assert.ok(again.watched > 0);
    assert.equal(again.seen_again, again.watched);
    // Long enough for what was watched last to be let go.
    for (let call = 0; call < 1100; call += 1) await get(`${url}/parse-other`);
    const other = counter(await connection.report(), 'JSON.parse');
    assert.ok(other.watched > again.watched);
    assert.ok(other.seen_again <= again.seen_again + 4, JSON.stringify(other));
  });

  test(`Node.js ${version} follows what the service asks of others`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    for (const route of ['/http', '/http-keeping', '/fetch']) {
      for (let call = 0; call < CALLS; call += 1) await get(url + route);
    }
    // Nobody listens for this response.
    await get(`${url}/forget`);
    const { upstream } = await connection.until(
      ({ type, upstream }) => type === 'counters' && upstream[0]?.answered === 2 * CALLS + 1,
    );
    const [http, undici] = ['http', 'undici'].map((client) =>
      upstream.find((/** @type {any} */ one) => one.client === client && one.origin === url),
    );
    assert.equal(http.requests, 2 * CALLS + 1);
    assert.ok(http.connections > CALLS && http.connections <= CALLS + 3, JSON.stringify(http));
    assert.equal(http.repeated, 2 * CALLS);
    assert.ok(http.active_ns > 0);
    assert.equal(undici.requests, CALLS);
    assert.equal(undici.answered, CALLS);
    assert.ok(undici.connections >= 1 && undici.connections < CALLS / 2, JSON.stringify(undici));
  });

  test(`Node.js ${version} says how many connections and calls there were at once`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    const abort = new AbortController();
    // Each makes the service ask itself for what never comes.
    const held = Array.from({ length: 7 }, () => fetch(`${url}/hang-on`, { signal: abort.signal }));
    await connection.until(
      ({ type, requests, upstream }) =>
        type === 'counters' && requests.connections === 14 && upstream[0]?.active === 7,
    );
    await connection.report();
    abort.abort();
    await Promise.allSettled(held);
    const counters = connection.messages.filter(({ type }) => type === 'counters');
    assert.equal(Math.max(...counters.map(({ requests }) => requests.connections_peak)), 14);
    assert.equal(Math.max(...counters.map(({ upstream }) => upstream[0]?.active_peak ?? 0)), 7);
    // Those that were closed before the last message are in it no more.
    const after = connection.messages.length;
    await connection.until(
      ({ type, requests, upstream }) =>
        type === 'counters' && requests.connections_peak === 7 && upstream[0].active_peak === 7,
      after,
    );
  });

  test(`Node.js ${version} looks at responses, memory and collections`, async (t) => {
    const { connection, url } = await startService(t, { node, file: work });
    const seen = await whileAsking(`${url}/garbage`, () =>
      connection.until(
        ({ type, gc, memory, responses }) =>
          type === 'counters' && gc.minor.count > 0 && memory.low_bytes > 0 && responses.sampled > 1,
      ),
    );
    assert.ok(seen.gc.minor.ns > 0);
    assert.ok(seen.memory.rss_bytes > seen.memory.heap_used_bytes);
    const {
      sampled,
      get: gets,
      compressible,
      accepts_encoding,
      compressed,
      etag,
      body_bytes,
    } = seen.responses;
    assert.deepEqual(
      [gets, compressible, accepts_encoding, compressed, etag],
      [sampled, sampled, sampled, 0, 0],
    );
    assert.equal(body_bytes, sampled * 2000);
    const { cpu, pool, loop } = await connection.until(
      ({ type, pool, loop }) => type === 'counters' && pool.canaries > 0 && loop.beats > 0,
    );
    assert.ok(cpu.process_ns > 0 && pool.wait_ns > 0 && loop.active_ns > 0);
  });

  test(`Node.js ${version} reports while the loop stands still`, async (t) => {
    const { connection, url, root } = await startService(t, { node, file: work });
    const file = join(root, 'go on');
    const response = get(`${url}/stand-still?until=${encodeURIComponent(file)}`);
    await connection.until(({ type, loop }) => type === 'counters' && loop.beat_age_ns >= 3e8);
    writeFileSync(file, '');
    await response;
    await connection.until(({ type, loop }) => type === 'counters' && loop.longest_delay_ns >= 1e8);
  });
}

/**
 * Asks again and again until something has come.
 * @template T
 * @param {string} url @param {() => Promise<T>} wait
 */
async function whileAsking(url, wait) {
  let done = false;
  const found = wait().finally(() => {
    done = true;
  });
  while (!done) await get(url);
  return found;
}
