// @ts-check
/** The bus through Redis, by PUBLISH and SUBSCRIBE: a channel for each worker, one for the steward, one for all workers. */

import { Redis } from 'ioredis';
import { createBound } from './bound.js';
import { EVERY_WORKER, STEWARD } from './bus.js';

/** @import { OpenBus } from './bus.js' */

const RETRY_MS = 250;

/**
 * @param {string} url
 * @param {string} prefix of the channels, so that several services can share a Redis
 * @returns {OpenBus}
 */
export function createRedisBus(url, prefix) {
  return async ({ name, receive, lost }) => {
    // A connection that has subscribed takes no other command.
    const subscriber = connect(url);
    const publisher = connect(url);
    const bound = createBound(lost);
    let opened = false;
    const channels = [`${prefix}:${name}`];
    if (name !== STEWARD) channels.push(`${prefix}:${EVERY_WORKER}`);
    try {
      await Promise.all([subscriber.connect(), publisher.connect()]);
      await subscriber.subscribe(...channels);
    } catch (error) {
      subscriber.disconnect();
      publisher.disconnect();
      throw new Error(`Redis at ${addressOf(url)} does not respond: ${/** @type {Error} */ (error).message}`);
    }
    subscriber.on('message', (_, text) => receive(text));
    // ioredis subscribes again by itself; what was published meanwhile is gone.
    for (const connection of [subscriber, publisher]) connection.on('ready', () => opened && lost());
    opened = true;
    return {
      send(to, text) {
        if (publisher.status !== 'ready' || !bound.takes(text.length)) return;
        const done = () => bound.left(text.length);
        publisher.publish(`${prefix}:${to}`, text).then(done, done);
      },
      async close() {
        await publisher.quit().catch(() => {});
        subscriber.disconnect();
      },
    };
  };
}

/** @param {string} url */
function connect(url) {
  const connection = new Redis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RETRY_MS,
  });
  // What an error means is seen by what does not respond; without a listener it would end the process.
  connection.on('error', () => {});
  return connection;
}

/** Without the password. @param {string} url */
function addressOf(url) {
  return url.replace(/\/\/[^@/]*@/, '//');
}
