// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startIoc } from '../lab/ioc.js';
import { eventText, openEventStream } from '../src/http/event-stream.js';
import { events, start, until } from './support.js';

/** @type {import('../lab/ioc.js').Ioc} */
let ioc;
before(async () => {
  ioc = await startIoc();
});
after(() => ioc.stop());

test('first everything, then what changed', async (t) => {
  const { url, metric } = await start(t, ioc.env);
  const res = await fetch(`${url}/events?pv=BL:M10,BL:S02&interval_ms=50`);
  assert.equal(res.headers.get('content-type'), 'text/event-stream');
  const coming = events(res);
  const first = (await coming.next()).value;
  assert.deepEqual([first?.event, first?.id, first?.data.counts.ok], ['snapshot', 1, 2]);
  ioc.set('BL:S02', 0);
  const second = (await coming.next()).value;
  assert.equal(second?.event, 'changes');
  assert.deepEqual(
    second?.data.pvs.map((/** @type {any} */ { name, label }) => ({ name, label })),
    [{ name: 'BL:S02', label: 'Closed' }],
  );
  assert.equal(await metric('snapshot_streams'), 1);
  await coming.return(undefined);
  await until(
    () => metric('snapshot_streams'),
    (count) => count === 0,
  );
});

test('one client more than is allowed is told so', async (t) => {
  const { url, ask } = await start(t, { ...ioc.env, SNAPSHOT_MAX_STREAMS: '1' });
  const coming = events(await fetch(`${url}/events?pv=BL:M01`));
  await coming.next();
  const { status, json } = await ask('/events?pv=BL:M01');
  assert.deepEqual([status, json.code], [503, 'too_many_streams']);
  await coming.return(undefined);
});

test('streams end when the service stops', async (t) => {
  const { url, stop } = await start(t, ioc.env);
  const coming = events(await fetch(`${url}/events?pv=BL:M01`));
  await coming.next();
  const stopped = stop();
  assert.equal((await coming.next()).done, true);
  await stopped;
});

/**
 * A stream to a client that can stop reading.
 * @param {import('node:test').TestContext} t
 * @param {number} stall_ms
 */
async function openStream(t, stall_ms) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const client = connect(port, '127.0.0.1').pause();
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const [, res] = await once(server, 'request');
  t.after(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });
  return { client, stream: openEventStream(res, stall_ms) };
}

/** More than the buffers of a socket take. */
const LARGE = eventText('changes', 2, 'x'.repeat(32 * 2 ** 20));

test('a slow client holds up the writer, not the memory', async (t) => {
  const { client, stream } = await openStream(t, 60_000);
  let sent = false;
  const sending = stream.send(LARGE).then(() => {
    sent = true;
  });
  await once(client, 'readable');
  assert.equal(sent, false);
  client.resume();
  await sending;
  assert.equal(stream.stalled(), false);
});

test('a client that reads nothing is cut', async (t) => {
  const { stream } = await openStream(t, 20);
  await stream.send(LARGE);
  assert.equal(stream.stalled(), true);
  assert.ok(stream.signal.aborted);
  await stream.send(': nobody is there\n\n');
});

test('a client that leaves while we wait for it ends the wait', async (t) => {
  const { client, stream } = await openStream(t, 60_000);
  const sending = stream.send(LARGE);
  client.destroy();
  await sending;
  assert.ok(stream.signal.aborted);
  assert.equal(stream.stalled(), false);
});
