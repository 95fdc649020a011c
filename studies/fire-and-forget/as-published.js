// @ts-check
/**
 * The profile service that hands each change on as a message of ZeroMQ, at the moment that STUDY_SEND names, as the published one did
 * in turn: `node --import ./studies/fire-and-forget/as-published.js services/profile/src/server.js`. STUDY_ZEROMQ_URL is
 * the receiver.
 */

import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { Dealer } from 'zeromq';
import { fromEnv, MOMENTS } from './moments.js';

/** What was sent has this long to leave when the service stops. */
const LINGER_MS = 1_000;

// Threads of the service get this module too, and serve no requests.
if (isMainThread) {
  const { moment, url } = fromEnv(process.env);
  const socket = new Dealer({ linger: LINGER_MS });
  socket.connect(url);
  /** What waits for the receiver to acknowledge it. @type {Map<number, () => void>} */
  const unacknowledged = new Map();
  let last = 0;
  /** The socket takes one message at a time. */
  let sending = Promise.resolve();

  /** @param {string} id @param {string} text @param {boolean} acknowledge */
  function send(id, text, acknowledge) {
    last += 1;
    const number = last;
    const acknowledged = new Promise((resolve) => {
      if (acknowledge) unacknowledged.set(number, () => resolve(undefined));
      else resolve(undefined);
    });
    const sent = sending.then(() => socket.send([`${number}`, acknowledge ? 'acknowledge' : '', id, text]));
    sending = sent.catch(() => {});
    return Promise.all([sent, acknowledged]);
  }

  subscribe('http.server.request.start', (message) => {
    const { request, response } =
      /** @type {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse }} */ (
        message
      );
    if (request.method !== 'POST' || !request.url?.endsWith('/turns')) return;
    const id = request.url.split('/')[2];
    const end = response.end.bind(response);
    /** @param {any[]} rest */
    response.end = (...rest) => {
      if (response.statusCode !== 200) return end(...rest);
      MOMENTS[moment]({
        send: (acknowledge) => send(id, String(rest[0]), acknowledge),
        respond: () => void end(...rest),
        // A response that never comes is what the load generator counts as an error.
        fail: (error) => void response.destroy(error),
      });
      return response;
    };
  });

  void (async () => {
    for await (const [number] of socket) {
      unacknowledged.get(Number(`${number}`))?.();
      unacknowledged.delete(Number(`${number}`));
    }
  })();
  process.once('SIGTERM', () => void sending.then(() => socket.close()));
}
