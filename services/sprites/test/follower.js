// @ts-check
/** A client as people write them: it polls, comes back whatever happens, and takes each sprite once. */

import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { SPRITE } from './support.js';

const PAUSE_MS = 20;

/** @param {string} url of the port for short requests @param {string} [first] where to go at first */
export function follow(url, first) {
  const stop = new AbortController();
  /** @type {any[]} */
  const sprites = [];
  const state = {
    ticket: '',
    after: 0,
    missed: 0,
    restarts: 0,
    moves: 0,
    breaks: 0,
    doubled: 0,
    polls: 0,
    place: /** @type {any} */ ({}),
  };

  async function run() {
    let base = first;
    while (!stop.signal.aborted) {
      try {
        base ??= (await (await fetch(`${url}/place`, { signal: stop.signal })).json()).url;
        await poll(/** @type {string} */ (base));
        state.moves += 1;
        await wait(PAUSE_MS);
      } catch {
        if (stop.signal.aborted) return;
        state.breaks += 1;
        await wait(PAUSE_MS);
      }
      base = undefined;
    }
  }

  /** Until the worker wants this client to go. @param {string} base */
  async function poll(base) {
    for (let again = false; ; again = true) {
      const query = new URLSearchParams({ watch: again ? 'changes' : 'now' });
      if (state.ticket !== '') {
        query.set('ticket', state.ticket);
        query.set('after', `${state.after}`);
      }
      const response = await fetch(`${base}/poll?${query}`, { signal: stop.signal });
      const news = await response.json();
      if (!response.ok) throw new Error(news.code);
      state.polls += 1;
      state.ticket = news.ticket ?? state.ticket;
      state.place = news.place ?? state.place;
      state.missed += news.missed ?? 0;
      state.restarts += news.restarted ? 1 : 0;
      const old = Math.max(0, state.after - (news.next - news.sprites.length));
      state.doubled += old;
      sprites.push(...news.sprites.slice(old));
      state.after = news.next;
      if (news.move) return;
    }
  }

  const done = run();
  return {
    state,
    sprites,
    names: () => sprites.map(({ name }) => name),
    /** On a connection of its own, so that none is kept to a process that ends. @param {string} to @param {string} name */
    async throw(to, name) {
      const body = JSON.stringify({ ticket: state.ticket, to, sprite: { ...SPRITE, name } });
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(`${url}/throw`, { method: 'POST', agent: false, headers }).end(body);
      const [response] = await once(sent, 'response');
      response.resume();
      return response.statusCode;
    },
    async stop() {
      stop.abort();
      await done;
    },
  };
}
