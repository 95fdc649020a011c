// @ts-check
/** A real service on a free port with a real database in a temporary directory, and a way to ask it. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asker } from '@plimsoll/service-common/testing/client.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/** @import { TestResponse } from '@plimsoll/service-common/testing/client.js' */

/**
 * @typedef {{ method?: string, token?: string, body?: unknown, headers?: Record<string, string> }} Question `body`
 *   is sent as JSON, a string as it is
 */

/** @param {import('node:test').TestContext} t */
export async function temporaryDirectory(t) {
  const directory = await mkdtemp(join(tmpdir(), 'profile-test-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

/** What a test stands on when it does not say so: settings, and what has to run beside the service.
 * @type {(t: import('node:test').TestContext, env: Record<string, string>) => Promise<Record<string, string>>} */
let parts = async (_t, env) => env;

/** Runs the tests that are imported afterwards on other parts. @param {typeof parts} others */
export function useParts(others) {
  parts = others;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [env]
 */
export async function start(t, env = {}) {
  /** @type {string[]} */
  const lines = [];
  const settings = await parts(t, { PORT: '0', PROFILE_SEED_USERS: '3', ...env });
  const service = await startService(readConfig(settings), {
    write: (line) => void lines.push(line),
  });
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= service.stop();
    return stopped;
  }
  t.after(stop);

  const plainAsk = asker(service.url);

  /** @param {string} path @param {Question} [question] @returns {Promise<TestResponse>} */
  async function ask(path, { method = 'GET', token, body, headers = {} } = {}) {
    /** @type {Record<string, string>} */
    const sent = { ...headers };
    if (token !== undefined) sent.authorization = `Bearer ${token}`;
    if (body !== undefined) sent['content-type'] ??= 'application/json';
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return plainAsk(path, { method, headers: sent, body: text });
  }

  /** @param {string} id @param {string} [action] */
  function turn(id, action = 'sail') {
    return ask(`/profiles/${id}/turns`, { method: 'POST', token: `token-${id}`, body: { action } });
  }

  return { url: service.url, ask, turn, stop, lines };
}

/**
 * Turns of u1 that were acknowledged, and no others, are in its profile.
 * @param {TestResponse[]} responses to `rest`, all at the same time
 * @param {(path: string, question: Question) => Promise<TestResponse>} ask
 */
export async function assertAllCount(responses, ask) {
  const done = responses.filter(({ status }) => status === 200).length;
  assert.ok(
    responses.every(({ status, json }) => status === 200 || json.code === 'profile_busy'),
    'another response than 200 and profile_busy',
  );
  const { json } = await ask('/profiles/u1', { token: 'token-u1' });
  assert.equal(json.version, 1 + done);
  assert.equal(json.counters.rests, done);
}
