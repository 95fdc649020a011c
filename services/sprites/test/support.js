// @ts-check
/** A real service on free ports, and clients of it. */

import { once } from 'node:events';
import { connect } from 'node:net';
import { asker } from '@plimsoll/service-common/testing/client.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

export const SPRITE = { name: 'boat', pixels: '0'.repeat(64), at: 0.5, speed: 1 };

export const FREE_PORTS = { PORT: '0', SPRITES_HELD_PORT: '0', SPRITES_METRICS_PORT: '0' };

/** A tick that a test need not wait for. */
const TICK_MS = 10;

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [env]
 * @param {number} [tick_ms]
 */
export async function start(t, env = {}, tick_ms = TICK_MS) {
  /** @type {any[]} */
  const lines = [];
  const settings = { ...FREE_PORTS, SPRITES_GRACE_S: '900', SPRITES_LIMITS: 'off', ...env };
  const service = await startService(
    { ...readConfig(settings), tick_ms },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  t.after(() => service.stop());
  const url = /** @type {string} */ (service.url);
  const held = /** @type {string} */ (service.heldUrl);
  const ask = asker(url);
  while ((await ask('/health/ready')).status !== 200);
  return {
    url,
    held,
    ask,
    service,
    lines,
    /** @param {string} path @param {unknown} body */
    post: (path, body) =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}

/** A connection to the port that holds clients, on which responses are read one by one. @param {string} held */
export async function openHeld(held) {
  const { hostname, port } = new URL(held);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  let ended = false;
  /** @type {(() => void) | undefined} */
  let more;
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    text += chunk;
    more?.();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    ended = true;
    more?.();
  });

  async function wait() {
    await new Promise((/** @type {(value?: any) => void} */ resolve) => {
      more = resolve;
    });
    more = undefined;
  }

  return {
    socket,
    /** @param {string} target @param {string} [headers] */
    get(target, headers = '') {
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    },
    /** What comes until it contains a pattern; that is taken. @param {RegExp} pattern */
    async until(pattern) {
      for (;;) {
        const found = pattern.exec(text);
        if (found !== null) {
          const taken = text.slice(0, found.index + found[0].length);
          text = text.slice(taken.length);
          return taken;
        }
        if (ended) throw new Error(`the connection ended before ${pattern}, after ${JSON.stringify(text)}`);
        await wait();
      }
    },
    /** The next response and its JSON. */
    async response() {
      const head = await this.until(/\r\n\r\n/);
      const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
      const body = await this.until(new RegExp(`^[^]{${length}}`));
      return { status: Number(head.split(' ')[1]), head, json: length === 0 ? undefined : JSON.parse(body) };
    },
    async closed() {
      while (!ended) await wait();
      return text;
    },
  };
}
