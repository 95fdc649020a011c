// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { openHeld, SPRITE, start } from './support.js';

/** @param {string} held @param {string} [target] */
async function join(held, target = '/poll?watch') {
  const connection = await openHeld(held);
  connection.get(target);
  const { json } = await connection.response();
  return { ...connection, ...json };
}

/** @param {string} held @param {string} [query] */
async function openSocket(held, query = '') {
  const socket = new WebSocket(`${held.replace('http', 'ws')}/socket${query}`);
  /** @type {any[]} */
  const messages = [];
  /** @type {(() => void) | undefined} */
  let more;
  socket.on('message', (data) => {
    messages.push(JSON.parse(`${data}`));
    more?.();
  });
  await once(socket, 'open');
  return {
    socket,
    async message() {
      while (messages.length === 0) {
        await new Promise((/** @type {(value?: any) => void} */ resolve) => {
          more = resolve;
        });
      }
      return messages.shift();
    },
  };
}

test('poll_first_is_welcomed_and_the_next_waits_for_a_sprite', async (t) => {
  const { held, post } = await start(t);
  const one = await join(held, '/poll');
  const two = await join(held);
  assert.deepEqual(two.place.neighbours.left, one.ticket.slice(0, one.ticket.lastIndexOf('.')));
  one.get('/poll');
  assert.equal((await post('/throw', { ticket: two.ticket, to: 'left', sprite: SPRITE })).status, 202);
  const { head, json } = await one.response();
  assert.deepEqual(json, { next: 1, sprites: [{ from: 'right', ...SPRITE }] });
  assert.match(head, /^HTTP\/1.1 200 OK\r\n(.+\r\n)*date: .*GMT\r\nsent-monotonic-ns: \d+\r\n/);
});

test('poll_on_new_connections_goes_on_after_what_arrived', async (t) => {
  const { held, post } = await start(t);
  const one = await join(held, '/poll');
  const two = await join(held);
  one.socket.destroy();
  for (const name of ['a', 'b']) {
    await post('/throw', { ticket: two.ticket, to: 'left', sprite: { ...SPRITE, name } });
  }
  const names = async (/** @type {number} */ after) => {
    const response = await fetch(`${held}/poll?ticket=${one.ticket}&after=${after}`);
    return /** @type {any} */ (await response.json()).sprites.map((/** @type {any} */ sprite) => sprite.name);
  };
  assert.deepEqual(await names(0), ['a', 'b']);
  assert.deepEqual(await names(0), ['a', 'b']);
  assert.deepEqual(await names(1), ['b']);
});

test('poll_with_nothing_new_is_pinged', async (t) => {
  const { held } = await start(t, { SPRITES_PING_S: '2' });
  const one = await join(held, '/poll');
  one.get('/poll');
  assert.deepEqual((await one.response()).json, { next: 0, sprites: [] });
});

test('connection_without_another_request_is_closed', async (t) => {
  const { held } = await start(t, { SPRITES_IDLE_S: '2' });
  const one = await join(held, '/poll');
  assert.equal(await one.closed(), '');
});

test('connection_that_shows_no_client_is_closed', async (t) => {
  const { held } = await start(t, {}, 1);
  const connection = await openHeld(held);
  connection.socket.write('GET /po');
  assert.equal(await connection.closed(), '');
});

test('connection_that_dribbles_its_next_request_is_closed', async (t) => {
  const { held } = await start(t, { SPRITES_IDLE_S: '4' });
  const one = await join(held, '/poll');
  const drip = setInterval(() => one.socket.write('x'), 5);
  t.after(() => clearInterval(drip));
  assert.equal(await one.closed(), '');
});

for (const [way, target, headers, last] of /** @type {const} */ ([
  ['poll', '/poll', 'connection: close\r\n', /"ticket"/],
  ['events', '/events', '', /event: end/],
])) {
  test(`client_of_${way}_that_leaves_its_end_open_is_cut`, async (t) => {
    const { held, service } = await start(t);
    const { hostname, port } = new URL(held);
    const half = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    t.after(() => half.destroy());
    half.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    let text = '';
    half
      .on('error', () => {})
      .on('data', (chunk) => {
        text += chunk;
        const ticket = /"ticket":"([^"]+)"/.exec(text)?.[1];
        // The stream ends when another connection has the client.
        if (way === 'events' && ticket !== undefined && !text.includes('event: end')) {
          void fetch(`${held}/poll?ticket=${ticket}&watch=now`);
        }
      });
    await once(half, 'end');
    assert.match(text, last);
    while (service.figures().connections > (way === 'events' ? 1 : 0)) await setImmediate();
  });
}

