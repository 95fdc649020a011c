// @ts-check
/** The HTTP server of a service: opened with its time limits, closed without losing a response. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { clientErrorResponder } from './client-error.js';

/** @import { RequestListener, Server } from 'node:http' */
/** @import { AnyProblemClass } from './problem.js' */

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
const REQUEST_MS = 66_000;
const SWEEP_MS = 20;

/**
 * @param {RequestListener} handle
 * @param {object} options
 * @param {string} options.host
 * @param {number} options.port 0 takes a free one
 * @param {AnyProblemClass} options.Problem for what is no request
 * @returns {Promise<{ url: string, close: (grace_ms: number) => Promise<void> }>} rejects if the port cannot be had
 */
export async function listen(handle, { host, port, Problem }) {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
    handle,
  );
  server.on('clientError', clientErrorResponder(Problem));
  server.listen(port, host);
  await once(server, 'listening');
  return { url: urlOf(server), close: (grace_ms) => close(server, grace_ms) };
}

/** @param {Server} server */
function urlOf(server) {
  const { address, family, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Takes no more connections and waits for the responses that are due.
 * @param {Server} server
 * @param {number} grace_ms after which connections are cut
 */
async function close(server, grace_ms) {
  const closed = once(server, 'close');
  server.close();
  // A response on its way when the server closed leaves its connection open and idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
