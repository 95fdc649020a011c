// @ts-check
/** The transport over undici: another client for the same calls, to be compared with node:http. */

import { Agent, errors } from 'undici';
import { TooLargeError } from './caller.js';

const MOST_BYTES = 262_144;

/**
 * @param {number} connections the most to one upstream; what comes on top waits, its timeout already running
 * @returns {import('./caller.js').Transport}
 */
export function createUndiciTransport(connections) {
  let opened = 0;
  // Times are bounded by the caller.
  const agent = new Agent({ connections, maxResponseSize: MOST_BYTES, headersTimeout: 0, bodyTimeout: 0 });
  agent.on('connect', () => {
    opened += 1;
  });

  return {
    start({ origin, method, path, body }, done) {
      const abort = new AbortController();
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      agent
        .request({ origin, method, path, body, headers, signal: abort.signal })
        .then(async (res) => ({ status: res.statusCode, text: await res.body.text() }))
        .then(done, (error) => {
          done({ error: error instanceof errors.ResponseExceededMaxSizeError ? new TooLargeError() : error });
        });
      return () => abort.abort();
    },
    opened: () => opened,
    close: () => void agent.destroy(),
  };
}
