// @ts-check
/** The versions of HTTP, in clear text and over TLS: the same service, as bounded, and closed as carefully. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { connect } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { boundArrival } from '../src/sessions.js';
import { open, send } from '../testing/client.js';
import { askHttp1, openHttp2, responseTo } from '../testing/http2.js';
import { Problem, start } from './support.js';

/** @import { Route } from '../src/router.js' */
/** @import { Transport } from '../src/transport.js' */

/** @type {{ name: string, http1: boolean, http2: boolean, transport: Transport }[]} */
const TRANSPORTS = [
  { name: 'http', http1: true, http2: false, transport: { http: '1.1', tls: undefined } },
  { name: 'https', http1: true, http2: false, transport: { http: '1.1', tls: 'self-signed' } },
  { name: 'HTTP/2 in clear text', http1: false, http2: true, transport: { http: '2', tls: undefined } },
  { name: 'HTTP/2 over TLS', http1: false, http2: true, transport: { http: '2', tls: 'self-signed' } },
  { name: 'both over TLS', http1: true, http2: true, transport: { http: 'both', tls: 'self-signed' } },
];
const OVER_TLS = TRANSPORTS.filter(({ transport }) => transport.tls !== undefined);
const OVER_HTTP2 = TRANSPORTS.filter(({ http2 }) => http2);

/** A route that responds when the test says so. */
function slowRoute() {
  /** @type {(() => void)[]} */
  const waiting = [];
  /** @type {Route} */
  const route = {
    pattern: '/slow',
    methods: {
      async GET() {
        await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve));
        return { status: 200, headers: [], body: 'at last' };
      },
    },
  };
  return {
    route,
    /** @param {number} count */
    async arrived(count) {
      while (waiting.length < count) await new Promise(setImmediate);
    },
    respond() {
      for (const resolve of waiting) resolve();
    },
  };
}

for (const { name, http1, http2, transport } of TRANSPORTS) {
  test(`${name}: every version that is meant gets its response, and its errors`, async (t) => {
    const { url, exposition } = await start(t, [], transport);
    assert.match(url, transport.tls === undefined ? /^http:/ : /^https:/);
    const asks = [];
    if (http1)
      asks.push((/** @type {string} */ path, /** @type {{ method?: string }} */ init) =>
        askHttp1(url + path, init),
      );
    if (http2) asks.push((await openHttp2(t, url)).ask);
    for (const ask of asks) {
      const live = await ask('/health/live', {});
      assert.deepEqual([live.status, live.text, live.headers['content-length']], [200, 'live\n', '5']);
      const head = await ask('/health/live', { method: 'HEAD' });
      assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '5']);
      const refused = await ask('/health/live', { method: 'POST' });
      assert.deepEqual([refused.status, JSON.parse(refused.text).code], [405, 'method_not_allowed']);
      assert.equal(refused.headers.allow, 'GET, HEAD');
    }
    assert.match(exposition(), new RegExp(`route="/health/live",status="200"} ${2 * asks.length}\n`));
  });

  test(`${name}: closing waits for the response that is due, and for no connection that is idle`, async (t) => {
    const { route, arrived, respond } = slowRoute();
    const { url, stop } = await start(t, [route], transport);
    const idle = http2 ? await openHttp2(t, url) : undefined;
    await idle?.ask('/health/live');
    const responses = [];
    if (http1) responses.push(askHttp1(`${url}/slow`));
    if (http2) {
      const busy = await openHttp2(t, url);
      responses.push(busy.ask('/slow'), busy.ask('/slow'));
    }
    await arrived(responses.length);
    const stopped = stop();
    if (idle !== undefined) await once(idle.session, 'close');
    respond();
    for (const response of responses) {
      const { status, text, headers } = await response;
      assert.deepEqual([status, text], [200, 'at last']);
      // That header does not exist in HTTP/2.
      assert.equal(headers.connection, ':status' in headers ? undefined : 'close');
    }
    await stopped;
    await assert.rejects(askHttp1(`${url}/health/live`), { code: 'ECONNREFUSED' });
  });

  test(`${name}: closing cuts what does not finish within the grace`, async (t) => {
    const { route, arrived } = slowRoute();
    const { url, stop } = await start(t, [route], transport);
    // One that is in the middle of a handshake, or of a request.
    const half = open(url, transport.tls === undefined ? 'GET' : '\x16\x03\x01');
    half.on('error', () => {}).resume();
    const halfClosed = once(half, 'close');
    const cut = http2 ? (await openHttp2(t, url)).ask('/slow') : askHttp1(`${url}/slow`);
    const failed = assert.rejects(cut);
    await arrived(1);
    await stop(10);
    await failed;
    await halfClosed;
  });
}

