// @ts-check
/** A real service on a free port with a real database in a temporary folder, and a way to ask it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/**
 * @typedef {{ status: number, headers: Headers, text: string, json: any }} Answer
 * @typedef {{ method?: string, token?: string, body?: unknown, headers?: Record<string, string> }} Question `body`
 *   is sent as JSON, a string as it is
 */

/** @param {import('node:test').TestContext} t */
export async function temporaryFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), 'profile-test-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} [env]
 */
export async function start(t, env = {}) {
  /** @type {string[]} */
  const lines = [];
  const service = await startService(readConfig({ PORT: '0', PROFILE_SEED_USERS: '3', ...env }), {
    write: (line) => void lines.push(line),
  });
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= service.stop();
    return stopped;
  }
  t.after(stop);

  /** @param {string} path @param {Question} [question] @returns {Promise<Answer>} */
  async function ask(path, { method = 'GET', token, body, headers = {} } = {}) {
    /** @type {Record<string, string>} */
    const sent = { ...headers };
    if (token !== undefined) sent.authorization = `Bearer ${token}`;
    if (body !== undefined) sent['content-type'] ??= 'application/json';
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const res = await fetch(service.url + path, { method, headers: sent, body: text });
    const answer = await res.text();
    const isJson = /json$/.test(res.headers.get('content-type') ?? '') && answer !== '';
    return {
      status: res.status,
      headers: res.headers,
      text: answer,
      json: isJson ? JSON.parse(answer) : undefined,
    };
  }

  /** @param {string} id @param {string} [action] */
  function turn(id, action = 'sail') {
    return ask(`/profiles/${id}/turns`, { method: 'POST', token: `token-${id}`, body: { action } });
  }

  return { url: service.url, ask, turn, stop, lines };
}
