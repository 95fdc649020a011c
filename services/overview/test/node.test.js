// @ts-check
/** The service in Node.js: the contract in both compositions, and what only it promises. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open, send } from '@plimsoll/service-common/testing/client.js';
import { pageContract, serverContract } from './contract.js';
import { NEVER_MS, reasons, startHere, startPage } from './support.js';

for (const name of ['hub', 'flow']) {
  const env = { OVERVIEW_COMPOSITION: name };
  pageContract(name, startHere, env);

  test(`${name}: when the client leaves, calls are aborted and pages abandoned`, async (t) => {
    const { url, ask, upstreams, lines } = await startPage(t, startHere, {
      env: { ...env, LOG_LEVEL: 'warn' },
    });
    await upstreams.set('cards', { mode: 'dead' });
    const socket = open(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await upstreams.until(({ cards }) => cards.requests === 1);
    socket.destroy();
    await upstreams.until(({ cards }) => cards.abandoned === 1);
    while (!(await ask('/metrics')).text.includes('overview_pages_total{result="abandoned"} 1'));
    assert.equal((await upstreams.state()).balances.requests, 0);
    assert.deepEqual(lines, []);
  });

  test(`${name}: the pool of each upstream is bounded`, async (t) => {
    const { page, upstreams } = await startPage(t, startHere, { env: { ...env, OVERVIEW_CONNECTIONS: '2' } });
    const pages = await Promise.all(Array.from({ length: 20 }, (_, number) => page(`a${number}`)));
    assert.ok(pages.every(({ complete }) => complete));
    const { identity } = await upstreams.state();
    assert.deepEqual([identity.requests, identity.connections], [20, 2]);
  });
}

serverContract('node', startHere);

test('both compositions give the same page', async (t) => {
  const [hub, flow] = await Promise.all(
    ['hub', 'flow'].map(async (composition) => {
      const { page } = await startPage(t, startHere, { env: { OVERVIEW_COMPOSITION: composition } });
      return page('a7');
    }),
  );
  assert.deepEqual(flow, { ...hub, composition: 'flow' });
});

test('in a flow, what is behind a lost leader is not reached', async (t) => {
  const { page, upstreams } = await startPage(t, startHere, { env: { OVERVIEW_COMPOSITION: 'flow' } });
  await upstreams.set('accounts', { mode: 'refusing' });
  const degraded = await page();
  assert.equal(degraded.blocks[0].parts[1].status, 'present');
  assert.deepEqual(reasons(degraded), {
    accounts: 'refused',
    cards: 'not_reached',
    balances: 'not_reached',
    payments: 'not_reached',
    offers: 'not_reached',
  });
  await upstreams.set('accounts', { mode: 'wrong' });
  assert.equal(reasons(await page()).accounts, 'malformed');
});

test('in a hub, a lost upstream costs its own part and no other', async (t) => {
  const { page, upstreams } = await startPage(t, startHere);
  await upstreams.set('accounts', { mode: 'refusing' });
  assert.deepEqual(reasons(await page()), { accounts: 'refused' });
});

test('too many pages at once are refused', async (t) => {
  const { url, ask, upstreams } = await startPage(t, startHere, { env: { OVERVIEW_PAGES_IN_FLIGHT: '1' } });
  await upstreams.set('cards', { mode: 'dead' });
  const socket = open(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
  await upstreams.until(({ cards }) => cards.requests === 1);
  const refused = await ask('/overview/a2');
  assert.deepEqual(
    [refused.status, refused.json.code, refused.headers.get('retry-after')],
    [503, 'too_busy', '1'],
  );
  socket.destroy();
  await upstreams.set('cards', { mode: 'normal' });
  while ((await ask('/overview/a2')).status !== 200);
});

test('a page that lacks something is a warning in the log', async (t) => {
  const { page, upstreams, lines } = await startPage(t, startHere, { env: { LOG_LEVEL: 'warn' } });
  await page();
  await upstreams.set('cards', { mode: 'failing' });
  await page('a2');
  const [line, ...rest] = lines.map((text) => JSON.parse(text));
  assert.deepEqual([line.msg, line.account, line.missing, rest], ['page degraded', 'a2', ['cards'], []]);
});

test('with the level info each request is a line', async (t) => {
  const { ask, lines } = await startPage(t, startHere, { env: { LOG_LEVEL: 'info' } });
  await ask('/health/live?probe=1');
  const line = lines.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'responded');
  assert.deepEqual([line.method, line.url, line.status], ['GET', '/health/live?probe=1', 200]);
  assert.ok(line.service_time_ms >= 0);
});

test('a path that cannot be decoded', async (t) => {
  const { url } = await startPage(t, startHere);
  const response = await send(url, 'GET /overview/%E0%A4%A HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  assert.match(response, /^HTTP\/1\.1 400 [\s\S]*"code":"malformed_path"/);
});

test('stopping finishes the page that is in flight', async (t) => {
  const { url, stop, upstreams } = await startPage(t, startHere);
  await upstreams.set('cards', { mode: 'dead' });
  const socket = open(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
  await upstreams.until(({ cards }) => cards.requests === 1);
  const stopped = stop();
  // The upstream goes away, and with it the last thing that the page waits for.
  await upstreams.set('cards', { mode: 'refusing' });
  const response = Buffer.concat(await socket.toArray()).toString();
  assert.match(response, /^HTTP\/1\.1 200 /);
  assert.match(response, /connection: close/i);
  assert.match(response, /"name":"cards","status":"missing","reason":"broken"/);
  await stopped;
});

test('stopping cuts what does not finish within the grace', async (t) => {
  const { url, stop, upstreams } = await startPage(t, startHere, {
    page: { timeout_ms: NEVER_MS },
    env: { OVERVIEW_SHUTDOWN_GRACE_MS: '10' },
  });
  await upstreams.set('cards', { mode: 'dead' });
  const response = send(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
  await upstreams.until(({ cards }) => cards.requests === 1);
  await stop();
  assert.equal(await response, '');
});
