// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { SURPLUS } from '../src/guard/gate.js';
import { openHeld, SPRITE, start } from './support.js';

const MOST_TRIES = 100;
const RARELY = { SPRITES_LIMITS: 'on', SPRITES_THROWS_PER_S: '1' };

/** The first of many equal requests that is refused. @template {{ status: number, json: any }} T @param {() => Promise<T>} ask */
async function untilRefused(ask) {
  for (let n = 0; n < MOST_TRIES; n += 1) {
    const response = await ask();
    if (response.status === 429) return response;
  }
  throw new Error('never refused');
}

/** A client that does not wait. @param {string} held @param {string} [headers] */
async function joined(held, headers) {
  const one = await openHeld(held);
  one.get('/poll', headers);
  return { one, ...(await one.response()) };
}

/** @param {string} held @param {import('ws').ClientOptions} [options] */
function openSocket(held, options) {
  return new WebSocket(`${held.replace('http', 'ws')}/socket`, options);
}

/** The status of the response to a handshake. @param {WebSocket} socket */
async function statusOf(socket) {
  socket.on('error', () => {});
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

test('client_that_throws_too_often_is_refused_alone', async (t) => {
  const { held, post, service } = await start(t, RARELY);
  const [one, two] = [(await joined(held)).json.ticket, (await joined(held)).json.ticket];
  const thrown = (/** @type {string} */ ticket) => post('/throw', { ticket, to: 'anyone', sprite: SPRITE });
  const { json, headers } = await untilRefused(() => thrown(one));
  assert.equal(json.code, 'too_many_throws');
  assert.equal(headers.get('retry-after'), '1');
  // The same ticket in other digits is the same client.
  assert.equal((await thrown(one.replace('.', '.0'))).status, 429);
  assert.equal((await thrown(two)).status, 202);
  assert.ok(service.clients.counts.thrown < MOST_TRIES);
});

test('address_that_throws_too_often_is_refused_whatever_its_tickets', async (t) => {
  const { post } = await start(t, { ...RARELY, SPRITES_ADDRESS_THROWS_PER_S: '1' });
  let slot = 0;
  const { json } = await untilRefused(() => {
    slot += 1;
    return post('/throw', { ticket: `w.${slot}.0.0000000000000000`, to: 'up', sprite: SPRITE });
  });
  assert.match(json.detail, /of one address/);
  assert.equal((await post('/leave', { ticket: 'w.0.0.0000000000000000' })).status, 429);
});

test('websocket_that_throws_too_often_is_told_and_then_closed', async (t) => {
  const { held, service } = await start(t, RARELY, 1_000);
  const socket = openSocket(held);
  /** @type {string[]} */
  const codes = [];
  socket.on('message', (data) => codes.push(JSON.parse(`${data}`).problem?.code));
  await once(socket, 'message');
  const throwing = setInterval(
    () => socket.send(JSON.stringify({ throw: { to: 'anyone', sprite: SPRITE } })),
    1,
  );
  t.after(() => clearInterval(throwing));
  const [code, reason] = await once(socket, 'close');
  assert.deepEqual([code, `${reason}`], [1008, 'too_many_refusals']);
  assert.ok(codes.includes('too_many_throws'));
  assert.ok(service.clients.counts.thrown < 10);
});

test('address_that_joins_too_often_is_refused_and_its_clients_stay', async (t) => {
  const { held } = await start(t, { SPRITES_LIMITS: 'on', SPRITES_ADDRESS_JOINS_PER_S: '1' });
  const { one, json } = await joined(held);
  const { head, json: problem } = await untilRefused(() => joined(held));
  assert.equal(problem.code, 'too_many_joins');
  assert.match(head, /\r\nretry-after: \d/);
  one.get(`/poll?ticket=${json.ticket}&watch=now`);
  assert.equal((await one.response()).status, 200);
});

test('connections_of_an_address_above_the_limit_are_told_so', async (t) => {
  const { held, service, ask } = await start(t, { SPRITES_LIMITS: 'on', SPRITES_ADDRESS_CONNECTIONS: '2' });
  const [{ one }] = [await joined(held), await joined(held)];
  const refused = await joined(held);
  assert.deepEqual([refused.status, refused.json.code], [429, 'too_many_connections']);
  assert.match(refused.head, /\r\nconnection: close\r\n/);
  await refused.one.closed();
  assert.equal(await statusOf(openSocket(held)), 429);
  // One that says nothing does not stay.
  assert.equal(await (await openHeld(held)).closed(), '');
  one.socket.destroy();
  while (service.figures().connections > 1) await ask('/health/live');
  assert.equal((await joined(held)).status, 200);
});

test('connections_in_numbers_are_closed_without_a_word', async (t) => {
  const { held } = await start(t, { SPRITES_LIMITS: 'on', SPRITES_ADDRESS_CONNECTIONS: '1' }, 1_000);
  const { hostname, port } = new URL(held);
  let closed = 0;
  const sockets = Array.from({ length: SURPLUS + 10 }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    return socket.once('close', () => {
      closed += 1;
    });
  });
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  while (closed === 0) await once(/** @type {import('node:net').Socket} */ (sockets.at(-1)), 'close');
  assert.ok(closed <= 10);
});

test('short_connections_above_the_limit_are_told_so', async (t) => {
  const { url } = await start(t, { SPRITES_SHORT_CONNECTIONS: '1' });
  // The first one is that of fetch, which has asked whether the service is ready.
  const refused = await openHeld(url);
  refused.get('/');
  const { status, json } = await refused.response();
  assert.deepEqual([status, json.code], [503, 'no_room']);
  await refused.closed();
  assert.equal(await (await openHeld(url)).closed(), '', 'one that says nothing is cut');
});

test('pages_of_foreign_origins_are_refused_on_both_ports', async (t) => {
  const { url, held, service } = await start(t, { SPRITES_ORIGINS: 'https://sprites.example' });
  const ticket = 'w0.0.0.0000000000000000';
  const body = JSON.stringify({ ticket, to: 'up', sprite: SPRITE });
  const post = async (/** @type {Record<string, string>} */ headers) =>
    (
      await fetch(`${url}/throw`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).status;
  for (const origin of ['http://evil.example', 'null']) {
    assert.equal(await post({ origin }), 403);
    for (const path of ['/poll', '/events']) {
      const one = await openHeld(held);
      one.get(path, `origin: ${origin}\r\n`);
      const { status, json } = await one.response();
      assert.deepEqual([status, json.code], [403, 'foreign_origin']);
    }
    assert.equal(await statusOf(openSocket(held, { origin })), 403);
  }
  assert.equal(service.clients.count, 0);
  assert.equal(await post({}), 404, 'nobody has this ticket');
  for (const origin of [url, 'http://localhost:1', 'https://sprites.example']) {
    assert.equal(await post({ origin }), 404);
  }
  assert.equal((await joined(held, `origin: ${url}\r\n`)).status, 200);
});
