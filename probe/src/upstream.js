// @ts-check
// What the service asks others over HTTP, by origin.

import { on } from './served.js';
import { quietly, state } from './state.js';
import { manyBecome, ORIGINS_MAX, originAt, placesOf, thread_ms, UPSTREAM } from './table.js';
import { callBegins, callConnected, tracing } from './trace.js';

const AT = placesOf(UPSTREAM);
const ACTIVE = { many: AT.active, ns: AT.active_ns, changed_ms: AT.changed_ms };

/** @typedef {import('./trace.js').Call} Call */

/** A GET counts as repeated when the same URL was asked for within this time. */
const REPEATED_MS = 1000;
const URLS_MAX = 1000;

/** @type {Map<string, number>} places in the table */
const origins = new Map();
/** @type {Map<string, number>} when a URL was asked for last, the longest ago first */
const asked_ms = new Map();
/** @type {WeakSet<import('node:net').Socket>} connections that have carried a call */
const used = new WeakSet();

export function watchUpstream() {
  watchHttp();
  watchUndici();
}

function watchHttp() {
  /** @type {WeakMap<object, Call>} */
  const calls = new WeakMap();
  on('http.client.request.start', ({ request }) => {
    const origin = `${request.protocol}//${request.getHeader('host') ?? request.host}`;
    const at = place(origin, 'http');
    const call = begin(at, request.method, origin + request.path, () => varyingOfHttp(request));
    if (call !== undefined) {
      calls.set(request, call);
      quietly(() => watchConnecting(request, call));
    }
    // Not by 'response': a response that nobody listens for is thrown away by Node.js, and has to be.
    request.once('close', () => {
      end(at, request.res ? AT.answered : AT.failed);
      if (call?.opened || opens(request)) state.table[at + AT.connections] += 1;
      if (call === undefined || call.to_ms !== 0) return;
      call.to_ms = thread_ms();
      call.failed = true;
    });
  });
  // Before the service hears of the response, so that what it does next comes after.
  on('http.client.response.finish', ({ request, response }) => {
    const call = tracing.on ? calls.get(request) : undefined;
    if (call === undefined) return;
    call.failed = hasFailed(response.statusCode);
    response.once('end', () => {
      call.to_ms = thread_ms();
    });
  });
}

/**
 * Whether a call is the first one on its connection. An agent does not call a connection reused that the call had to wait for.
 *
 * @param {import('node:http').ClientRequest} request
 */
function opens({ reusedSocket, socket }) {
  if (reusedSocket || !socket || used.has(socket)) return false;
  used.add(socket);
  return true;
}

/** From when on the connection that a call opens is there. @param {import('node:http').ClientRequest} request @param {Call} call */
function watchConnecting(request, call) {
  const watch = (/** @type {import('node:net').Socket} */ socket) => {
    call.opened = opens(request);
    if (!socket.connecting) return;
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      call.connected_ms = thread_ms();
    });
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}

/** Also `fetch`, which is built on it. */
function watchUndici() {
  /** @type {WeakMap<object, { at: number, call: Call | undefined }>} */
  const open = new WeakMap();
  on('undici:request:create', ({ request }) => {
    const at = place(String(request.origin), 'undici');
    const call = begin(at, request.method, request.origin + request.path, () => varyingOfUndici(request));
    open.set(request, { at, call });
  });
  on('undici:request:headers', ({ request, response }) => {
    const call = tracing.on ? open.get(request)?.call : undefined;
    if (call !== undefined) call.failed = hasFailed(response.statusCode);
  });
  /** @param {number} outcome */
  const ended =
    (outcome) =>
    (/** @type {{ request: object }} */ { request }) => {
      const found = open.get(request);
      if (found === undefined) return;
      open.delete(request);
      end(found.at, outcome);
      if (found.call === undefined) return;
      found.call.to_ms = thread_ms();
      if (outcome === AT.failed) found.call.failed = true;
    };
  on('undici:request:trailers', ended(AT.answered));
  on('undici:request:error', ended(AT.failed));
  on('undici:client:connected', ({ connectParams: { protocol, host } }) => {
    state.table[place(`${protocol}//${host}`, 'undici') + AT.connections] += 1;
    callConnected();
  });
}

/** A response that a client asks for again. @param {number | undefined} status */
function hasFailed(status) {
  return status === undefined || status >= 500 || status === 429;
}

/** Of two requests for one URL the responses may differ by these. */
const VARYING = ['authorization', 'cookie', 'accept', 'accept-language', 'range', 'x-api-key'];

/** @param {import('node:http').ClientRequest} request */
function varyingOfHttp(request) {
  return VARYING.map((name) => request.getHeader(name) ?? '').join('\n');
}

/** Names and values by turns; one text in undici of Node.js 20. @param {{ headers?: string | unknown[] }} request */
function varyingOfUndici({ headers = [] }) {
  const lines =
    typeof headers === 'string'
      ? headers.split('\r\n').map((line) => line.split(': '))
      : headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
  return lines
    .filter(([name]) => VARYING.includes(String(name).toLowerCase()))
    .map(String)
    .join('\n');
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
  manyBecome(state.table, at, ACTIVE, change);
}

/**
 * @param {number} at @param {string} method @param {string} url @param {() => string} varying
 * @returns {Call | undefined} if its request is traced
 */
function begin(at, method, url, varying) {
  activeBecomes(at, 1);
  state.table[at + AT.active_peak] = Math.max(
    state.table[at + AT.active_peak] ?? 0,
    state.table[at + AT.active] ?? 0,
  );
  state.table[at + AT.requests] += 1;
  tracing.calls_seen = true;
  const recent = method === 'GET' && isAskedAgain(url);
  if (recent) state.table[at + AT.repeated] += 1;
  return tracing.on ? callBegins(method, url, varying(), recent) : undefined;
}

/** @param {string} url */
function isAskedAgain(url) {
  const now = thread_ms();
  const before = asked_ms.get(url);
  if (before !== undefined) asked_ms.delete(url);
  asked_ms.set(url, now);
  if (asked_ms.size > URLS_MAX) asked_ms.delete(/** @type {string} */ (asked_ms.keys().next().value));
  return before !== undefined && now - before < REPEATED_MS;
}

/** @param {number} at @param {number} outcome */
function end(at, outcome) {
  activeBecomes(at, -1);
  state.table[at + outcome] += 1;
}
