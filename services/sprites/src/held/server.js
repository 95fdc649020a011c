// @ts-check
/** The port that holds clients: sockets of node:net, with listeners that all of them share. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { Connection } from './connection.js';
import { createUpgrade } from './websocket.js';

/** @import { Socket } from 'node:net' */
/** @import { Clients } from '../clients/clients.js' */
/** @import { Port } from './connection.js' */

/** For a connection to show a client; so long may a request take to arrive. */
const FRESH_TICKS = 66;
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
 * @param {number} options.connections at most; others are closed at once
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
  connections,
  ping_ticks,
  idle_ticks,
  message_bytes,
  count,
}) {
  /** @type {Port} */
  const shared = {
    clients,
    ping_ticks,
    idle_ticks,
    fresh: new Set(),
    count,
    upgrade: createUpgrade(() => shared, message_bytes),
  };
  let open = 0;
  let refused = 0;
  /** @type {Set<Socket>} */
  const sockets = new Set();
  // Without noDelay a sprite could wait for the acknowledgement of the one before. With another mark than this the event
  // drain would not come for the few bytes after which nothing more is written to a slow reader.
  const server = createServer({ noDelay: true, highWaterMark: 1 });
  server.maxConnections = connections;
  server.on('drop', () => {
    refused += 1;
  });
  server.on('connection', (socket) => {
    const held = /** @type {HeldSocket} */ (socket);
    open += 1;
    sockets.add(held);
    const connection = new Connection(shared, held);
    shared.fresh.add(connection);
    held[connectionOf] = connection;
    held.on('data', receive);
    held.on('drain', drained);
    held.on('error', ignore);
    held.on('close', closed);
  });

  /** @this {Socket} */
  function closed() {
    open -= 1;
    sockets.delete(this);
    /** @type {HeldSocket} */ (this)[connectionOf].closed();
  }

  server.listen({ host, port, backlog: BACKLOG, exclusive: true });
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());

  return {
    url: `http://${public_host ?? (address.family === 'IPv6' ? `[${address.address}]` : address.address)}:${address.port}`,
    counts: {
      open: () => open,
      refused: () => refused,
      /** Bytes that wait in this process because clients do not read. */
      unsent: () => {
        let bytes = 0;
        for (const socket of sockets) bytes += socket.writableLength;
        return bytes;
      },
    },
    /** Closes what was opened and has shown no client in time. */
    tick() {
      for (const connection of shared.fresh) {
        connection.age += 1;
        if (connection.age > FRESH_TICKS) connection.socket.destroy();
      }
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
