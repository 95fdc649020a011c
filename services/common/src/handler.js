// @ts-check
/** From a request to a response: routed, told its errors as problem documents, counted, and logged at the level info. */

import { createRouter } from './router.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AnyProblemClass } from './problem.js' */
/** @import { Reply, Route } from './router.js' */

/**
 * The part of a logger that is needed here; one of pino has it.
 * @typedef {object} Log
 * @property {(level: string) => boolean} isLevelEnabled
 * @property {(fields: object, message: string) => void} info
 * @property {(fields: object, message: string) => void} error
 */

/**
 * @param {object} parts
 * @param {Route[]} parts.routes
 * @param {AnyProblemClass} parts.Problem
 * @param {{ request: (pattern: string, status: number) => void }} parts.metrics
 * @param {Log} parts.log
 * @param {(req: IncomingMessage) => void} [parts.inspect] throws what it refuses of a request that has a route
 * @returns {{ handle: (req: IncomingMessage, res: ServerResponse) => Promise<void>, drain: () => void }} after
 *   `drain` each response over HTTP/1.1 closes its connection
 */
export function createHandler({ routes, Problem, metrics, log, inspect = () => {} }) {
  const route = createRouter(routes, Problem);
  const logRequests = log.isLevelEnabled('info');
  let draining = false;

  /** @param {IncomingMessage} req @param {ServerResponse} res */
  async function handle(req, res) {
    const started_ms = logRequests ? performance.now() : 0;
    const { method = '', url = '' } = req;
    let pattern = 'none';
    try {
      const found = route(method, url);
      pattern = found.pattern;
      inspect(req);
      const reply = await found.handler({ req, res, id: found.id, search: found.search });
      if (reply !== undefined) send(req, res, reply);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error, method, url }, 'request failed');
      // A response that has begun can only be broken off.
      if (res.headersSent) res.destroy();
      else send(req, res, problemReply(error instanceof Problem ? error : new Problem('internal')));
    }
    const status = res.statusCode;
    metrics.request(pattern, status);
    if (logRequests) {
      log.info({ method, url, status, service_time_ms: performance.now() - started_ms }, 'responded');
    }
  }

  /** @param {IncomingMessage} req @param {ServerResponse} res @param {Reply} reply */
  function send(req, res, { status, headers, body }) {
    const all =
      status === 204 || status === 304
        ? [...headers]
        : [...headers, 'content-length', `${Buffer.byteLength(body)}`];
    if (req.httpVersionMajor === 2) {
      sendOverHttp2(/** @type {any} */ (res), status, all, body);
      return;
    }
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

/**
 * HTTP/2 has no `connection: close` (RFC 9113, 8.2.2): one request is ended by its stream, and a connection by whoever
 * closes the server.
 * @param {import('node:http2').Http2ServerResponse} res
 * @param {number} status
 * @param {string[]} headers
 * @param {string} body
 */
function sendOverHttp2(res, status, headers, body) {
  const at = headers.findIndex((text, index) => index % 2 === 0 && text === 'connection');
  const hangUp = at !== -1;
  if (hangUp) headers.splice(at, 2);
  // If the client has left, nothing is sent, and this alone says what would have been.
  res.statusCode = status;
  res.writeHead(status, /** @type {any} */ (headers)).end(body);
  // Which ends the request as well, however much of it is still to come.
  if (hangUp) res.stream.close();
}

/** @param {import('./problem.js').AnyProblem} problem @returns {Reply} */
function problemReply(problem) {
  return {
    status: problem.status,
    headers: ['content-type', 'application/problem+json', ...problem.headers],
    body: problem.toText(),
  };
}
