// @ts-check
/** The persister put together: source, store, loop, and a port for its health and metrics. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { renderMetrics } from '@plimsoll/service-common/metrics.js';
import { pino } from 'pino';
import { openRedis } from '../redis/connection.js';
import { openMongoStore } from '../store/mongodb.js';
import { createListSource } from './list.js';
import { startLoop } from './loop.js';

/** @import { Config } from '../config.js' */

/** A bulk of some hundred profiles may take this long. */
const STORE_MS = 30_000;

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startPersister(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const source = await openSource(config, log);
  const store = await openMongoStore({ url: config.mongodb_url, timeout_ms: STORE_MS }).catch(
    async (error) => {
      await source.close();
      throw error;
    },
  );
  const loop = startLoop({
    source,
    store,
    interval_ms: config.flush_interval_ms,
    onError: (err) => log.error({ err }, 'failed to store profiles; will try again'),
  });
  const server = createServer(async (req, res) => {
    const { status, body } = await respond(req.url ?? '');
    res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(body);
  });

  /** @param {string} path */
  async function respond(path) {
    if (path === '/health/live') return { status: 200, body: 'live\n' };
    if (path === '/health/ready')
      return loop.failed()
        ? { status: 503, body: 'the last batch failed\n' }
        : { status: 200, body: 'ready\n' };
    if (path === '/metrics') return { status: 200, body: await metrics() };
    return { status: 404, body: 'there is nothing at this path\n' };
  }

  async function metrics() {
    const waiting = await source.waiting().catch(() => Number.NaN);
    const { batches, profiles, failures } = loop.counts;
    return renderMetrics([], {
      profile_queue_waiting: { help: 'Changes that wait to be stored.', value: () => waiting },
      profile_store_batches_total: { help: 'Batches stored.', value: () => batches },
      profile_store_profiles_total: { help: 'Profiles stored.', value: () => profiles },
      profile_store_failures_total: { help: 'Batches that failed.', value: () => failures },
      profile_store_up: { help: 'Whether the store can be reached.', value: () => Number(store.healthy()) },
    });
  }

  async function stop() {
    await loop.stop();
    server.close();
    server.closeAllConnections();
    await Promise.all([source.close(), store.close()]);
    log.info('stopped');
  }

  try {
    server.listen(config.persister_port, config.host);
    await once(server, 'listening');
  } catch (error) {
    await stop();
    throw error;
  }
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  log.info({ url, name: config.persister_name, handover: config.handover }, 'persisting');
  return { url, stop };
}

/** @param {Config} config @param {import('pino').Logger} log */
async function openSource(config, log) {
  const most = config.flush_batch;
  if (config.handover === 'zeromq') {
    const { openReceiver } = await import('../handover/zeromq.js');
    const receiver = await openReceiver({ url: config.zeromq_url, most });
    return { ...receiver, waiting: async () => 0 };
  }
  const connection = await openRedis({
    url: config.redis_url,
    timeout_ms: config.redis_timeout_ms,
    log,
  });
  const source = createListSource({
    connection,
    name: config.persister_name,
    most,
    ttl_ms: config.cache_ttl_ms,
  });
  return { ...source, close: connection.close };
}
