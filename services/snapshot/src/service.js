// @ts-check
/** The service put together: Channel Access opened, listening; and taken down in the reverse order. */

import { listen } from '@plimsoll/service-common/listening.js';
import { pino } from 'pino';
import { createApp } from './app.js';
import { createChannels } from './ca/channels.js';
import { openClient } from './ca/client.js';
import { Problem } from './errors.js';
import { readGroups } from './groups.js';
import { createMetrics } from './metrics.js';

/** @import { Config } from './config.js' */
/** @import { EventStream } from './http/event-stream.js' */

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
    const { url, close } = await listen(app.handle, { ...config, Problem });
    log.info({ url, ca_addresses: config.ca_addresses, ca_port: config.ca_port }, 'listening');
    return {
      url,
      async stop() {
        refusal = 'the service is stopping';
        app.drain();
        await close(config.shutdown_grace_ms);
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
