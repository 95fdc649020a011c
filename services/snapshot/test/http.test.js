// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { open, send } from '@plimsoll/service-common/testing/client.js';
import { startIoc } from '../lab/ioc.js';
import { start, until } from './support.js';

/** @type {import('../lab/ioc.js').Ioc} */
let ioc;
before(async () => {
  ioc = await startIoc();
});
after(() => ioc.stop());

const BEAMLINE = JSON.parse(readFileSync(new URL('../groups.json', import.meta.url), 'utf8')).beamline;

test('a snapshot of the whole beamline has every value, in order, with its type', async (t) => {
  const { ask, metric } = await start(t, ioc.env);
  const { status, json } = await ask('/snapshot?group=beamline');
  assert.equal(status, 200);
  assert.deepEqual(json.counts, { ok: 97, disconnected: 0, unreadable: 0, wrong_type: 0 });
  assert.deepEqual(
    json.pvs.map((/** @type {{ name: string, type: string }} */ pv) => `${pv.name}@${pv.type}`),
    BEAMLINE,
  );
  assert.equal(await metric('snapshot_channels_connected'), 97);
  assert.equal(await metric('snapshot_pvs_total{status="ok"}'), 97);
});

test('each type comes as what it is', async (t) => {
  const { ask } = await start(t, ioc.env);
  const { json } = await ask('/snapshot?pv=BL:M03,BL:C01,BL:S01&pv=BL:T01&pv=BL:W01&pv=BL:M03.EGU');
  const shown = json.pvs.map((/** @type {any} */ { type, value, label, severity }) => ({
    type,
    value,
    label,
    severity,
  }));
  const severity = 'none';
  assert.deepEqual(shown, [
    { type: 'double', value: 0.25, label: undefined, severity },
    { type: 'long', value: 60, label: undefined, severity },
    { type: 'enum', value: 1, label: 'Open', severity },
    { type: 'string', value: 'text 88', label: undefined, severity },
    { type: 'double', value: Array.from({ length: 256 }, (_, point) => point), label: undefined, severity },
    { type: 'string', value: 'mm', label: undefined, severity },
  ]);
  assert.ok(Date.parse(json.pvs[0].time) <= Date.parse(json.taken_at));
});

test('the next snapshot has the new value', async (t) => {
  const { ask } = await start(t, ioc.env);
  await ask('/snapshot?pv=BL:M04');
  ioc.set('BL:M04', 12.5);
  await until(
    () => ask('/snapshot?pv=BL:M04'),
    ({ json }) => json.pvs[0].value === 12.5,
  );
});

test('one that is not a number is null', async (t) => {
  const { ask } = await start(t, ioc.env);
  ioc.set('BL:M05', 'nan');
  await until(
    () => ask('/snapshot?pv=BL:M05'),
    ({ json }) => json.pvs[0].value === null,
  );
});

test('what is dead, unknown or of another type is said, and the rest is there', async (t) => {
  const { ask, metric } = await start(t, ioc.env);
  await ask('/snapshot?pv=BL:M01,BL:S01,BL:T01');
  const { status, json } = await ask(
    '/snapshot?pv=BL:M01@number,BL:S01@number,BL:T01@enum&group=gone-4&timeout_ms=1000',
  );
  assert.equal(status, 200);
  assert.deepEqual(json.counts, { ok: 1, disconnected: 4, unreadable: 0, wrong_type: 2 });
  const byName = Object.fromEntries(json.pvs.map((/** @type {{ name: string }} */ pv) => [pv.name, pv]));
  assert.deepEqual(byName['BL:GONE01'], { name: 'BL:GONE01', status: 'disconnected' });
  assert.deepEqual(byName['BL:S01'], {
    name: 'BL:S01',
    status: 'wrong_type',
    type: 'enum',
    expected: 'number',
  });
  assert.equal(json.timeout_ms, 1_000);
  assert.equal(await metric('snapshot_channels_searching'), 0);
});

test('a name that is asked for twice is sent once', async (t) => {
  const { ask } = await start(t, ioc.env);
  const { json } = await ask('/snapshot?pv=BL:M01,BL:M01&pv=BL:M01');
  assert.equal(json.pvs.length, 1);
});

test('requests at the same moment all get everything', async (t) => {
  const { ask } = await start(t, ioc.env);
  const responses = await Promise.all(Array.from({ length: 8 }, () => ask('/snapshot?group=beamline')));
  assert.deepEqual(
    responses.map(({ json }) => json.counts.ok),
    Array(8).fill(97),
  );
});

