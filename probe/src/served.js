// @ts-check
// Requests that the service answers, and what some of the answers look like.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { quietly, state } from './state.js';
import { AT, now_ms } from './table.js';

/** Distance of the answers that are looked at, and how long one is waited for. */
const LOOK_MS = 50;
const LOOK_TIMEOUT_MS = 2000;
const COMPRESSIBLE_BYTES_MIN = 1024;
const COMPRESSIBLE = /^content-type: *(text\/|application\/(\S+\+)?(json|xml|javascript)|image\/svg)/im;

/**
 * How many requests of a socket are open. Not kept on the socket: a property more would turn it into a slow object, and
 * each request of the service with it.
 * @type {WeakMap<Socket, { count: number }>}
 */
const open = new WeakMap();

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('node:net').Socket} Socket
 * @typedef {{ request: Request, response: Response, socket: Socket }} Message
 */

export function watchServed() {
  on('net.server.socket', () => {
    state.table[AT.connections] += 1;
  });
  on('http.server.request.start', started);
  on('http.server.response.finish', finished);
}

/** @param {string} channel @param {(message: any) => void} listener */
export function on(channel, listener) {
  /** @param {unknown} message */
  const safely = (message) => {
    try {
      listener(message);
    } catch {
      // A message of another shape than expected.
    }
  };
  subscribe(channel, safely);
  state.undo.push(() => unsubscribe(channel, safely));
}

/** @param {number} change */
function activeBecomes(change) {
  const { table } = state;
  const now = now_ms();
  const active = table[AT.requests_active] ?? 0;
  table[AT.requests_active_ns] += active * (now - (table[AT.requests_changed_ms] ?? now)) * 1e6;
  table[AT.requests_changed_ms] = now;
  table[AT.requests_active] = Math.max(active + change, 0);
}

/** @param {Message} message */
function started({ response, socket }) {
  activeBecomes(1);
  state.table[AT.requests_started] += 1;
  let requests = open.get(socket);
  if (requests === undefined) {
    const mine = { count: 0 };
    requests = mine;
    open.set(socket, mine);
    // A client that goes away leaves requests that never finish.
    socket.once('close', () => {
      if (mine.count > 0) activeBecomes(-mine.count);
      mine.count = 0;
    });
  }
  requests.count += 1;
  pick(response, socket);
}

/** @param {Message} message */
function finished({ request, response, socket }) {
  const requests = open.get(socket);
  if (requests !== undefined && requests.count > 0) {
    requests.count -= 1;
    activeBecomes(-1);
    state.table[AT.requests_finished] += 1;
  }
  if (response === picked.response) {
    picked.response = undefined;
    quietly(() => look(request, response, socket));
  }
}

const picked = {
  /** @type {Response | undefined} */
  response: undefined,
  written_bytes: 0,
  at_ms: 0,
};

/** One answer at a time, picked as its request arrives, so that slow ones have the same chance. */
function pick(/** @type {Response} */ response, /** @type {Socket} */ socket) {
  const now = performance.now();
  if (now - picked.at_ms < (picked.response ? LOOK_TIMEOUT_MS : LOOK_MS)) return;
  picked.response = response;
  picked.written_bytes = socket.bytesWritten;
  picked.at_ms = now;
}

/** @param {Request} request @param {Response} response @param {Socket} socket */
function look(request, response, socket) {
  const { table } = state;
  // What was really sent, however it was set.
  const head = String(Reflect.get(response, '_header') ?? '');
  const has = (/** @type {RegExp} */ pattern) => pattern.test(head);
  const body_bytes = Math.max(socket.bytesWritten - picked.written_bytes - head.length, 0);
  table[AT.looked_sampled] += 1;
  table[AT.looked_body_bytes] += body_bytes;
  if (has(/^connection: *close/im)) table[AT.looked_connection_close] += 1;
  if (request.method === 'GET') {
    table[AT.looked_get] += 1;
    if (has(/^etag:/im)) table[AT.looked_etag] += 1;
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    if (etag !== undefined || since !== undefined) table[AT.looked_conditional] += 1;
    if (response.statusCode === 304) table[AT.looked_not_modified] += 1;
  }
  const compressed = has(/^content-encoding: *(?!identity)/im);
  if (!has(COMPRESSIBLE) || (body_bytes < COMPRESSIBLE_BYTES_MIN && !compressed)) return;
  table[AT.looked_compressible] += 1;
  table[AT.looked_compressible_bytes] += body_bytes;
  if (compressed) table[AT.looked_compressed] += 1;
  if (/\b(gzip|br|deflate|zstd)\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    table[AT.looked_accepts_encoding] += 1;
  }
}
