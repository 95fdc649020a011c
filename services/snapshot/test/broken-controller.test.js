// @ts-check
/** Something responds to the search and then does not behave as a controller: the service says dead, and lives. */
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { start } from './support.js';

const HEADER_BYTES = 16;
const SEARCH = 6;

/**
 * Responds to every search with the port of a TCP server that does with a connection as it likes.
 * @param {import('node:test').TestContext} t
 * @param {(socket: import('node:net').Socket) => void} onConnection
 * @param {Buffer[]} noise sent before each response
 */
async function startImpostor(t, onConnection, noise = []) {
  const tcp = createServer(onConnection).listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (tcp.address());
  const udp = createSocket('udp4');
  udp.on('message', (message, from) => {
    for (const datagram of noise) udp.send(datagram, from.port);
    for (let at = 0; at + HEADER_BYTES <= message.length; at += HEADER_BYTES + message.readUInt16BE(at + 2)) {
      if (message.readUInt16BE(at) === SEARCH) udp.send(found(port, message.readUInt32BE(at + 8)), from.port);
    }
  });
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  t.after(() => {
    udp.close();
    tcp.close();
  });
  return { EPICS_CA_SERVER_PORT: `${udp.address().port}` };
}

/** @param {number} port @param {number} channel that was searched; the response to a search, its payload the version */
function found(port, channel) {
  const response = Buffer.alloc(HEADER_BYTES + 8);
  response.writeUInt16BE(SEARCH, 0);
  response.writeUInt16BE(8, 2);
  response.writeUInt16BE(port, 4);
  response.writeUInt32BE(0xffffffff, 8);
  response.writeUInt32BE(channel, 12);
  response.writeUInt16BE(13, HEADER_BYTES);
  return response;
}

for (const [what, onConnection] of /** @type {[string, (socket: import('node:net').Socket) => void][]} */ ([
  ['closes the connection', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['closes it in the middle of the handshake', (socket) => socket.once('data', () => socket.end())],
  ['responds with zeroes', (socket) => socket.end(Buffer.alloc(64))],
  ['responds with noise', (socket) => socket.end(Buffer.alloc(64, 0xa7))],
])) {
  test(`a controller that ${what} is dead`, async (t) => {
    let connections = 0;
    const env = await startImpostor(t, (socket) => {
      connections += 1;
      socket.on('error', () => {});
      onConnection(socket);
    });
    const { ask } = await start(t, env);
    const { status, json } = await ask('/snapshot?pv=BL:M01,BL:M02&timeout_ms=500');
    assert.equal(status, 200);
    assert.equal(json.counts.disconnected, 2);
    assert.ok(connections > 0);
    assert.equal((await ask('/health/live')).status, 200);
  });
}

test('datagrams that mean nothing are left alone', async (t) => {
  const noise = [0x00, 0x06, 0xca, 0xff].flatMap((byte) =>
    Array.from({ length: 48 }, (_, length) => Buffer.alloc(length, byte)),
  );
  const env = await startImpostor(t, (socket) => socket.end(), noise);
  const { ask } = await start(t, env);
  const { json } = await ask('/snapshot?pv=BL:M01&timeout_ms=500');
  assert.equal(json.counts.disconnected, 1);
  assert.equal((await ask('/health/live')).status, 200);
});