for (const [path, status, code, detail] of /** @type {[string, number, string, RegExp][]} */ ([
  ['/', 404, 'path_not_found', /^$/],
  ['/snapshots', 404, 'path_not_found', /^$/],
  ['/snapshot', 400, 'nothing_asked', /pv=NAME/],
  ['/snapshot?pv=', 400, 'invalid_query', /^pv: must NOT have fewer than 1/],
  ['/snapshot?pv=BL:M01,', 400, 'invalid_query', /^pv: must NOT/],
  ['/snapshot?pv=a%20b', 400, 'invalid_query', /^pv: found "a b", expected/],
  ['/snapshot?pv=7', 400, 'invalid_query', /^pv: found "7"/],
  ['/snapshot?pv=__proto__', 400, 'invalid_query', /^pv: found "__proto__"/],
  ['/snapshot?pv=BL:M01@int', 400, 'invalid_query', /^pv: found type "int", expected one of string/],
  ['/snapshot?pv=BL:M01&timeout_ms=0', 400, 'invalid_query', /^timeout_ms: must be >= 1/],
  ['/snapshot?pv=BL:M01&timeout_ms=10001', 400, 'invalid_query', /^timeout_ms: must be <= 10000/],
  ['/snapshot?pv=BL:M01&timeout_ms=1s', 400, 'invalid_query', /^timeout_ms: must be integer/],
  ['/snapshot?pv=BL:M01&timeout_ms=1&timeout_ms=2', 400, 'invalid_query', /^timeout_ms: must be integer/],
  ['/snapshot?pv=BL:M01&interval_ms=1000', 400, 'invalid_query', /^interval_ms: there is no such parameter/],
  ['/snapshot?__proto__=1&pv=BL:M01', 400, 'invalid_query', /^__proto__: there is no such parameter/],
  ['/events?pv=BL:M01&interval_ms=49', 400, 'invalid_query', /^interval_ms: must be >= 50/],
  ['/snapshot?group=slits', 404, 'group_not_found', /found slits, expected one of beamline, gone-4, gone-15/],
  ['/snapshot?group=beamline&pv=X1,X2,X3,X4', 400, 'too_many_pvs', /found 101, expected at most 100/],
])) {
  test(`${path} is the problem ${code}`, async (t) => {
    const { ask } = await start(t, { ...ioc.env, SNAPSHOT_MAX_PVS: '100' });
    const { status: found, headers, json } = await ask(path);
    assert.equal(found, status);
    assert.equal(headers.get('content-type'), 'application/problem+json');
    assert.deepEqual([json.type, json.status, json.code], [`urn:problem:snapshot:${code}`, status, code]);
    const said =
      json.errors === undefined ? json.detail : `${json.errors[0].parameter}: ${json.errors[0].detail}`;
    assert.match(said ?? '', detail);
  });
}

test('other methods are refused, HEAD has no body', async (t) => {
  const { ask } = await start(t, ioc.env);
  const refused = await ask('/snapshot?pv=BL:M01', { method: 'POST', body: 'x' });
  assert.deepEqual(
    [refused.status, refused.json.code, refused.headers.get('allow')],
    [405, 'method_not_allowed', 'GET, HEAD'],
  );
  for (const path of ['/snapshot?pv=BL:M01', '/events?pv=BL:M01']) {
    const { status, text } = await ask(path, { method: 'HEAD' });
    assert.deepEqual([status, text], [200, '']);
  }
});

for (const [sent, status, code] of /** @type {[string, number, string][]} */ ([
  ['NONSENSE\r\n\r\n', 400, 'malformed_request'],
  [`GET /snapshot?pv=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431, 'headers_too_large'],
])) {
  test(`what is not HTTP, or too long, is the problem ${code}`, async (t) => {
    const { url } = await start(t, ioc.env);
    const response = await send(url, sent);
    assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
    assert.ok(response.includes(`"code":"${code}"`));
  });
}

test('a body that nobody asked for is not waited for', async (t) => {
  const { url, ask } = await start(t, ioc.env);
  const head = 'GET /snapshot?pv=BL:M01 HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n';
  const socket = open(url, `${head}{"pv":`);
  t.after(() => socket.destroy());
  const [response] = await socket.take(1).toArray();
  assert.match(`${response}`, /^HTTP\/1\.1 200 /);
  const large = { method: 'PUT', body: 'x'.repeat(1_000_000) };
  assert.equal((await ask('/snapshot', large)).json.code, 'method_not_allowed');
  assert.equal((await ask('/health/live')).status, 200);
});

test('health, metrics and a line for each request', async (t) => {
  const { ask, lines, stop } = await start(t, { ...ioc.env, LOG_LEVEL: 'info' });
  assert.equal((await ask('/health/live')).text, 'live\n');
  assert.equal((await ask('/health/ready')).text, 'ready\n');
  await ask('/nowhere');
  const { text, headers } = await ask('/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0.0.4/);
  assert.ok(text.includes('snapshot_requests_total{route="/health/ready",status="200"} 1\n'));
  assert.ok(text.includes('snapshot_requests_total{route="none",status="404"} 1\n'));
  for (const line of text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) \w+ .+|\w+({.*})? [0-9.e+-]+)$/);
  await stop();
  const messages = lines.map((line) => JSON.parse(line).msg);
  assert.deepEqual([messages[0], messages[1], messages.at(-1)], ['listening', 'responded', 'stopped']);
});

test('a client that goes before its response leaves no search behind', async (t) => {
  const { url, metric } = await start(t, ioc.env);
  const socket = open(url, 'GET /snapshot?group=gone-15&timeout_ms=10000 HTTP/1.1\r\nhost: a\r\n\r\n');
  await until(
    () => metric('snapshot_channels_searching'),
    (count) => count === 15,
  );
  socket.destroy();
  await once(socket, 'close');
  await until(
    () => metric('snapshot_channels_searching'),
    (count) => count === 0,
  );
});
