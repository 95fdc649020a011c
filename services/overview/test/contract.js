// @ts-check
/**
 * What every overview service does, in whichever language it is written, and however it composes its page. Upstreams
 * that lead no block fail in the same way in both compositions.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, send } from '@plimsoll/service-common/testing/client.js';
import { NAMES, reasons, startPage } from './support.js';

/** @import { Start } from './support.js' */

/** For what has to come first, also on a machine that is busy; the test waits as long for what does not come. */
const AMPLE_MS = 1500;

/**
 * @param {string} name of the variant, for the titles
 * @param {Start} start
 * @param {Record<string, string>} env
 */
export function pageContract(name, start, env) {
  test(`${name}: a complete page`, async (t) => {
    const { page } = await startPage(t, start, { env });
    const { blocks, ...about } = await page('a-17');
    assert.deepEqual(about, {
      account: 'a-17',
      composition: env.OVERVIEW_COMPOSITION ?? 'hub',
      complete: true,
      missing: [],
    });
    assert.deepEqual(
      blocks.map((/** @type {any} */ block) => block.name),
      ['customer', 'holdings', 'activity'],
    );
    assert.deepEqual(
      blocks.flatMap((/** @type {any} */ block) => block.parts.map((/** @type {any} */ part) => part.name)),
      NAMES,
    );
    const [identity] = blocks[0].parts;
    assert.deepEqual(
      [identity.status, identity.content.account, identity.content.basis],
      ['present', 'a-17', []],
    );
    assert.equal(identity.content.entries[3].label, 'entry 4 of a-17');
  });

  test(`${name}: a block is asked with what the block before said`, async (t) => {
    const { page, upstreams } = await startPage(t, start, { env });
    await upstreams.set('cards', { mode: 'failing' });
    const { blocks } = await page('a1');
    assert.deepEqual(blocks[1].parts[0].content.basis, ['identity-a1', 'consents-a1']);
    for (const { content } of blocks[2].parts) assert.deepEqual(content.basis, ['accounts-a1']);
  });

  test(`${name}: an upstream that fails is missing, with the reason, and comes back`, async (t) => {
    const { page, upstreams } = await startPage(t, start, { env });
    assert.equal((await page()).complete, true);
    for (const [mode, reason] of [
      ['refusing', 'refused'],
      ['failing', 'status'],
      ['garbage', 'malformed'],
      ['not_json', 'malformed'],
      ['wrong', 'malformed'],
      ['cut', 'broken'],
      ['huge', 'too_large'],
      ['deep', 'malformed'],
    ]) {
      await upstreams.set('cards', { mode });
      const degraded = await page();
      assert.deepEqual([degraded.complete, degraded.missing], [false, ['cards']], mode);
      assert.deepEqual(reasons(degraded), { cards: reason }, mode);
      await upstreams.set('cards', { mode: 'normal' });
      assert.deepEqual(reasons(await page()), {}, `after ${mode}`);
    }
  });

  if (env?.OVERVIEW_COMPOSITION === 'flow') {
    test(`${name}: a leader cannot choose what is counted`, async (t) => {
      const { ask, page, upstreams } = await startPage(t, start, { env });
      await upstreams.set('accounts', { mode: 'inventive' });
      assert.equal(reasons(await page()).accounts, 'malformed');
      assert.doesNotMatch((await ask('/metrics')).text, /tired|made_up/);
    });
  }

  test(`${name}: an upstream that never responds, and one that is slow, are missing after their timeout`, async (t) => {
    const page_times = { timeouts: { offers: 50, payments: 50 } };
    const { ask, page, upstreams } = await startPage(t, start, { page: page_times, env });
    await upstreams.set('offers', { mode: 'dead' });
    await upstreams.set('payments', { response_time: { kind: 'constant', ms: 60_000 } });
    assert.deepEqual(reasons(await page()), { offers: 'timeout', payments: 'timeout' });
    await upstreams.until(({ offers, payments }) => offers.abandoned === 1 && payments.abandoned === 1);
    const { text } = await ask('/metrics');
    assert.match(text, /^overview_pages_total\{result="degraded"\} 1$/m);
    assert.match(text, /^overview_parts_total\{upstream="offers",result="timeout"\} 1$/m);
    assert.match(text, /^overview_parts_total\{upstream="balances",result="present"\} 1$/m);
  });

  test(`${name}: connections to upstreams are kept`, async (t) => {
    const { page, upstreams } = await startPage(t, start, { env });
    for (const account of ['a1', 'a2', 'a3', 'a4', 'a5']) await page(account);
    for (const [upstream, { requests, connections }] of Object.entries(await upstreams.state())) {
      assert.deepEqual([requests, connections], [5, 1], upstream);
    }
  });
}

/**
 * What does not depend on the composition.
 * @param {string} name
 * @param {Start} start
 * @param {{ env?: Record<string, string>, strict?: boolean }} [options] `strict`: what no HTTP request is, is told so;
 *   otherwise its connection may just be closed
 */
