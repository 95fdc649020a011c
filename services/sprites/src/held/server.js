// @ts-check
/** The port that holds clients: sockets of node:net, with listeners that all of them share. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { Connection } from './connection.js';
import { createUpgrade } from './websocket.js';

/** @import { Socket } from 'node:net' */
/** @import { Clients } from '../clients/clients.js' */
/** @import { Guard } from '../guard/guard.js' */
/** @import { Port } from './connection.js' */

/** For a connection to show a client; so long may a request take to arrive. */
const FRESH_TICKS = 66;
/** For a client to close a connection after its last response. One that left its end open would keep its place for good. */
const LINGER_TICKS = 2;
/** The queue of connections that the kernel has opened and this process has not taken yet. */
const BACKLOG = 4096;

const connectionOf = Symbol('connection');

/** @typedef {Socket & { [connectionOf]: Connection }} HeldSocket */

/**
 * @param {object} options
 * @param {string} options.host
 * @param {string | undefined} options.public_host in the URL, if not the address
 * @param {number} options.port 0 takes a free one
 * @param {Clients} options.clients
 * @param {Guard} options.guard
 * @param {number} options.connections at most
 * @param {number} options.ping_ticks
 * @param {number} options.idle_ticks
 * @param {number} options.message_bytes
 * @param {Port['count']} options.count
 */
export async function listenHeld({
  host,
  public_host,
  port,
  clients,
  guard,
  connections,
  ping_ticks,
  idle_ticks,
  message_bytes,
  count,
}) {
  const gate = guard.gate(connections);
  let now = 0;
  /** @type {Map<Socket, number>} the tick in which a connection is cut, of those that have no client yet or no more */
  const expiring = new Map();
  /** @type {Port} */
  const shared = {
    clients,
    guard,
    gate,
    ping_ticks,
    idle_ticks,
    expect: (socket) => void expiring.set(socket, now + FRESH_TICKS),
    ended: (socket) => void expiring.set(socket, now + LINGER_TICKS),
    keep: (socket) => void expiring.delete(socket),
    count,
    upgrade: createUpgrade(() => shared, message_bytes),
  };
  /** @type {Set<Socket>} */
  const sockets = new Set();
  // Without noDelay a sprite could wait for the acknowledgement of the one before. With another mark than this the event
  // drain would not come for the few bytes after which nothing more is written to a slow reader.
  const server = createServer({ noDelay: true, highWaterMark: 1 });
  server.on('connection', (socket) => {
    const held = /** @type {HeldSocket} */ (socket);
    const tally = gate.enter(guard.addressOf(held));
    const refusal = gate.refusal(tally);
    sockets.add(held);
    held[connectionOf] = new Connection(shared, held, tally, refusal);
    if (refusal === undefined) shared.expect(held);
    else shared.ended(held);
    held.on('data', receive);
    held.on('drain', drained);
    held.on('error', ignore);
    held.on('close', closed);
    if (gate.isFlooded(tally)) held.destroy();
  });

  /** @this {Socket} */
  function closed() {
    sockets.delete(this);
    expiring.delete(this);
    /** @type {HeldSocket} */ (this)[connectionOf].closed();
  }

  server.listen({ host, port, backlog: BACKLOG, exclusive: true });
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    url: `http://${public_host ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address)}:${address.port}`,
    counts: {
      open: () => gate.open,
      refused: () => gate.refused,
      /** Bytes that wait in this process because clients do not read. */
      unsent: () => {
        let bytes = 0;
        for (const socket of sockets) bytes += socket.writableLength;
        return bytes;
      },
    },
    /** Cuts what has shown no client in time, and what has been told all and does not close. */
    tick() {
      now += 1;
      for (const [socket, end] of expiring) if (end < now) socket.destroy();
    },
    async close() {
      const ended = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await ended;
    },
  };
}

/** @this {Socket} @param {Buffer} bytes */
function receive(bytes) {
  /** @type {HeldSocket} */ (this)[connectionOf].receive(bytes);
}

/** @this {Socket} */
function drained() {
  /** @type {HeldSocket} */ (this)[connectionOf].drained();
}

/** The socket is closed after an error, and that is when something is done. */
function ignore() {}
