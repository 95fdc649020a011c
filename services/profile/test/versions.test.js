// @ts-check
/** Turns over each version of HTTP, in clear text and over TLS; and what becomes of those in flight when the service stops. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { askHttp1, openHttp2, responseTo } from '@plimsoll/service-common/testing/http2.js';
import { start } from './support.js';

const HEADERS = { authorization: 'Bearer token-u1', 'content-type': 'application/json' };
const TURN = { method: 'POST', headers: HEADERS, body: '{"action":"sail"}' };
/** @type {Record<string, string>[]} */
const OVER_HTTP2 = [{ HTTP_VERSION: '2' }, { HTTP_VERSION: '2', TLS_CERT: 'self-signed' }];

for (const [version, env] of /** @type {['1.1' | '2', Record<string, string>][]} */ ([
  ['1.1', { TLS_CERT: 'self-signed' }],
  ['1.1', { HTTP_VERSION: 'both', TLS_CERT: 'self-signed' }],
  ['2', { HTTP_VERSION: 'both', TLS_CERT: 'self-signed' }],
  ['2', { HTTP_VERSION: '2' }],
  ['2', { HTTP_VERSION: '2', TLS_CERT: 'self-signed' }],
])) {
  test(`HTTP/${version} of ${Object.values(env).join(', ')}: turns, tags and errors`, async (t) => {
    const { url } = await start(t, env);
    /** @type {typeof askHttp1} */
    const ask =
      version === '1.1' ? (path, question) => askHttp1(url + path, question) : (await openHttp2(t, url)).ask;
    const turned = await ask('/profiles/u1/turns', TURN);
    assert.deepEqual([turned.status, JSON.parse(turned.text).version], [200, 2]);
    const etag = `${turned.headers.etag}`;
    const known = await ask('/profiles/u1', { headers: { ...HEADERS, 'if-none-match': etag } });
    assert.deepEqual([known.status, known.text, known.headers.etag], [304, '', etag]);
    const removed = await ask('/profiles/u1', {
      method: 'DELETE',
      headers: { ...HEADERS, 'if-match': etag },
    });
    assert.deepEqual([removed.status, removed.text], [204, '']);
    for (const [path, question, status, code] of /** @type {const} */ ([
      ['/profiles/u2/turns', { ...TURN, headers: {} }, 401, 'token_missing'],
      ['/profiles/u2/turns', { ...TURN, body: '{' }, 400, 'malformed_json'],
      ['/profiles/u2/turns', { ...TURN, body: 'x'.repeat(20_000) }, 413, 'body_too_large'],
      ['/nowhere', {}, 404, 'path_not_found'],
    ])) {
      const refused = await ask(path, question);
      assert.deepEqual([refused.status, JSON.parse(refused.text).code], [status, code]);
    }
  });
}

for (const env of OVER_HTTP2) {
  const name = Object.values(env).join(', ');

  test(`HTTP/${name}: stopping finishes the turn that is in flight, and takes no other`, async (t) => {
    const { url, stop } = await start(t, env);
    const { begin, session } = await openHttp2(t, url);
    const stream = begin('/profiles/u1/turns', TURN);
    stream.write('{"action"');
    // What is sent before it has arrived by now.
    await new Promise((resolve) => session.ping(resolve));
    const stopped = stop();
    await once(session, 'goaway');
    assert.throws(() => begin('/health/live'), { code: 'ERR_HTTP2_GOAWAY_SESSION' });
    stream.end(':"sail"}');
    const { status, text } = await responseTo(stream);
    assert.deepEqual([status, JSON.parse(text).version], [200, 2]);
    await stopped;
  });

  test(`HTTP/${name}: stopping cuts what does not finish within the grace`, async (t) => {
    const { url, stop } = await start(t, { ...env, PROFILE_SHUTDOWN_GRACE_MS: '10' });
    const { begin, session } = await openHttp2(t, url);
    const stream = begin('/profiles/u1/turns', TURN);
    stream.write('{"action"');
    await new Promise((resolve) => session.ping(resolve));
    const cut = assert.rejects(responseTo(stream));
    await stop();
    await cut;
  });

  test(`HTTP/${name}: a client that leaves in the middle of a body hurts nobody and is no error of ours`, async (t) => {
    const { url, lines } = await start(t, env);
    const { ask, begin, session } = await openHttp2(t, url);
    const stream = begin('/profiles/u1/turns', TURN);
    stream.write('{"action"');
    await new Promise((resolve) => session.ping(resolve));
    stream.close(8);
    const served = /route="\/profiles\/\{id\}\/turns",status="400"\} 1/;
    while (!served.test((await ask('/metrics')).text));
    const { text } = await ask('/profiles/u1', { headers: HEADERS });
    assert.equal(JSON.parse(text).version, 1);
    assert.deepEqual(lines, []);
  });

  test(`HTTP/${name}: a body that does not come in time ends its request, and no connection`, async (t) => {
    const { url } = await start(t, { ...env, PROFILE_BODY_TIMEOUT_MS: '20' });
    const { ask, begin } = await openHttp2(t, url);
    const stream = begin('/profiles/u1/turns', TURN);
    stream.write('{"action"');
    const { status, text, headers } = await responseTo(stream);
    assert.deepEqual([status, JSON.parse(text).code, headers.connection], [408, 'body_timeout', undefined]);
    assert.equal((await ask('/profiles/u1/turns', TURN)).status, 200);
  });
}