test('over TLS the client chooses between both versions', async (t) => {
  const { url } = await start(t, [], { http: 'both', tls: 'self-signed' });
  for (const [offered, agreed] of /** @type {[string[], string][]} */ ([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ])) {
    const socket = connectTls({
      port: Number(new URL(url).port),
      host: '127.0.0.1',
      ALPNProtocols: offered,
      rejectUnauthorized: false,
    });
    t.after(() => socket.destroy());
    await once(socket, 'secureConnect');
    assert.equal(socket.alpnProtocol, agreed);
  }
});

for (const { name, http1, transport } of OVER_TLS) {
  test(`${name}: what is no handshake is dropped, and hurts nobody`, async (t) => {
    const { url } = await start(t, [], transport);
    const heard = await send(url, 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    assert.doesNotMatch(heard, /^HTTP/);
    const socket = open(url, '\x16\x03\x01');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    const ask = http1
      ? () => askHttp1(`${url}/health/live`)
      : async () => (await openHttp2(t, url)).ask('/health/live');
    assert.equal((await ask()).status, 200);
  });
}

for (const { name, transport } of OVER_HTTP2) {
  test(`${name}: headers without end reset their stream and no other`, async (t) => {
    const { url } = await start(t, [], transport);
    const { ask } = await openHttp2(t, url);
    const flood = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}`, 'y'.repeat(1_000)]));
    await assert.rejects(ask('/health/live', { headers: flood }), /NGHTTP2_ENHANCE_YOUR_CALM|code 11/);
    assert.equal((await ask('/health/live')).status, 200);
  });

  test(`${name}: a client that leaves before its response hurts nobody, and is counted`, async (t) => {
    const { route, arrived, respond } = slowRoute();
    const { url, exposition, lines } = await start(t, [route], transport);
    const { ask, begin } = await openHttp2(t, url);
    const stream = begin('/slow');
    await arrived(1);
    stream.close(8);
    await once(stream, 'close');
    await ask('/health/live');
    respond();
    while (!/route="\/slow",status="200"} 1\n/.test(exposition())) await new Promise(setImmediate);
    assert.deepEqual(lines, []);
  });

  test(`${name}: a response that hangs up ends its stream, and no connection`, async (t) => {
    const { url } = await start(
      t,
      [
        {
          pattern: '/full',
          methods: {
            async POST({ req }) {
              await once(req, 'data');
              req.pause();
              throw new Problem('too_shy', undefined, { headers: ['connection', 'close'] });
            },
          },
        },
      ],
      transport,
    );
    const { ask, begin } = await openHttp2(t, url);
    const stream = begin('/full', { method: 'POST' });
    stream.write('much');
    const { status, headers, text } = await responseTo(stream);
    assert.deepEqual([status, headers.connection, JSON.parse(text).code], [503, undefined, 'too_shy']);
    assert.equal((await ask('/health/live')).status, 200);
  });
}

test('HTTP/2 in clear text: what speaks another version is dropped, and hurts nobody', async (t) => {
  const { url } = await start(t, [], { http: '2' });
  const heard = await send(url, 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
  assert.doesNotMatch(heard, /^HTTP/);
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  socket.resetAndDestroy();
  assert.equal((await (await openHttp2(t, url)).ask('/health/live')).status, 200);
});

for (const [what, respondFirst] of /** @type {[string, boolean][]} */ ([
  ['is told so', false],
  ['that has its headers is broken off', true],
])) {
  test(`a request over HTTP/2 that never ends ${what}`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    server.on('stream', (stream) => {
      boundArrival(stream, 20, Problem);
      stream.on('error', () => {});
      stream.once('data', () => stream.pause());
      if (respondFirst) stream.respond({ ':status': 200 });
    });
    await once(server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const { begin, session } = await openHttp2(t, `http://127.0.0.1:${port}`);
    t.after(() => {
      session.destroy();
      server.close();
    });
    const stream = begin('/', { method: 'POST' });
    stream.write('much');
    if (respondFirst) {
      await assert.rejects(responseTo(stream), /reset with code 8/);
    } else {
      const { status, text } = await responseTo(stream);
      assert.deepEqual([status, JSON.parse(text).code], [408, 'request_timeout']);
    }
  });
}
