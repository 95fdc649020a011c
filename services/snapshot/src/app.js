// @ts-check
/** The application: a function from a request to a response. It knows no port, no process and no environment. */

import { createHandler } from '@plimsoll/service-common/handler.js';
import { healthRoutes } from '@plimsoll/service-common/health.js';
import { Problem } from './errors.js';
import { follow } from './follow.js';
import { openEventStream } from './http/event-stream.js';
import { createQueryReaders } from './http/query.js';
import { takeSnapshot } from './snapshot.js';

/** @import { ServerResponse } from 'node:http' */
/** @import { Exchange, Reply } from '@plimsoll/service-common/router.js' */
/** @import { EventStream } from './http/event-stream.js' */

const DEFAULT_INTERVAL_MS = 1_000;

/**
 * @typedef {object} Parts
 * @property {import('./ca/channels.js').Channels} channels
 * @property {import('./groups.js').Groups} groups
 * @property {import('./metrics.js').Metrics} metrics
 * @property {Set<EventStream>} streams that are open; kept by the app, so that others can count and end them
 * @property {import('pino').Logger} log
 * @property {Pick<import('./config.js').Config, 'timeout_ms' | 'max_pvs' | 'max_streams' | 'stall_ms'>} bounds
 * @property {() => string | undefined} readiness what stands in the way of requests
 */

/** @param {Parts} parts */
export function createApp({ channels, groups, metrics, streams, log, bounds, readiness }) {
  const read = createQueryReaders({ groups, max_pvs: bounds.max_pvs });
  const { handle, drain } = createHandler({
    routes: [
      { pattern: '/snapshot', methods: { GET: sendSnapshot } },
      { pattern: '/events', methods: { GET: sendEvents } },
      ...healthRoutes({ Problem, readiness, exposition: metrics.toText }),
    ],
    Problem,
    metrics,
    log,
  });
  let draining = false;

  /** @param {Exchange} exchange @returns {Promise<Reply>} */
  async function sendSnapshot({ search, res }) {
    const { wanted, timeout_ms = bounds.timeout_ms } = read.snapshot(search);
    const snapshot = await takeSnapshot({ channels, wanted, timeout_ms, signal: closed(res) });
    metrics.snapshot(snapshot);
    return { status: 200, headers: ['content-type', 'application/json'], body: JSON.stringify(snapshot) };
  }

  /** @param {Exchange} exchange @returns {Promise<Reply | undefined>} */
  async function sendEvents({ search, req, res }) {
    const query = read.events(search);
    const { wanted, timeout_ms = bounds.timeout_ms, interval_ms = DEFAULT_INTERVAL_MS } = query;
    if (draining) throw new Problem('not_ready', 'the service is stopping');
    if (streams.size >= bounds.max_streams) {
      throw new Problem(
        'too_many_streams',
        `found ${streams.size}, expected fewer than ${bounds.max_streams}`,
      );
    }
    if (req.method === 'HEAD')
      return { status: 200, headers: ['content-type', 'text/event-stream'], body: '' };
    const stream = openEventStream(res, bounds.stall_ms);
    streams.add(stream);
    try {
      await follow({ channels, wanted, timeout_ms, interval_ms, stream, taken: metrics.snapshot });
    } finally {
      streams.delete(stream);
      if (stream.stalled()) metrics.stalledClient();
      stream.end();
    }
  }

  return {
    handle,
    /** From now on each response closes its connection, and streams end. */
    drain() {
      draining = true;
      drain();
      for (const stream of streams) stream.end();
    },
  };
}

/** @param {ServerResponse} res @returns {AbortSignal} aborted when the client has gone before its response */
function closed(res) {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
