// @ts-check
/** Real services on free ports over simulated upstreams, and ways to watch them. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asker } from '@plimsoll/service-common/testing/client.js';
import { startFleet } from '../simulators/fleet.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/** @import { TestContext } from 'node:test' */
/** @import { Description } from '../src/page/description.js' */

/** Longer than any test takes: a call that only ends by it has hung. */
export const NEVER_MS = 60_000;

/** @type {[string, string[]][]} */
const BLOCKS = [
  ['customer', ['identity', 'consents']],
  ['holdings', ['accounts', 'cards']],
  ['activity', ['balances', 'payments', 'offers']],
];
export const NAMES = BLOCKS.flatMap(([, names]) => names);

/**
 * @param {{ timeout_ms?: number, deadline_ms?: number, timeouts?: Record<string, number> }} [times] `timeouts` of
 *   single upstreams
 * @returns {Description}
 */
export function describePage({ timeout_ms = 10_000, deadline_ms = NEVER_MS, timeouts = {} } = {}) {
  return {
    deadline_ms,
    blocks: BLOCKS.map(([name, names]) => ({
      name,
      calls: names.map((upstream) => ({ upstream, timeout_ms: timeouts[upstream] ?? timeout_ms })),
    })),
  };
}

/** Upstreams that respond after 1 ms. @param {TestContext} t */
export async function startUpstreams(t) {
  const response_time = /** @type {const} */ ({ kind: 'constant', ms: 1 });
  const upstreams = Object.fromEntries(NAMES.map((name) => [name, response_time]));
  const fleet = await startFleet({ seed: 1, upstreams }, { port: 0 });
  t.after(fleet.stop);

  /** @param {string} name @param {unknown} change */
  async function set(name, change) {
    const res = await fetch(`${fleet.url}/upstreams/${name}`, {
      method: 'PUT',
      body: JSON.stringify(change),
    });
    return { status: res.status, json: await res.json() };
  }

  /** @returns {Promise<Record<string, { requests: number, abandoned: number, connections: number }>>} */
  async function state() {
    return (await fetch(`${fleet.url}/upstreams`)).json();
  }

  /** Waits for the state that is asked for. @param {(upstreams: Awaited<ReturnType<typeof state>>) => boolean} holds */
  async function until(holds) {
    while (!holds(await state()));
  }
  return { url: fleet.url, set, state, until };
}

/** @param {TestContext} t @param {unknown} value @returns {Promise<string>} its path */
export async function temporaryJson(t, value) {
  const directory = await mkdtemp(join(tmpdir(), 'overview-test-'));
  t.after(() => rm(directory, { recursive: true }));
  const path = join(directory, 'value.json');
  await writeFile(path, JSON.stringify(value));
  return path;
}

/**
 * @typedef {object} Running
 * @property {string} url
 * @property {() => Promise<void>} stop
 * @property {string[]} lines of its log
 *
 * @typedef {(t: TestContext, env: Record<string, string>) => Promise<Running>} Start
 */

/** The service in this process. @type {Start} */
export async function startHere(t, env) {
  /** @type {string[]} */
  const lines = [];
  const service = await startService(readConfig({ PORT: '0', ...env }), {
    write: (line) => void lines.push(line),
  });
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= service.stop();
    return stopped;
  }
  t.after(stop);
  return { url: service.url, stop, lines };
}

/**
 * A service over upstreams of its own.
 * @param {TestContext} t
 * @param {Start} start
 * @param {{ page?: Parameters<typeof describePage>[0], env?: Record<string, string> }} [options]
 */
export async function startPage(t, start, { page, env } = {}) {
  const upstreams = await startUpstreams(t);
  const running = await start(t, {
    OVERVIEW_UPSTREAMS: upstreams.url,
    OVERVIEW_DESCRIPTION: await temporaryJson(t, describePage(page)),
    ...env,
  });
  const ask = asker(running.url);
  return {
    ...running,
    upstreams,
    ask,
    page: async (account = 'a1') => (await ask(`/overview/${account}`)).json,
  };
}

/** The reasons by the name of the part. @param {{ blocks: { parts: { name: string, reason?: string }[] }[] }} page */
export function reasons({ blocks }) {
  const parts = blocks.flatMap((block) => block.parts);
  return Object.fromEntries(
    parts.flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
  );
}
