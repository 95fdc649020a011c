// @ts-check
/** The service put together: Channel Access opened, listening; and taken down in the reverse order. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { createApp } from './app.js';
import { createChannels } from './ca/channels.js';
import { openClient } from './ca/client.js';
import { readGroups } from './groups.js';
import { answerClientError } from './http/client-error.js';
import { createMetrics } from './metrics.js';

/** @import { Config } from './config.js' */
/** @import { EventStream } from './http/event-stream.js' */

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
const REQUEST_MS = 66_000;
const SWEEP_MS = 20;

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} `stop` finishes what is in flight
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const groups = readGroups(config.groups_file);
  const log = pino({ level: config.log_level }, logTo);
  const client = await openClient(config);
  try {
    const channels = createChannels({ client, limit: config.max_channels });
    /** @type {Set<EventStream>} */
    const streams = new Set();
    const metrics = createMetrics({
      snapshot_channels_connected: {
        help: 'Process variables that are connected.',
        value: () => channels.counts().connected,
      },
      snapshot_channels_searching: {
        help: 'Process variables that are searched at this moment.',
        value: () => channels.counts().searching,
      },
      snapshot_streams: { help: 'Clients that follow events.', value: () => streams.size },
    });
    /** @type {string | undefined} */
    let refusal;
    const app = createApp({
      channels,
      groups,
      metrics,
      streams,
      log,
      bounds: config,
      readiness: () => refusal ?? (client.isOpen() ? undefined : 'the sockets of Channel Access have failed'),
    });
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
      app.handle,
    );
    server.on('clientError', answerClientError);
    server.listen(config.port, config.host);
    await once(server, 'listening');
    const url = urlOf(server);
    log.info({ url, ca_addresses: config.ca_addresses, ca_port: config.ca_port }, 'listening');
    return {
      url,
      async stop() {
        refusal = 'the service is stopping';
        app.drain();
        await closeServer(server, config.shutdown_grace_ms);
        channels.clear();
        client.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** @param {import('node:http').Server} server */
function urlOf(server) {
  const { address, family, port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/**
 * Takes no more connections and waits for the answers that are due.
 * @param {import('node:http').Server} server
 * @param {number} grace_ms after which connections are cut
 */
async function closeServer(server, grace_ms) {
  const closed = once(server, 'close');
  server.close();
  // An answer on its way when the server closed leaves its connection open and idle.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), grace_ms);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
