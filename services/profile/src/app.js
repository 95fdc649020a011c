// @ts-check
/** The application: a function from a request to an answer. It knows no port, no process and no environment. */

import { Problem } from './errors.js';
import { createRouter } from './http/router.js';
import { healthRoutes } from './routes/health.js';
import { profileRoutes } from './routes/profiles.js';
import { sessionRoutes } from './routes/sessions.js';
import { turnRoutes } from './routes/turns.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Reply } from './http/router.js' */

/**
 * @typedef {object} Parts
 * @property {import('./ports.js').WorkingSet} working
 * @property {import('./profiles.js').Profiles} profiles
 * @property {import('./sessions.js').Sessions} sessions
 * @property {import('./metrics.js').Metrics} metrics
 * @property {() => string | Promise<string>} exposition the metrics as text
 * @property {import('pino').Logger} log
 * @property {{ limit_bytes: number, timeout_ms: number }} bounds of a body
 * @property {() => string | undefined} readiness what stands in the way of requests
 * @property {() => number} now the clock, in ms
 */

/**
 * @param {Parts} parts
 * @returns {{ handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>, drain: () => void }} after
 *   `drain` each answer closes its connection
 */
export function createApp(parts) {
  const { metrics, log } = parts;
  const route = createRouter([
    ...turnRoutes(parts),
    ...profileRoutes(parts),
    ...sessionRoutes(parts),
    ...healthRoutes(parts),
  ]);
  const logRequests = log.isLevelEnabled('info');
  let draining = false;

  /** @param {IncomingMessage} req @param {ServerResponse} res */
  async function handle(req, res) {
    const started_ms = logRequests ? performance.now() : 0;
    const { pattern, reply } = await answer(req);
    send(res, reply);
    metrics.request(pattern, reply.status);
    if (logRequests) {
      const { method, url } = req;
      log.info(
        { method, url, status: reply.status, service_time_ms: performance.now() - started_ms },
        'answered',
      );
    }
  }

  /** @param {IncomingMessage} req @returns {Promise<{ pattern: string, reply: Reply }>} */
  async function answer(req) {
    let pattern = 'none';
    try {
      const found = route(req.method ?? '', req.url ?? '');
      pattern = found.pattern;
      return { pattern, reply: await found.handler({ req, id: found.id }) };
    } catch (error) {
      return { pattern, reply: problemReply(error, req) };
    }
  }

  /** @param {unknown} error @param {IncomingMessage} req @returns {Reply} */
  function problemReply(error, req) {
    if (!(error instanceof Problem))
      log.error({ err: error, method: req.method, url: req.url }, 'request failed');
    const problem = error instanceof Problem ? error : new Problem('internal');
    return {
      status: problem.status,
      headers: ['content-type', 'application/problem+json', ...problem.headers],
      body: problem.toText(),
    };
  }

  /** @param {ServerResponse} res @param {Reply} reply */
  function send(res, { status, headers, body }) {
    const all =
      status === 204 || status === 304
        ? [...headers]
        : [...headers, 'content-length', `${Buffer.byteLength(body)}`];
    if (draining) all.push('connection', 'close');
    res.writeHead(status, all).end(body);
  }

  return {
    handle,
    drain() {
      draining = true;
    },
  };
}
