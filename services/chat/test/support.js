// @ts-check
/** A real service on a free port, and members of it. */

import { io } from 'socket.io-client';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/** @import { TestContext } from 'node:test' */

/** @param {TestContext} t @param {Record<string, string>} [env] */
export async function start(t, env = {}) {
  const service = await startService(readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env }));
  t.after(service.stop);
  return {
    url: service.url,
    join: (/** @type {string} */ name, room = 'hall') => join(t, service.url, name, room),
  };
}

/** @param {TestContext} t @param {string} url @param {unknown} name @param {unknown} room */
export async function join(t, url, name, room) {
  const socket = io(url, {
    auth: { name, room },
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  });
  t.after(() => socket.disconnect());
  /** What came, until somebody asks for it. @type {[string, unknown][]} */
  const heard = [];
  /** @type {(() => void) | undefined} */
  let wake;
  socket.onAny((event, said) => {
    heard.push([event, said]);
    wake?.();
  });
  await new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(undefined));
    socket.once('connect_error', reject);
  });
  return {
    socket,
    heard,
    /** @param {string} event @param {unknown[]} args @returns {Promise<any>} */
    ask: (event, ...args) => socket.emitWithAck(event, ...args),
    /** The next that comes. @returns {Promise<[string, unknown]>} */
    async next() {
      while (heard.length === 0) {
        await new Promise((resolve) => {
          wake = () => resolve(undefined);
        });
      }
      return /** @type {[string, unknown]} */ (heard.shift());
    },
  };
}
