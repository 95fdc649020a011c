// @ts-check
// Requests that the service answers, and what some of the answers look like.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { state } from './state.js';
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

const { table } = state;

export function watchServed() {
  on('net.server.socket', () => {
    table[AT.connections] += 1;
  });
  onHot('http.server.request.start', started);
  onHot('http.server.response.finish', finished);
}

/** @param {string} channel @param {(message: any) => void} listener */
export function on(channel, listener) {
  onHot(channel, (message) => {
    try {
      listener(message);
    } catch {
      // A message of another shape than expected.
    }
  });
}

/**
 * For channels with a message for each request: a listener that catches its own errors, so that no function stands
 * in between.
 * @param {string} channel @param {(message: any) => void} listener
 */
function onHot(channel, listener) {
  subscribe(channel, listener);
  state.undo.push(() => unsubscribe(channel, listener));
}

/** @param {number} change @param {number} now */
function activeBecomes(change, now) {
  const active = table[AT.requests_active] ?? 0;
  table[AT.requests_active_ns] += active * (now - (table[AT.requests_changed_ms] ?? now)) * 1e6;
  table[AT.requests_changed_ms] = now;
  table[AT.requests_active] = Math.max(active + change, 0);
}

/** @param {Message} message */
function started({ response, socket }) {
  try {
    const now = now_ms();
    activeBecomes(1, now);
    table[AT.requests_started] += 1;
    (open.get(socket) ?? opened(socket)).count += 1;
    // One answer at a time, picked as its request arrives, so that slow ones have the same chance.
    if (now >= picked.next_ms) pick(response, socket, now);
  } catch {
    // What cannot be observed is left out.
  }
}

/** @param {Socket} socket */
function opened(socket) {
  const mine = { count: 0 };
  open.set(socket, mine);
  // A client that goes away leaves requests that never finish.
  socket.once('close', () => {
    if (mine.count > 0) activeBecomes(-mine.count, now_ms());
    mine.count = 0;
  });
  return mine;
}

/** @param {Message} message */
function finished({ request, response, socket }) {
  try {
    const requests = open.get(socket);
    if (requests !== undefined && requests.count > 0) {
      requests.count -= 1;
      activeBecomes(-1, now_ms());
      table[AT.requests_finished] += 1;
    }
    if (response === picked.response) {
      picked.response = undefined;
      picked.next_ms -= LOOK_TIMEOUT_MS - LOOK_MS;
      look(request, response, socket);
    }
  } catch {
    // As above.
  }
}

const picked = {
  /** @type {Response | undefined} */
  response: undefined,
  written_bytes: 0,
  next_ms: 0,
};

/** @param {Response} response @param {Socket} socket @param {number} now */
function pick(response, socket, now) {
  picked.response = response;
  picked.written_bytes = socket.bytesWritten;
  picked.next_ms = now + LOOK_TIMEOUT_MS;
}

/** @param {Request} request @param {Response} response @param {Socket} socket */
function look(request, response, socket) {
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
