// @ts-check
/**
 * Changes go to the persister as messages of ZeroMQ, without a response. What is in the memory of either side when it is
 * killed is lost: this is the hand-over to compare the queue with, not one to copy.
 */

import { Pull, Push } from 'zeromq';

/** @import { ProfileChange, Snapshot } from '../ports.js' */

/** What was sent has this long to leave when the service stops. */
const LINGER_MS = 1_000;

/**
 * @param {{ url: string, limit: number, onError: (error: unknown) => void }} options tcp://host:port of the persister;
 *   messages that may wait in this process
 */
export function openSender({ url, limit, onError }) {
  const socket = new Push({ sendHighWaterMark: limit, linger: LINGER_MS });
  socket.connect(url);
  /** @type {Snapshot[]} */
  let waiting = [];
  /** @type {Promise<void> | undefined} */
  let sending;

  /** One message at a time, as the socket wants it. */
  async function sendAll() {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      for (const { id, version, text } of batch) await socket.send([id, `${version}`, text]);
    }
  }

  return {
    /** @param {Snapshot} change */
    send(change) {
      waiting.push(change);
      sending ??= sendAll()
        .catch(onError)
        .finally(() => {
          sending = undefined;
        });
    },
    waiting: () => waiting.length,
    async drain() {
      await sending;
    },
    close: () => socket.close(),
  };
}

/**
 * @param {{ url: string, most: number }} options address to listen on; changes in one batch
 * @returns {Promise<{ take: () => Promise<import('../persisting/loop.js').Batch | undefined>, close: () => Promise<void> }>}
 */
export async function openReceiver({ url, most }) {
  const socket = new Pull();
  await socket.bind(url);
  /** @type {Map<string, ProfileChange>} */
  let arrived = new Map();
  /** @type {(() => void) | undefined} */
  let resume;

  /** Takes messages until a batch is full; then the socket holds them back. */
  async function receive() {
    for await (const [id, version, text] of socket) {
      const change = { id: `${id}`, version: Number(`${version}`), text: `${text}` };
      const known = arrived.get(change.id);
      // Workers send on their own: a change may overtake the one before it.
      if (known === undefined || known.version < change.version)
        arrived.set(change.id, { ...change, text: change.text === 'null' ? null : change.text });
      if (arrived.size >= most)
        await new Promise((resolve) => {
          resume = () => resolve(undefined);
        });
    }
  }
  const receiving = receive();

  return {
    async take() {
      if (arrived.size === 0) return undefined;
      const changes = [...arrived.values()];
      arrived = new Map();
      resume?.();
      return { changes, full: changes.length >= most, settle: async () => {} };
    },
    async close() {
      resume?.();
      socket.close();
      await receiving;
    },
  };
}
