// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../testing/client.js';
import { Problem, start } from './support.js';

/** @import { Reply, Route } from '../src/router.js' */

/** @param {string} body @returns {Reply} */
const text = (body) => ({ status: 200, headers: ['content-type', 'text/plain'], body });

/** @param {import('../src/router.js').Handler} GET @returns {Route[]} */
const at = (GET) => [{ pattern: '/hello/{name}', methods: { GET } }];

test('a handler is given what is in braces and what follows the question mark', async (t) => {
  const { url } = await start(
    t,
    at(({ id, search }) => text(`hello ${id} ${search}`)),
  );
  assert.equal(await (await fetch(`${url}/hello/J%C3%BCrgen?loud=1?`)).text(), 'hello Jürgen loud=1?');
  assert.equal(await (await fetch(`${url}/hello/ada`)).text(), 'hello ada ');
});

test('what a problem repeats of a request is bounded, and it says how much it leaves out', () => {
  const faults = Array.from({ length: 5_000 }, (_, at) => ({
    pointer: `/${at}`,
    detail: 'x'.repeat(10_000),
  }));
  const text = new Problem('too_shy', 'y'.repeat(100_000), { errors: faults }).toText();
  const { detail, errors, errors_left_out } = JSON.parse(text);
  assert.ok(text.length < 10_000, `${text.length}`);
  assert.match(detail, /^y{300}…$/);
  assert.deepEqual([errors.length, errors_left_out], [20, 4_980]);
  assert.deepEqual(errors[19], { pointer: '/19', detail: `${'x'.repeat(300)}…` });
  const few = JSON.parse(new Problem('too_shy', 'why', { errors: faults.slice(0, 20) }).toText());
  assert.equal('errors_left_out' in few, false);
});

for (const [method, path, status, code] of /** @type {[string, string, number, string][]} */ ([
  ['GET', '/', 404, 'path_not_found'],
  ['GET', '/hello', 404, 'path_not_found'],
  ['GET', '/hello/ada/', 404, 'path_not_found'],
  ['GET', '/hello/%E0%A4%A', 400, 'malformed_path'],
  ['DELETE', '/hello/ada', 405, 'method_not_allowed'],
  ['POST', '/health/live', 405, 'method_not_allowed'],
])) {
  test(`${method} ${path} is the problem ${code}`, async (t) => {
    const { url } = await start(
      t,
      at(() => text('hello')),
    );
    const res = await fetch(url + path, { method });
    assert.equal(res.status, status);
    assert.equal(res.headers.get('content-type'), 'application/problem+json');
    assert.equal(res.headers.get('allow'), status === 405 ? 'GET, HEAD' : null);
    const problem = await res.json();
    assert.deepEqual(
      [problem.type, problem.status, problem.code],
      [`urn:problem:greeting:${code}`, status, code],
    );
  });
}

test('a problem of the service is told with its detail, its faults and its headers, and is no error of ours', async (t) => {
  const { url, lines } = await start(
    t,
    at(({ id }) => {
      throw new Problem('too_shy', `found ${id}`, {
        headers: ['retry-after', '1'],
        errors: [{ pointer: '/name', detail: 'is unknown' }],
      });
    }),
  );
  const res = await fetch(`${url}/hello/ada`);
  assert.deepEqual([res.status, res.headers.get('retry-after')], [503, '1']);
  assert.deepEqual(await res.json(), {
    type: 'urn:problem:greeting:too_shy',
    title: 'Nobody is greeted now',
    status: 503,
    code: 'too_shy',
    detail: 'found ada',
    errors: [{ pointer: '/name', detail: 'is unknown' }],
  });
  assert.deepEqual(lines, []);
});

test('anything else that is thrown is logged, and told without its detail', async (t) => {
  const secret = new Error('the secret of /etc');
  const { url, lines } = await start(
    t,
    at(() => {
      throw secret;
    }),
  );
  const res = await fetch(`${url}/hello/ada`);
  assert.deepEqual([res.status, (await res.text()).includes('secret')], [500, false]);
  assert.deepEqual(lines, [
    { level: 'error', message: 'request failed', fields: { err: secret, method: 'GET', url: '/hello/ada' } },
  ]);
});

test('a response that cannot be sent is a failure inside', async (t) => {
  const { url, lines } = await start(
    t,
    at(() => ({ status: 200, headers: ['x-name', 'a\nb'], body: '' })),
  );
  assert.equal((await fetch(`${url}/hello/ada`)).status, 500);
  assert.equal(lines[0].fields.err.code, 'ERR_INVALID_CHAR');
});

test('a handler may write its response itself, and one that fails in the middle is broken off', async (t) => {
  const { url, exposition } = await start(
    t,
    at(({ id, res }) => {
      res.writeHead(202).write('hello');
      if (id === 'nobody') throw new Error('who?');
      res.end();
      return undefined;
    }),
  );
  const res = await fetch(`${url}/hello/ada`);
  assert.deepEqual([res.status, await res.text()], [202, 'hello']);
  const broken = await send(url, 'GET /hello/nobody HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.doesNotMatch(broken, /\r\n0\r\n/);
  assert.match(exposition(), /^greeting_requests_total\{route="\/hello\/\{name\}",status="202"\} 2$/m);
});

test('HEAD responds with the headers of GET; 204 and 304 have no length', async (t) => {
  const { url } = await start(
    t,
    at(({ id }) => (id === 'nobody' ? { status: 304, headers: ['etag', '"1"'], body: '' } : text('hello'))),
  );
  const head = await fetch(`${url}/hello/ada`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length'), await head.text()], [200, '5', '']);
  const same = await fetch(`${url}/hello/nobody`);
  assert.deepEqual([same.status, same.headers.get('content-length')], [304, null]);
});

test('what is inspected is refused before its handler, and only where there is a route', async (t) => {
  const { url } = await start(
    t,
    at(() => assert.fail('it was handled')),
    {
      inspect: () => {
        throw new Problem('too_shy');
      },
    },
  );
  assert.equal((await fetch(`${url}/hello/ada`)).status, 503);
  assert.equal((await fetch(`${url}/nowhere`)).status, 404);
});

test('with the level info each request is a line', async (t) => {
  const { url, lines } = await start(
    t,
    at(() => text('hello')),
    { log_level: 'info' },
  );
  await fetch(`${url}/hello/ada?loud`);
  const [{ level, message, fields }] = lines;
  assert.deepEqual(
    [level, message, fields.method, fields.url],
    ['info', 'responded', 'GET', '/hello/ada?loud'],
  );
  assert.ok(fields.status === 200 && fields.service_time_ms >= 0);
});

test('health and metrics', async (t) => {
  const { url, refuse } = await start(t, []);
  const get = async (/** @type {string} */ path) => {
    const res = await fetch(url + path);
    return [res.status, res.headers.get('content-type'), await res.text()];
  };
  assert.deepEqual(await get('/health/live'), [200, 'text/plain; charset=utf-8', 'live\n']);
  assert.deepEqual(await get('/health/ready'), [200, 'text/plain; charset=utf-8', 'ready\n']);
  refuse('the cellar is flooded');
  const [status, type, body] = await get('/health/ready');
  assert.deepEqual(
    [status, type, JSON.parse(`${body}`).detail],
    [503, 'application/problem+json', 'the cellar is flooded'],
  );
  assert.equal((await get('/health/live'))[0], 200);
  const [, metricsType, metrics] = await get('/metrics');
  assert.equal(metricsType, 'text/plain; version=0.0.4; charset=utf-8');
  assert.match(`${metrics}`, /^greeting_requests_total\{route="\/health\/ready",status="503"\} 1$/m);
});