export function serverContract(name, start, { env, strict = true } = {}) {
  test(`${name}: at its deadline the page is sent with what there is`, async (t) => {
    const { page, upstreams } = await startPage(t, start, { page: { deadline_ms: AMPLE_MS }, env });
    await upstreams.set('cards', { mode: 'dead' });
    const late = await page();
    assert.equal(late.blocks[0].parts[0].status, 'present');
    assert.deepEqual(reasons(late), {
      cards: 'deadline',
      balances: 'deadline',
      payments: 'deadline',
      offers: 'deadline',
    });
    await upstreams.until(({ cards }) => cards.abandoned === 1);
    assert.equal((await upstreams.state()).balances.requests, 0);
  });

  test(`${name}: health and metrics`, async (t) => {
    const { ask, page } = await startPage(t, start, { env });
    assert.equal((await ask('/health/live')).text, 'live\n');
    assert.equal((await ask('/health/ready')).text, 'ready\n');
    await page();
    const { text, headers } = await ask('/metrics');
    assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    for (const line of text.trimEnd().split('\n')) {
      assert.match(
        line,
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]+"(,[a-z]+="[^"]+")*\})? [0-9.e+-]+)$/i,
      );
    }
    assert.match(text, /^overview_requests_total\{route="\/overview\/\{account\}",status="200"\} 1$/m);
    assert.match(text, /^overview_pages_total\{result="complete"\} 1$/m);
    assert.match(text, /^overview_page_service_time_seconds_count 1$/m);
  });

  test(`${name}: pages can be put together before anybody asks`, async (t) => {
    const { upstreams } = await startPage(t, start, { env: { ...env, OVERVIEW_WARM_UP_PAGES: '7' } });
    assert.equal((await upstreams.state()).offers.requests, 7);
  });

  test(`${name}: what is not asked rightly is told why`, async (t) => {
    const { ask } = await startPage(t, start, { env });
    for (const [method, path, status, code] of /** @type {[string, string, number, string][]} */ ([
      ['GET', '/', 404, 'path_not_found'],
      ['GET', '/overview', 404, 'path_not_found'],
      ['GET', '/overview/a1/b', 404, 'path_not_found'],
      ['GET', '/overview/', 400, 'invalid_account'],
      ['GET', '/overview/A1', 400, 'invalid_account'],
      ['GET', '/overview/a1%2f..', 400, 'invalid_account'],
      ['GET', `/overview/${'a'.repeat(33)}`, 400, 'invalid_account'],
      ['DELETE', '/overview/a1', 405, 'method_not_allowed'],
      ['PUT', '/metrics', 405, 'method_not_allowed'],
    ])) {
      const { headers, json, ...response } = await ask(path, { method });
      assert.equal(response.status, status, path);
      assert.match(headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.deepEqual([json.type, json.status, json.code], [`urn:problem:overview:${code}`, status, code]);
      assert.equal(headers.get('allow'), status === 405 ? 'GET, HEAD' : null);
    }
  });

  test(`${name}: connections of clients are kept, after an error too`, async (t) => {
    const { url } = await startPage(t, start, { env });
    const paths = ['/overview/a1', '/nowhere', '/overview/A1', '/health/live?a=b', '/overview/a2'];
    const last = 'GET /overview/a3 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
    const responses = await send(
      url,
      paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join('') + last,
    );
    assert.deepEqual(
      [...responses.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status),
      ['200', '404', '400', '200', '200', '200'],
    );
  });

  test(`${name}: a body that is announced is not waited for`, async (t) => {
    const { url, page } = await startPage(t, start, { env });
    for (const body of ['content-length: 100\r\n\r\nslow', 'transfer-encoding: chunked\r\n\r\n5\r\nsl']) {
      const response = await send(url, `GET /overview/a1 HTTP/1.1\r\nhost: x\r\n${body}`);
      assert.match(response, /^HTTP\/1\.1 400 /);
      assert.match(response, /"code":"unexpected_body"/);
    }
    assert.equal((await page()).complete, true);
  });

  for (const [what, bytes, code] of [
    ['a flood of headers', `GET /overview/a1 HTTP/1.1\r\n${'x: y\r\n'.repeat(50_000)}`, 'headers_too_large'],
    ['what is not HTTP', 'ahoy\r\n\r\n', 'malformed_request'],
  ]) {
    test(`${name}: ${what} hurts nobody`, async (t) => {
      const { url, page } = await startPage(t, start, { env });
      const response = await send(url, bytes);
      if (strict && response !== '') assert.match(response, new RegExp(`"code":"${code}"`));
      else assert.doesNotMatch(response, /^HTTP\/1\.1 [25]/);
      assert.equal((await page()).complete, true);
    });
  }

  test(`${name}: a client that leaves takes nobody with it`, async (t) => {
    const { url, page, upstreams } = await startPage(t, start, {
      page: { timeouts: { cards: AMPLE_MS } },
      env,
    });
    await upstreams.set('cards', { mode: 'dead' });
    const socket = open(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await upstreams.until(({ cards }) => cards.requests === 1);
    socket.resetAndDestroy();
    await upstreams.until(({ cards }) => cards.abandoned === 1);
    await upstreams.set('cards', { mode: 'normal' });
    assert.equal((await page()).complete, true);
  });
}
