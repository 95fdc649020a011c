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
    const code = error.code ?? '';
    // Anything else is of the connection, such as a handshake of TLS that failed: nothing that is said would be heard.
    if (!socket.writable || !(code.startsWith('HPE_') || code in CODES)) {
      socket.destroy();
      return;
    }
    const problem = new Problem(CODES[code] ?? 'malformed_request');
    const body = problem.toText();
    socket.end(
      `HTTP/1.1 ${problem.status} Refused\r\ncontent-type: application/problem+json\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  };
}
