// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../src/errors.js';
import { MOST_HEAD_BYTES, readRequest } from '../src/held/request.js';

/** @param {string} text */
function read(text) {
  return readRequest(Buffer.from(text, 'latin1'));
}

/** @param {string} text @returns {number} the status of what refuses it, or 0 */
function refused(text) {
  try {
    read(text);
    return 0;
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.status;
  }
}

test('request_complete_is_read', () => {
  const request = read('GET /poll?ticket=a.1&watch HTTP/1.1\r\nHost: x\r\nA: 1\r\na:\t2 \r\n\r\nGET');
  assert.equal(request?.path, '/poll');
  assert.equal(request?.query?.get('ticket'), 'a.1');
  assert.deepEqual({ ...request?.headers }, { host: 'x', a: '1, 2' });
  assert.deepEqual([request?.close, request?.end], [false, 61]);
});

test('request_with_a_leading_empty_line_is_read', () => {
  assert.equal(read('\r\nGET /poll HTTP/1.1\r\nhost: x\r\n\r\n')?.path, '/poll');
});

test('request_to_an_absolute_url_is_read', () => {
  assert.equal(read('GET http://x:1/poll?a HTTP/1.1\r\nhost: x\r\n\r\n')?.path, '/poll');
  assert.equal(read('GET http://x HTTP/1.1\r\nhost: x\r\n\r\n')?.path, '/');
});

test('request_connection_lasts_as_its_version_and_header_say', () => {
  /** @type {[string, string, boolean][]} */
  const cases = [
    ['1.1', '', false],
    ['1.1', 'connection: Close\r\n', true],
    ['1.1', 'connection: x, close\r\n', true],
    ['1.0', '', true],
    ['1.0', 'connection: keep-alive\r\n', false],
  ];
  for (const [version, header, close] of cases) {
    assert.equal(read(`GET / HTTP/${version}\r\nhost: x\r\n${header}\r\n`)?.close, close);
  }
});

test('request_refused_has_its_status', () => {
  const host = 'host: x\r\n';
  /** @type {[string, number][]} */
  const cases = [
    ['ahoy\r\n\r\n', 400],
    [`GET  / HTTP/1.1\r\n${host}\r\n`, 400],
    [`GET /a b HTTP/1.1\r\n${host}\r\n`, 400],
    [`GET / HTTP/1.1\n${host}\r\n\r\n`, 400],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\n${host}${host}\r\n`, 400],
    [`GET / HTTP/1.1\r\n${host}a : 1\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${host}a: 1\r\n b\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${host}a: \x00\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${host}a: 1\rb: 2\r\n\r\n`, 400],
    [`POST / HTTP/1.1\r\n${host}content-length: 1\r\n\r\nx`, 400],
    [`GET / HTTP/1.1\r\n${host}content-length: 0, 0\r\n\r\n`, 400],
    [`GET / HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\n`, 400],
    [`GET / HTTP/2.0\r\n${host}\r\n`, 505],
    [`GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(MOST_HEAD_BYTES)}`, 431],
    [`GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(MOST_HEAD_BYTES)}\r\n\r\n`, 431],
    [`GET / HTTP/1.1\r\n${host}content-length: 0\r\n\r\n`, 0],
  ];
  for (const [text, status] of cases) assert.equal(refused(text), status, JSON.stringify(text.slice(0, 60)));
});

test('request_in_pieces_is_incomplete_until_the_last', () => {
  const text = 'GET /poll HTTP/1.1\r\nhost: x\r\n\r\n';
  for (let length = 0; length < text.length; length += 1)
    assert.equal(read(text.slice(0, length)), undefined);
  assert.equal(read(text)?.end, text.length);
});

test('request_of_any_bytes_is_read_refused_or_awaited', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        const request = readRequest(Buffer.from(bytes));
        assert.ok(request === undefined || request.end <= bytes.length);
      } catch (error) {
        assert.ok(error instanceof Problem);
      }
    }),
  );
});

test('request_that_is_taken_is_taken_by_node_in_the_same_way', async (t) => {
  const server = createServer((req, res) => {
    res.end(JSON.stringify([req.method, req.url, req.headers['x-a'] ?? null]));
  });
  server.on('clientError', (_, socket) => socket.end('HTTP/1.1 400 No\r\nconnection: close\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/);
  const piece = fc.constantFrom(' ', '\t', ':', '\r\n', '\n', '\r', 'x', '\x7f', 'é', '"');
  const heads = fc.tuple(
    fc.constantFrom('GET', 'HEAD', 'GET '),
    fc.stringMatching(/^\/[\x21-\x7e]{0,12}$/),
    fc.constantFrom('1.1', '1.0'),
    fc.oneof(token, fc.constant('x-a')),
    fc.array(fc.oneof({ weight: 4, arbitrary: token }, { weight: 1, arbitrary: piece }), { maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(heads, async ([method, url, version, name, value]) => {
      const text = `${method} ${url} HTTP/${version}\r\nhost: x\r\n${name}: ${value.join('')}\r\nconnection: close\r\n\r\n`;
      let ours;
      try {
        ours = read(text);
      } catch {
        return;
      }
      // What looks like the end of the headers begins another request.
      if (ours === undefined || ours.end < text.length) return;
      const socket = connect(port, '127.0.0.1');
      socket.end(text, 'latin1');
      let response = '';
      for await (const chunk of socket) response += chunk;
      assert.match(response, /^HTTP\/1.1 200/, JSON.stringify(text));
      if (ours.method === 'HEAD') return;
      const theirs = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4));
      assert.deepEqual(theirs, [ours.method, ours.url, ours.headers['x-a'] ?? null]);
    }),
    { numRuns: 150 },
  );
});
