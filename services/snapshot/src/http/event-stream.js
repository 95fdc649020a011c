// @ts-check
/**
 * One response of server-sent events (the WHATWG HTML standard, 9.2). It never holds more than one event that the client
 * has not read: whoever writes waits until the last one is gone.
 */

import { once } from 'node:events';

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // A proxy that collects the response would keep events from the client.
  'x-accel-buffering': 'no',
};
/** When the client shall come back after its connection broke. */
const RETRY_MS = 2_000;

/** @typedef {Awaited<ReturnType<typeof openEventStream>>} EventStream */

/**
 * @param {import('node:http').ServerResponse} res
 * @param {number} stall_ms after which a client that reads nothing is cut
 */
export function openEventStream(res, stall_ms) {
  const left = new AbortController();
  let stalled = false;
  res.once('close', () => left.abort());
  res.writeHead(200, HEADERS);
  res.write(`retry: ${RETRY_MS}\n\n`);

  return {
    /** Aborted when the client has gone, or was cut. */
    signal: left.signal,
    stalled: () => stalled,

    /**
     * Resolves when the client has taken it off our hands, or is gone.
     * @param {string} text one event or comment, complete
     */
    async send(text) {
      if (left.signal.aborted || res.write(text)) return;
      const timer = setTimeout(() => {
        stalled = true;
        res.destroy();
      }, stall_ms);
      await once(res, 'drain', { signal: left.signal }).catch(() => {});
      clearTimeout(timer);
    },

    /** Ends it from our side, after what is written. */
    end: () => res.end(),
  };
}

/** @param {string} name @param {number} id @param {unknown} data */
export function eventText(name, id, data) {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
