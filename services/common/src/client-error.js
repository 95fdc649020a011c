// @ts-check
/** Responds to what node's HTTP parser refuses, before there is a request to route. */

/** @import { AnyProblemClass, CommonCode } from './problem.js' */

/** @type {Record<string, CommonCode>} */
const CODES = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/**
 * @param {AnyProblemClass} Problem
 * @returns {(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex) => void} for the event `clientError`
 */
export function clientErrorResponder(Problem) {
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const problem = new Problem(CODES[error.code ?? ''] ?? 'malformed_request');
    const body = problem.toText();
    socket.end(
      `HTTP/1.1 ${problem.status} Refused\r\ncontent-type: application/problem+json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  };
}
