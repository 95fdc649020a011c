// @ts-check
/** The HTTP server of a service: opened with its time limits, closed without losing a response. */

import { once } from 'node:events';
import { createServer } from './servers.js';
import { keepSessions } from './sessions.js';

/** @import { RequestListener } from 'node:http' */
/** @import { Socket } from 'node:net' */
/** @import { AnyProblemClass } from './problem.js' */
/** @import { AnyServer } from './servers.js' */
/** @import { Transport } from './transport.js' */

const SWEEP_MS = 20;

/**
 * @param {RequestListener} handle
 * @param {object} options
 * @param {string} options.host
 * @param {number} options.port 0 takes a free one
 * @param {boolean} [options.exclusive] whether each process of a cluster has a port of its own; otherwise they share it
 * @param {(socket: Socket) => void} [options.connected] is handed each connection before its first request
 * @param {Transport['http']} [options.http]
 * @param {Transport['tls']} [options.tls]
 * @param {AnyProblemClass} options.Problem for what is no request
 * @returns {Promise<{ url: string, close: (grace_ms: number) => Promise<void> }>} rejects if the port cannot be had or
 *   the certificate cannot be used
 */
export async function listen(
  handle,
  { host, port, exclusive = false, connected = () => {}, http = '1.1', tls, Problem },
) {
  const server = await createServer({ http, tls }, Problem);
  const sessions = keepSessions(server, Problem);
  const sockets = keepSockets(server);
  server.on('request', handle);
  server.on('connection', connected);
  server.listen({ port, host, exclusive });
  await once(server, 'listening');

  return {
    url: urlOf(server, tls === undefined ? 'http' : 'https'),
    async close(grace_ms) {
      const closed = once(server, 'close');
      server.close();
      sessions.close();
      // A response on its way when the server closed leaves its connection open and idle.
      const sweep = setInterval(() => closeIdle(server), SWEEP_MS);
      const cut = setTimeout(() => sockets.cut(), grace_ms);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** Where a server listens. @param {AnyServer} server @param {string} scheme */
export function urlOf(server, scheme) {
  const { address, family, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Connections of HTTP/1.1, of which a server that speaks HTTP/2 alone has none. @param {AnyServer} server */
function closeIdle(server) {
  if ('closeIdleConnections' in server) server.closeIdleConnections();
}

/** Every connection, be it in the middle of a handshake. @param {AnyServer} server */
function keepSockets(server) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  server.on('connection', (/** @type {Socket} */ socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
