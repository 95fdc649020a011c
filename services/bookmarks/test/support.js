// @ts-check
/** A real service on a free port, and clients of it. */

import { io } from 'socket.io-client';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/** @import { TestContext } from 'node:test' */

/** @param {TestContext} t @param {Record<string, string>} [env] */
export async function start(t, env = {}) {
  const service = await startService(readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env }));
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= service.stop();
    return stopped;
  }
  t.after(stop);

  /** A client that is not connected yet. @param {unknown} user */
  function client(user) {
    const socket = io(service.url, {
      auth: { user },
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
    });
    t.after(() => socket.disconnect());
    return socket;
  }

  /** @param {string} user */
  async function join(user) {
    const socket = client(user);
    await new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('connect_error', reject);
    });
    return {
      socket,
      /** @param {unknown} line @returns {Promise<any>} */
      say: (line) => socket.emitWithAck('say', line),
      /** @param {string} event @returns {Promise<any>} */
      next: (event) => new Promise((resolve) => socket.once(event, resolve)),
    };
  }
  return { url: service.url, client, join, stop };
}
