// @ts-check
/** The service put together: its upstreams found, listening; and taken down in the reverse order. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { createApp } from './app.js';
import { ConfigError } from './config.js';
import { answerClientError } from './http/client-error.js';
import { createMetrics } from './metrics.js';
import { readDescription } from './page/description.js';
import { flowTimeout } from './page/flow.js';
import { createOverview } from './page/overview.js';
import { Scope } from './page/scope.js';
import { createCaller } from './upstream/caller.js';
import { findUpstreams } from './upstream/directory.js';
import { createHttpTransport } from './upstream/http.js';

/** @import { Config } from './config.js' */
/** @import { Description } from './page/description.js' */

/** Above the idle time of common load generators and proxies, so that it is they who close a connection. */
const KEEP_ALIVE_MS = 65_000;
/** For a whole request, and so for an open connection that never sends one. */
const REQUEST_MS = 66_000;
const SWEEP_MS = 20;
const WARM_UP_AT_ONCE = 15;

/**
 * @param {Config} config
 * @param {import('pino').DestinationStream} [logTo] stdout if not given
 * @returns {Promise<{ url: string, control: string, stop: () => Promise<void> }>} `control` is where the simulated
 *   upstreams are switched; `stop` finishes what is in flight and releases everything
 */
export async function startService(config, logTo = pino.destination({ dest: 1, sync: false })) {
  const log = pino({ level: config.log_level }, logTo);
  const description = readDescription(config.description);
  if (config.composition === 'flow') checkFlow(config, description);
  const upstreams = await findUpstreams(config.upstreams);
  try {
    checkUpstreams(config, description, upstreams.origins);
    const { app, transport, overview, refuse } = assemble(config, description, upstreams.origins, log);
    await warmUp(overview, config.warm_up_pages);
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS },
      app.handle,
    );
    server.on('clientError', answerClientError);
    server.listen(config.port, config.host);
    await once(server, 'listening');
    const url = urlOf(server);
    log.info({ url, control: upstreams.control }, 'listening');
    return {
      url,
      control: upstreams.control,
      async stop() {
        refuse('the service is stopping');
        app.drain();
        await closeServer(server, config.shutdown_grace_ms);
        transport.close();
        upstreams.release();
        log.info('stopped');
      },
    };
  } catch (error) {
    upstreams.release();
    throw error;
  }
}

/** @param {Config} config @param {Description} description */
function checkFlow(config, { deadline_ms, blocks }) {
  const needed_ms = flowTimeout(blocks.map(({ calls }) => calls));
  if (deadline_ms >= needed_ms) return;
  throw new ConfigError(
    `${config.description}: in a flow, deadline_ms must be at least ${needed_ms}, the longest timeouts of all blocks, ` +
      `or a page that is late would lose everything; found ${deadline_ms}`,
  );
}

/** @param {Config} config @param {Description} description @param {Map<string, string>} origins */
function checkUpstreams(config, { blocks }, origins) {
  const unknown = blocks.flatMap(({ calls }) => calls).find(({ upstream }) => !origins.has(upstream));
  if (unknown === undefined) return;
  throw new ConfigError(
    `${config.description}: there is no upstream "${unknown.upstream}"; there are ${[...origins.keys()].join(', ')}`,
  );
}

/**
 * @param {Config} config
 * @param {Description} description
 * @param {Map<string, string>} origins
 * @param {import('pino').Logger} log
 */
function assemble(config, description, origins, log) {
  const transport = createHttpTransport(config.connections);
  /** @type {string | undefined} */
  let refusal;
  const overview = createOverview(createCaller(transport, origins), description, config.composition);
  const app = createApp({
    overview,
    most_in_flight: config.pages_in_flight,
    metrics: createMetrics({
      overview_connections_opened_total: { help: 'Connections to upstreams.', value: transport.opened },
    }),
    log,
    readiness: () => refusal,
  });
  return {
    app,
    transport,
    overview,
    /** @param {string} reason why the service is not ready from now on */
    refuse(reason) {
      refusal = reason;
    },
  };
}

/**
 * Pages that nobody asked for, so that the first ones that somebody does ask for find compiled code and open
 * connections.
 * @param {ReturnType<typeof createOverview>} overview
 * @param {number} pages
 */
async function warmUp(overview, pages) {
  let left = pages;
  async function work() {
    while (left > 0) {
      left -= 1;
      await overview('warm-up', new Scope());
    }
  }
  await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, work));
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
