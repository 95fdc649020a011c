// @ts-check
// What the service asks others over HTTP, by origin.

import { on } from './served.js';
import { state } from './state.js';
import { now_ms, ORIGINS_MAX, originAt, thread_ms, UPSTREAM } from './table.js';

const AT = /** @type {Record<typeof UPSTREAM[number], number>} */ (
  Object.fromEntries(UPSTREAM.map((name, index) => [name, index]))
);

/** A GET counts as repeated when the same URL was asked for within this time. */
const REPEATED_MS = 1000;
const URLS_MAX = 1000;

/** @type {Map<string, number>} places in the table */
const origins = new Map();
/** @type {Map<string, number>} when a URL was asked for last, the longest ago first */
const asked_ms = new Map();

export function watchUpstream() {
  watchHttp();
  watchUndici();
}

function watchHttp() {
  on('http.client.request.start', ({ request }) => {
    const origin = `${request.protocol}//${request.getHeader('host') ?? request.host}`;
    const at = place(origin, 'http');
    begin(at, request.method, origin + request.path);
    // Not by 'response': a response that nobody listens for is thrown away by Node.js, and has to be.
    request.once('close', () => {
      end(at, request.res ? AT.answered : AT.failed);
      if (!request.reusedSocket) state.table[at + AT.connections] += 1;
    });
  });
}

/** Also `fetch`, which is built on it. */
function watchUndici() {
  /** @type {WeakMap<object, number>} */
  const open = new WeakMap();
  on('undici:request:create', ({ request }) => {
    const at = place(String(request.origin), 'undici');
    open.set(request, at);
    begin(at, request.method, request.origin + request.path);
  });
  /** @param {number} outcome */
  const ended =
    (outcome) =>
    (/** @type {{ request: object }} */ { request }) => {
      const at = open.get(request);
      if (at === undefined) return;
      open.delete(request);
      end(at, outcome);
    };
  on('undici:request:trailers', ended(AT.answered));
  on('undici:request:error', ended(AT.failed));
  on('undici:client:connected', ({ connectParams: { protocol, host } }) => {
    state.table[place(`${protocol}//${host}`, 'undici') + AT.connections] += 1;
  });
}

/** @param {string} origin @param {'http' | 'undici'} client */
function place(origin, client) {
  const key = `${client} ${origin}`;
  const known = origins.get(key);
  if (known !== undefined) return known;
  const full = origins.size >= ORIGINS_MAX - 1;
  if (full) return originAt(ORIGINS_MAX - 1);
  const at = originAt(origins.size);
  state.tell({ type: 'origin', index: origins.size, origin, client });
  origins.set(key, at);
  return at;
}

/** @param {number} at @param {number} change */
function activeBecomes(at, change) {
  const { table } = state;
  const now = now_ms();
  const active = table[at + AT.active] ?? 0;
  if (active > 0) table[at + AT.active_ns] += active * (now - (table[at + AT.changed_ms] ?? now)) * 1e6;
  table[at + AT.changed_ms] = now;
  table[at + AT.active] = Math.max(active + change, 0);
}

/** @param {number} at @param {string} method @param {string} url */
function begin(at, method, url) {
  activeBecomes(at, 1);
  state.table[at + AT.requests] += 1;
  if (method !== 'GET') return;
  const now = thread_ms();
  const before = asked_ms.get(url);
  if (before !== undefined) {
    asked_ms.delete(url);
    if (now - before < REPEATED_MS) state.table[at + AT.repeated] += 1;
  }
  asked_ms.set(url, now);
  if (asked_ms.size > URLS_MAX) asked_ms.delete(/** @type {string} */ (asked_ms.keys().next().value));
}

/** @param {number} at @param {number} outcome */
function end(at, outcome) {
  activeBecomes(at, -1);
  state.table[at + outcome] += 1;
}
