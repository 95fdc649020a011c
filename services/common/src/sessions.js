// @ts-check
/** The connections of HTTP/2 (sessions, as node:http2 calls them): bounded in time, and ended without losing a request. */

import { KEEP_ALIVE_MS, REQUEST_MS } from './servers.js';

/** @import { Http2Session, ServerHttp2Stream } from 'node:http2' */
/** @import { AnyProblemClass } from './problem.js' */
/** @import { AnyServer } from './servers.js' */

/** The code of a stream that is no longer needed (RFC 9113, 7). */
const CANCEL = 0x8;

/**
 * @param {AnyServer} server one of node:http has no sessions
 * @param {AnyProblemClass} Problem
 * @returns {{ close: () => void }} tells every client, and those that still come, up to which request they get responses
 *   (GOAWAY); a connection ends after the last of them
 */
export function keepSessions(server, Problem) {
  /** @type {Set<Http2Session>} */
  const sessions = new Set();
  let closing = false;

  server.on('session', (/** @type {Http2Session} */ session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.setTimeout(KEEP_ALIVE_MS, () => session.close());
    if (closing) session.close();
  });
  server.on('stream', (/** @type {ServerHttp2Stream} */ stream) => boundArrival(stream, REQUEST_MS, Problem));

  return {
    close() {
      closing = true;
      for (const session of sessions) session.close();
    },
  };
}

/**
 * A request has to arrive in time, as one over HTTP/1.1 has to.
 * @param {ServerHttp2Stream} stream
 * @param {number} limit_ms
 * @param {AnyProblemClass} Problem
 */
export function boundArrival(stream, limit_ms, Problem) {
  if (stream.endAfterHeaders) return;
  const timer = setTimeout(() => {
    if (stream.state.remoteClose === 1) return;
    if (stream.headersSent) {
      stream.close(CANCEL);
      return;
    }
    const problem = new Problem('request_timeout');
    stream.respond({ ':status': problem.status, 'content-type': 'application/problem+json' });
    stream.end(problem.toText());
    stream.close();
  }, limit_ms);
  stream.once('close', () => clearTimeout(timer));
}
