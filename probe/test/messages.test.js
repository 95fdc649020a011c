// @ts-check
// Messages on WebSockets, and what is kept for who sends them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { counter, markedLine, nodes, service, sitesOf, startService } from './support.js';

const CLIENTS = 4;
const MESSAGES = 10;
const SAID = 'is anybody there?';
const file = service('messages.cjs');

for (const { version, node } of nodes) {
  test(`Node.js ${version}: messages are counted that come, that are sent, and that are compressed`, async (t) => {
    const { connection, url } = await startService(t, { node, file });
    await talk(`${url}/plain`, false);
    const { requests } = await connection.report();
    assert.deepEqual(messagesOf(requests), [MESSAGES, MESSAGES * CLIENTS, 0]);
    await talk(`${url}/compressed`, true);
    const { requests: then } = await connection.report();
    assert.deepEqual(messagesOf(then), [2 * MESSAGES, 2 * MESSAGES * CLIENTS, MESSAGES * CLIENTS]);
  });

  test(`Node.js ${version}: who sends what is compressed is seen`, async (t) => {
    const { connection, url } = await startService(t, { node, file });
    await talk(`${url}/plain`, false);
    const name = 'ws PerMessageDeflate.compress';
    assert.equal(counter(await connection.report(), name)?.calls ?? 0, 0);
    await talk(`${url}/compressed`, true);
    const report = await connection.report();
    const found = counter(report, name);
    assert.deepEqual([found?.calls, found?.bytes], [MESSAGES * CLIENTS, MESSAGES * CLIENTS * SAID.length]);
    const lines = sitesOf(connection, report, name).map(({ own }) => [own?.file, own?.line]);
    assert.deepEqual(lines, [[file, markedLine(file, 'send')]]);
  });

  test(`Node.js ${version}: who adds listeners and rooms that stay is seen`, async (t) => {
    const { connection, url } = await startService(t, { node, file });
    await talk(`${url}/plain`, false);
    const socket = io(url, { path: '/rooms', transports: ['websocket'] });
    t.after(() => socket.disconnect());
    for (let count = 0; count < 20; count += 1) await socket.emitWithAck('ask');
    const report = await connection.report();
    for (const [name, marked, most] of /** @type {const} */ ([
      ['EventEmitter.on', 'listener', 3 * MESSAGES],
      ['Socket.join', 'room', 20],
    ])) {
      const sites = sitesOf(connection, report, name);
      assert.deepEqual(
        sites.map(({ own }) => [own?.file, own?.line]),
        [[file, markedLine(file, marked)]],
      );
      // A gauge, which each message puts back.
      const kept = connection.messages
        .flatMap(({ type, sites }) => (type === 'counters' ? sites : []))
        .flatMap((site) => (site.id === sites[0]?.id && site.kept ? [site.kept] : []));
      assert.ok(kept.length > 0 && kept.every((many) => many >= 16 && many <= most), `${name}: ${kept}`);
    }
  });
}

/** @param {any} requests */
const messagesOf = ({ messages, messages_sent, messages_compressed }) => [
  messages,
  messages_sent,
  messages_compressed,
];

/** Several clients; one says something several times, and all hear it. @param {string} url @param {boolean} perMessageDeflate */
async function talk(url, perMessageDeflate) {
  const clients = Array.from(
    { length: CLIENTS },
    () => new WebSocket(url.replace('http', 'ws'), { perMessageDeflate }),
  );
  await Promise.all(clients.map((client) => once(client, 'open')));
  for (let count = 0; count < MESSAGES; count += 1) {
    const heard = clients.map((client) => once(client, 'message'));
    clients[0]?.send(SAID);
    await Promise.all(heard);
  }
  for (const client of clients) client.terminate();
}
