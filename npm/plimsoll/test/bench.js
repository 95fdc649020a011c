// @ts-check
/** What the tests need: a directory that goes with the test, a free port, a plan for the service. */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** @import { TestContext } from 'node:test' */
/** @import { Plan, Target } from '../src/index.js' */

const SERVICE = fileURLToPath(new URL('service.js', import.meta.url));

/** @param {TestContext} t */
export async function directory(t) {
  const path = await mkdtemp(join(tmpdir(), 'plimsoll-test-'));
  t.after(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/** Waits until somebody responds. @param {string} url */
export async function until(url) {
  while (!(await fetch(url).catch(() => undefined))) await setTimeout(10);
}

/** Waits until nobody listens. @param {string} url */
export async function untilClosed(url) {
  while (await listens(url)) await setTimeout(10);
}

/** The verdict of the run in a directory, when it has been written. @param {string} cwd @returns {Promise<string>} */
export async function verdictIn(cwd) {
  for (;;) {
    const found = (await readdir(cwd, { recursive: true })).find((name) => name.endsWith('/findings.json'));
    if (found) return JSON.parse(await readFile(join(cwd, found), 'utf8')).verdict;
    await setTimeout(10);
  }
}

/** Whether somebody listens at a URL. @param {string} url @returns {Promise<boolean>} */
export const listens = (url) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname)
      .on('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });

/**
 * A short load for the service, which responds with this status.
 * @param {{ status?: number, busy_ms?: number, duration?: string, header?: string }} [options]
 * @returns {Promise<Plan & { target: Target }>}
 */
export async function plan({ status = 200, busy_ms = 0, duration = '1s', header = 'none' } = {}) {
  return {
    name: 'a service of a test',
    target: {
      url: `http://127.0.0.1:${await freePort()}/`,
      command: [process.execPath, SERVICE, String(status), String(busy_ms)],
    },
    objectives: ['errors = 0'],
    scenario: { requests: [{ headers: { authorization: header } }] },
    load: { rate: '50/s', duration },
    judging: { warm_up: '200ms', window: '200ms' },
  };
}
