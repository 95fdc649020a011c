// @ts-check
/** The service put together: its upstreams found, listening; and taken down in the reverse order. */

import { listen } from '@plimsoll/service-common/listening.js';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { pino } from 'pino';
import { createApp } from './app.js';
import { Problem } from './errors.js';
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
    const { url, close } = await listen(app.handle, { ...config, Problem });
    log.info({ url, control: upstreams.control }, 'listening');
    return {
      url,
      control: upstreams.control,
      async stop() {
        refuse('the service is stopping');
        app.drain();
        await close(config.shutdown_grace_ms);
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
    metrics: createMetrics(
      description.blocks.flatMap(({ calls }) => calls.map(({ upstream }) => upstream)),
      { overview_connections_opened_total: { help: 'Connections to upstreams.', value: transport.opened } },
    ),
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