test('poll_of_the_same_client_elsewhere_ends_the_first', async (t) => {
  const { held } = await start(t);
  const one = await join(held, '/poll');
  one.get('/poll');
  const other = await openHeld(held);
  other.get(`/poll?ticket=${one.ticket}&after=0&watch=now`);
  assert.deepEqual((await one.response()).json, { next: 0, replaced: true, sprites: [] });
  await one.closed();
  assert.equal((await other.response()).json.place.cell[0], 0);
});

test('requests_sent_ahead_are_served_in_order', async (t) => {
  const { held, post } = await start(t);
  const one = await openHeld(held);
  one.get('/poll');
  one.get('/nowhere');
  one.get('/poll');
  const { ticket } = (await one.response()).json;
  const { status, json } = await one.response();
  assert.deepEqual([status, json.code], [404, 'path_not_found']);
  const two = await join(held);
  await post('/throw', { ticket: two.ticket, to: 'left', sprite: SPRITE });
  assert.equal((await one.response()).json.next, 1);
  assert.ok(ticket);
});

test('requests_sent_ahead_without_end_cut_the_connection', async (t) => {
  const { held } = await start(t);
  const one = await join(held, '/poll');
  one.get('/poll');
  one.socket.write('GET /poll HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000));
  await one.closed();
});

test('response_to_close_ends_the_connection', async (t) => {
  const { held } = await start(t);
  const connection = await openHeld(held);
  connection.get('/poll', 'connection: close\r\n');
  assert.match((await connection.response()).head, /connection: close\r\n/);
  assert.equal(await connection.closed(), '');
});

test('request_that_is_none_here_says_why', async (t) => {
  const { held } = await start(t, { SPRITES_CAPACITY: '1' });
  await join(held);
  /** @type {[string, number, string][]} */
  const cases = [
    ['GET /nowhere HTTP/1.1', 404, 'path_not_found'],
    ['PUT /poll HTTP/1.1', 405, 'method_not_allowed'],
    ['GET /poll?ticket=x HTTP/1.1', 400, 'malformed_ticket'],
    ['GET /poll?ticket=a.0.0.0000000000000000&after=-1 HTTP/1.1', 400, 'malformed_after'],
    ['GET /poll HTTP/1.1', 503, 'no_room'],
    ['GET /events HTTP/1.1', 503, 'no_room'],
    ['GET /poll HTTP/3.0', 505, 'unsupported_version'],
    ['ahoy', 400, 'malformed_request'],
  ];
  for (const [line, status, code] of cases) {
    const connection = await openHeld(held);
    connection.socket.write(`${line}\r\nhost: x\r\n\r\n`);
    const response = await connection.response();
    assert.deepEqual([response.status, response.json.code], [status, code]);
    connection.socket.destroy();
  }
  const head = await fetch(`${held}/poll`, { method: 'HEAD' });
  assert.equal(head.status, 200);
});

test('events_carry_what_polls_do_and_resume_by_their_id', async (t) => {
  const { held, post } = await start(t, { SPRITES_PING_S: '2' });
  const one = await openHeld(held);
  one.get('/events');
  assert.match(
    await one.until(/retry: \d+\n\n/),
    /^HTTP\/1.1 200 OK\r\ncontent-type: text\/event-stream\r\n/,
  );
  const ticket = /"ticket":"([^"]+)"/.exec(await one.until(/data: .*\n\n/))?.[1];
  await one.until(/^:\n\n/);
  const two = await join(held);
  await post('/throw', { ticket: two.ticket, to: 'left', sprite: SPRITE });
  assert.match(
    await one.until(/data: .*\n\n/),
    new RegExp(`id: ${ticket}/1\ndata: {"next":1,"sprites":\\[{"from":"right"`),
  );
  one.socket.destroy();
  const again = await openHeld(held);
  again.get('/events', `last-event-id: ${ticket}/0\r\n`);
  assert.match(await again.until(/data: .*\n\n/), /"next":1,"sprites":\[{"from":"right"/);
  await post('/leave', { ticket });
  assert.match(await again.until(/event: end\ndata: .*\n\n/), /"gone":true/);
  await again.closed();
});

test('websocket_throws_acknowledges_and_is_told_what_is_wrong', async (t) => {
  const { held } = await start(t, { SPRITES_PING_S: '3' });
  const one = await openSocket(held, '?watch');
  const welcome = await one.message();
  const two = await openSocket(held);
  await two.message();
  assert.deepEqual(Object.keys((await one.message()).place.neighbours), ['right']);
  one.socket.send(JSON.stringify({ throw: { to: 'right', sprite: SPRITE } }));
  assert.deepEqual((await two.message()).sprites, [{ from: 'left', ...SPRITE }]);
  two.socket.send('{"acknowledge":1}');
  for (const [text, code] of [
    ['{', 'malformed_json'],
    ['{"throw":{"to":"off"}}', 'invalid_body'],
    ['{"acknowledge":-1}', 'invalid_body'],
    [Buffer.from('x'), 'invalid_body'],
  ]) {
    one.socket.send(text);
    assert.equal((await one.message()).problem.code, code);
  }
  await once(one.socket, 'ping');
  one.socket.close();
  await once(one.socket, 'close');
  const again = await openSocket(held, `?ticket=${welcome.ticket}&after=0`);
  const replaced = await openSocket(held, `?ticket=${welcome.ticket}&after=0`);
  const [code, reason] = await once(again.socket, 'close');
  assert.deepEqual([code, `${reason}`], [4000, 'replaced']);
  replaced.socket.terminate();
});

test('websocket_refused_says_why', async (t) => {
  const { held } = await start(t);
  const one = await openSocket(held, '?ticket=x');
  assert.equal((await one.message()).problem.code, 'malformed_ticket');
  const socket = new WebSocket(`${held.replace('http', 'ws')}/socket`);
  socket.on('open', () => socket.send('x'.repeat(2_000)));
  assert.deepEqual((await once(socket, 'close'))[0], 1009);
  const connection = await openHeld(held);
  connection.get('/socket');
  assert.match(await connection.closed(), /^HTTP\/1.1 400 /);
});

test('websocket_that_shows_no_life_is_cut', async (t) => {
  const { held } = await start(t, { SPRITES_PING_S: '2' });
  const one = new WebSocket(`${held.replace('http', 'ws')}/socket`, { autoPong: false });
  assert.equal((await once(one, 'close'))[0], 1006);
});

/** Reads nothing until it is told to. @param {string} held @param {string} head */
async function openSlow(held, head) {
  const { hostname, port } = new URL(held);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.pause();
  socket.write(
    `${head}\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  );
  return socket;
}

const MOST_UNSENT_BYTES = 64 * 1024;

/** What waits in the service because clients do not read. @param {{ figures: () => { unsent: number } }} service */
function unsentBytes(service) {
  return service.figures().unsent;
}

for (const way of ['events', 'socket']) {
  test(`slow_reader_of_${way}_holds_no_more_than_one_message_and_a_mailbox`, async (t) => {
    const { held, service } = await start(t, { SPRITES_MAIL: '16' }, 1_000);
    const slow = await openSlow(held, `GET /${way} HTTP/1.1`);
    while (service.clients.count === 0) await setImmediate();
    const thrower = await openSocket(held);
    await thrower.message();
    const text = JSON.stringify({ throw: { to: 'left', sprite: SPRITE } });
    // Until the queue of the kernel is full and the mailbox has overflowed; then as much again.
    const { counts } = service.clients;
    /** @param {number} count */
    async function throwAll(count) {
      const before = counts.thrown;
      for (let n = 0; n < count; n += 1) thrower.socket.send(text);
      while (counts.thrown < before + count) await setImmediate();
    }
    for (let round = 0; round < 100 && unsentBytes(service) === 0; round += 1) await throwAll(500);
    assert.ok(unsentBytes(service) > 0, 'the queue of the kernel never was full');
    await throwAll(2_000);
    assert.ok(unsentBytes(service) < MOST_UNSENT_BYTES, `${unsentBytes(service)} bytes`);
    // What it missed it is told, once it reads.
    let all = '';
    slow.setEncoding('utf8');
    slow.on('data', (chunk) => {
      all = (all + chunk).slice(-MOST_UNSENT_BYTES);
    });
    slow.resume();
    while (!all.includes('"missed":')) await once(slow, 'data');
    assert.ok(counts.missed > 1_000);
    slow.destroy();
  });
}

test('slow_reader_of_polls_is_served_nothing_more_until_it_reads', async (t) => {
  const { held, service } = await start(t, {}, 1_000);
  const { hostname, port } = new URL(held);
  const slow = connect(Number(port), hostname);
  await once(slow, 'connect');
  t.after(() => slow.destroy());
  slow.pause();
  const requests = 'HEAD /poll HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_000);
  // Responses are larger than requests, so they fill the queue of the kernel first; then this side cannot write any more.
  while (slow.writableLength === 0) {
    slow.write(requests);
    await setImmediate();
  }
  for (let round = 0; round < 100; round += 1) slow.write(requests);
  assert.ok(unsentBytes(service) < MOST_UNSENT_BYTES);
});
