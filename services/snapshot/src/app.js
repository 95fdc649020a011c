// @ts-check
/** The application: a function from a request to an answer. It knows no port, no process and no environment. */

import { Problem } from './errors.js';
import { follow } from './follow.js';
import { openEventStream } from './http/event-stream.js';
import { createQueryReaders } from './http/query.js';
import { takeSnapshot } from './snapshot.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { EventStream } from './http/event-stream.js' */

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
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
  const logRequests = log.isLevelEnabled('info');
  let draining = false;

  /** @type {Record<string, (exchange: { search: string, res: ServerResponse }) => Promise<void> | void>} */
  const routes = {
    '/snapshot': answerSnapshot,
    '/events': answerEvents,
    '/health/live': ({ res }) => send(res, 200, TEXT, 'live\n'),
    '/health/ready': ({ res }) => {
      const obstacle = readiness();
      if (obstacle !== undefined) throw new Problem('not_ready', obstacle);
      send(res, 200, TEXT, 'ready\n');
    },
    '/metrics': ({ res }) => send(res, 200, METRICS_TYPE, metrics.toText()),
  };

  /** @param {{ search: string, res: ServerResponse }} exchange */
  async function answerSnapshot({ search, res }) {
    const { wanted, timeout_ms = bounds.timeout_ms } = read.snapshot(search);
    const snapshot = await takeSnapshot({ channels, wanted, timeout_ms, signal: closed(res) });
    metrics.snapshot(snapshot);
    send(res, 200, JSON_TYPE, JSON.stringify(snapshot));
  }

  /** @param {{ search: string, res: ServerResponse }} exchange */
  async function answerEvents({ search, res }) {
    const query = read.events(search);
    const { wanted, timeout_ms = bounds.timeout_ms, interval_ms = DEFAULT_INTERVAL_MS } = query;
    if (draining) throw new Problem('not_ready', 'the service is stopping');
    if (streams.size >= bounds.max_streams) {
      throw new Problem(
        'too_many_streams',
        `found ${streams.size}, expected fewer than ${bounds.max_streams}`,
      );
    }
    if (res.req.method === 'HEAD') {
      send(res, 200, 'text/event-stream', '');
      return;
    }
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

  /** @param {IncomingMessage} req @param {ServerResponse} res */
  async function handle(req, res) {
    const started_ms = logRequests ? performance.now() : 0;
    const url = req.url ?? '';
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const route = Object.hasOwn(routes, path) ? path : 'none';
    try {
      if (route === 'none') throw new Problem('path_not_found');
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        throw new Problem('method_not_allowed', `found ${req.method}, expected GET or HEAD`, {
          headers: { allow: 'GET, HEAD' },
        });
      }
      await routes[path]({ search: mark === -1 ? '' : url.slice(mark + 1), res });
    } catch (error) {
      refuse(error, req, res);
    }
    metrics.request(route, res.statusCode);
    if (logRequests) {
      const answer_ms = performance.now() - started_ms;
      log.info({ method: req.method, url, status: res.statusCode, answer_ms }, 'answered');
    }
  }

  /** @param {unknown} error @param {IncomingMessage} req @param {ServerResponse} res */
  function refuse(error, req, res) {
    if (!(error instanceof Problem)) {
      log.error({ err: error, method: req.method, url: req.url }, 'request failed');
    }
    // The answer has begun: all that is left is to break it off.
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const problem = error instanceof Problem ? error : new Problem('internal');
    for (const [name, value] of Object.entries(problem.headers)) res.setHeader(name, value);
    send(res, problem.status, 'application/problem+json', problem.toText());
  }

  /** @param {ServerResponse} res @param {number} status @param {string} type @param {string} body */
  function send(res, status, type, body) {
    if (draining) res.setHeader('connection', 'close');
    res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
  }

  return {
    handle,
    /** From now on each answer closes its connection, and streams end. */
    drain() {
      draining = true;
      for (const stream of streams) stream.end();
    },
  };
}

/** @param {ServerResponse} res @returns {AbortSignal} aborted when the client has gone before its answer */
function closed(res) {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}
