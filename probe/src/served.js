// @ts-check
// Requests of the service: how many, how long some of them take, and what some of the responses look like.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createSampling, take } from './sampling.js';
import { quietly, state } from './state.js';
import { AT, thread_ms } from './table.js';
import { enter, finish, mayBegin, tracing } from './trace.js';

/** Requests that are followed from their start to their end. */
const FOLLOWED_PER_S = 100;
/** Distance of those whose responses are looked at. */
const LOOK_MS = 50;
const COMPRESSIBLE_BYTES_MIN = 1024;
const COMPRESSIBLE = /^content-type: *(text\/|application\/(\S+\+)?(json|xml|javascript)|image\/svg)/im;

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {import('node:net').Socket} Socket
 * @typedef {{ request: Request, response: Response, socket: Socket }} Message
 */

const { table } = state;
const following = createSampling(FOLLOWED_PER_S);
let next_look_ms = 0;

export function watchServed() {
  on('net.server.socket', ({ socket }) => {
    table[AT.connections] += 1;
    table[AT.connections_open] += 1;
    table[AT.connections_peak] = Math.max(table[AT.connections_peak] ?? 0, table[AT.connections_open] ?? 0);
    socket.once('close', () => {
      table[AT.connections_open] -= 1;
    });
  });
  // The only one of its channels that has a message for each request: another would cost as much again.
  onHot('http.server.request.start', started);
  state.undo.push(finish);
}

/** Returns what ends it. @param {string} channel @param {(message: any) => void} listener */
export function on(channel, listener) {
  return onHot(channel, (message) => {
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
  const end = () => void unsubscribe(channel, listener);
  state.undo.push(end);
  return end;
}

/** @param {Message} message */
function started(message) {
  table[AT.requests_started] += 1;
  const is_followed = --following.left <= 0;
  if (!is_followed && !tracing.on) return;
  try {
    if (is_followed) follow(message);
    if (tracing.on) enter(message);
  } catch {
    // What cannot be observed is left out.
  }
}

/** Picked as it begins, so that a slow one has the same chance. @param {Message} message */
function follow({ request, response, socket }) {
  const weight = take(following);
  const from_ms = thread_ms();
  mayBegin(from_ms);
  const written_bytes = socket.bytesWritten;
  const is_looked_at = from_ms >= next_look_ms;
  if (is_looked_at) next_look_ms = from_ms + LOOK_MS;
  // Comes also when the client has gone away.
  response.once('close', () => {
    table[AT.followed] += weight;
    table[AT.followed_ns] += weight * (thread_ms() - from_ms) * 1e6;
    if (is_looked_at && response.writableFinished) {
      quietly(() => look(request, response, socket.bytesWritten - written_bytes));
    }
  });
}

/** @param {Request} request @param {Response} response @param {number} sent_bytes */
function look(request, response, sent_bytes) {
  // What was really sent, however it was set.
  const head = String(Reflect.get(response, '_header') ?? '');
  const has = (/** @type {RegExp} */ pattern) => pattern.test(head);
  const body_bytes = Math.max(sent_bytes - head.length, 0);
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
