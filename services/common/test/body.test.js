// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { jsonReader } from '../src/body.js';
import { shapeCompiler } from '../src/shapes.js';
import { asker, open, send } from '../testing/client.js';
import { Problem, start } from './support.js';

const readJson = jsonReader(Problem);
const valid = shapeCompiler(Problem)({
  type: 'object',
  properties: { name: { type: 'string' }, mood: { enum: ['good', 'bad'] } },
  required: ['name'],
  additionalProperties: false,
});

/** A service that repeats a valid body. @param {import('node:test').TestContext} t @param {number} [timeout_ms] */
async function startEcho(t, timeout_ms = 60_000) {
  const { url } = await start(t, [
    {
      pattern: '/greetings',
      methods: {
        POST: async ({ req }) => ({
          status: 200,
          headers: ['content-type', 'application/json'],
          body: JSON.stringify(valid(await readJson(req, { limit_bytes: 64, timeout_ms }))),
        }),
      },
    },
  ]);
  return url;
}

const HEAD = 'POST /greetings HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n';

test('body_valid_is_taken', async (t) => {
  const ask = asker(await startEcho(t));
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  const { status, json } = await ask('/greetings', { method: 'POST', headers, body: '{"name":"Ann"}' });
  assert.deepEqual([status, json], [200, { name: 'Ann' }]);
});

test('body_in_pieces_is_put_together', async (t) => {
  const socket = open(await startEcho(t), `${HEAD}expect: 100-continue\r\ncontent-length: 14\r\n\r\n`);
  await once(socket, 'data');
  socket.write('{"name"');
  socket.write(':"Ann"}');
  const [response] = await once(socket, 'data');
  assert.match(`${response}`, /^HTTP\/1.1 200 /);
});

test('body_refused_says_why', async (t) => {
  const url = await startEcho(t, 1);
  /** @type {[string, number, string][]} */
  const cases = [
    [`${HEAD}content-length: 1\r\n\r\n{`, 400, 'malformed_json'],
    [`${HEAD}content-length: 2\r\n\r\n{}`, 422, 'invalid_body'],
    [`${HEAD}content-length: 65\r\n\r\n`, 413, 'body_too_large'],
    [`${HEAD}transfer-encoding: chunked\r\n\r\n41\r\n${'x'.repeat(65)}\r\n`, 413, 'body_too_large'],
    [`${HEAD}content-length: 9\r\n\r\n{`, 408, 'body_timeout'],
    [
      `${HEAD.replace('application/json', 'text/plain')}content-length: 2\r\n\r\n{}`,
      415,
      'unsupported_media_type',
    ],
  ];
  for (const [bytes, status, code] of cases) {
    const response = await send(url, bytes);
    assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(response, new RegExp(`"code":"${code}"`));
  }
});

test('shape_each_fault_is_named', () => {
  assert.throws(
    () => valid({ mood: 'so so', size: 3 }),
    (/** @type {any} */ problem) => {
      assert.deepEqual(
        problem.errors.map((/** @type {any} */ { pointer, detail }) => `${pointer} ${detail}`),
        [
          " must have required property 'name'",
          ' must NOT have additional properties; found "size"',
          '/mood must be equal to one of the allowed values: good, bad',
        ],
      );
      return true;
    },
  );
});
