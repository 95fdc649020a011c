// @ts-check
// Requests of the service: how many, how long some of them take, and what some of the responses look like.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import tls from 'node:tls';
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
 * @typedef {import('node:http2').ServerHttp2Stream} Stream
 * @typedef {{ request: Request, response: Response, socket: Socket }} Message
 *
 * @typedef {object} Exchange a request that is followed, whatever it is spoken by
 * @property {Asked} request
 * @property {import('node:stream').Writable} response
 * @property {() => Sent} sent what was sent until now
 *
 * @typedef {{ method?: string | undefined, url?: string | undefined, headers: NodeJS.Dict<string | string[]> }} Asked
 * @typedef {object} Sent
 * @property {string} head as HTTP/1.1 has it
 * @property {number} status
 * @property {number} body_bytes
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

/**
 * What has no channel: handshakes of TLS, and the streams of HTTP/2, each of which is a request.
 * @param {import('node:net').Server} server that listens
 */
export function watchServer(server) {
  if (server instanceof tls.Server) listen(server, 'secureConnection', shookHands);
  onStreams(server, streamed);
}

/**
 * Before the service sees them. Returns what ends it.
 * @param {import('node:net').Server} server @param {(stream: Stream, headers: import('node:http2').IncomingHttpHeaders) => void} listener
 */
export function onStreams(server, listener) {
  // Their classes are not exported.
  if (!/^Http2(Secure)?Server$/.test(server.constructor.name)) return () => {};
  return listen(server, 'stream', listener);
}

/** @param {import('node:net').Server} server @param {string} event @param {(...args: any[]) => void} listener */
function listen(server, event, listener) {
  server.prependListener(event, listener);
  const end = () => void server.off(event, listener);
  state.undo.push(end);
  return end;
}

/** @param {import('node:tls').TLSSocket} socket */
function shookHands(socket) {
  table[socket.isSessionReused() ? AT.handshakes_resumed : AT.handshakes_full] += 1;
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
    if (is_followed) follow(message, ofHttp1);
    if (tracing.on) enter(message);
  } catch {
    // What cannot be observed is left out.
  }
}

/** A stream of HTTP/2. @param {Stream} stream @param {import('node:http2').IncomingHttpHeaders} headers */
function streamed(stream, headers) {
  table[AT.requests_started] += 1;
  const is_followed = --following.left <= 0;
  if (!is_followed && !tracing.on) return;
  try {
    const message = { stream, headers };
    if (is_followed) follow(message, ofHttp2);
    if (tracing.on) enter({ request: asked(headers), response: stream });
  } catch {
    // What cannot be observed is left out.
  }
}

/** @param {Message} message @returns {Exchange} */
function ofHttp1({ request, response, socket }) {
  const written_bytes = socket.bytesWritten;
  return {
    request,
    response,
    sent() {
      // What was really sent, however it was set.
      const head = String(Reflect.get(response, '_header') ?? '');
      const body_bytes = Math.max(socket.bytesWritten - written_bytes - head.length, 0);
      return { head, status: response.statusCode, body_bytes };
    },
  };
}

/**
 * @param {{ stream: Stream, headers: import('node:http2').IncomingHttpHeaders }} message
 * @returns {Exchange}
 */
function ofHttp2({ stream, headers }) {
  const sentBytes = countBody(stream);
  return {
    request: asked(headers),
    response: stream,
    sent() {
      const sent = Object.entries(stream.sentHeaders ?? {}).filter(([name]) => !name.startsWith(':'));
      const head = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return { head, status: Number(stream.sentHeaders?.[':status']), body_bytes: sentBytes() };
    },
  };
}

/** @param {import('node:http2').IncomingHttpHeaders} headers @returns {Asked} */
const asked = (headers) => ({ method: headers[':method'], url: headers[':path'], headers });

/** Its socket carries other streams as well. @param {Stream} stream @returns {() => number} bytes of its body until now */
function countBody(stream) {
  let bytes = 0;
  const { write, end } = stream;
  /** @param {any} original */
  const counting = (original) =>
    /** @this {Stream} @param {any[]} args */
    function (...args) {
      const [chunk, more] = args;
      const encoding = typeof more === 'string' ? /** @type {BufferEncoding} */ (more) : 'utf8';
      if (typeof chunk === 'string') bytes += Buffer.byteLength(chunk, encoding);
      else if (ArrayBuffer.isView(chunk)) bytes += chunk.byteLength;
      return Reflect.apply(original, this, args);
    };
  // `end` writes its chunk by no method that could be counted instead.
  Object.assign(stream, { write: counting(write), end: counting(end) });
  return () => bytes;
}

/**
 * Picked as it begins, so that a slow one has the same chance.
 * @template M
 * @param {M} message @param {(message: M) => Exchange} exchangeOf
 */
function follow(message, exchangeOf) {
  const weight = take(following);
  const from_ms = thread_ms();
  mayBegin(from_ms);
  const { request, response, sent } = exchangeOf(message);
  const is_looked_at = from_ms >= next_look_ms;
  if (is_looked_at) next_look_ms = from_ms + LOOK_MS;
  // Comes also when the client has gone away.
  response.once('close', () => {
    table[AT.followed] += weight;
    table[AT.followed_ns] += weight * (thread_ms() - from_ms) * 1e6;
    if (is_looked_at && response.writableFinished) quietly(() => look(request, sent()));
  });
}

/** @param {Asked} request @param {Sent} sent */
function look(request, { head, status, body_bytes }) {
  const has = (/** @type {RegExp} */ pattern) => pattern.test(head);
  table[AT.looked_sampled] += 1;
  table[AT.looked_body_bytes] += body_bytes;
  if (has(/^connection: *close/im)) table[AT.looked_connection_close] += 1;
  if (request.method === 'GET') {
    table[AT.looked_get] += 1;
    if (has(/^etag:/im)) table[AT.looked_etag] += 1;
    const { 'if-none-match': etag, 'if-modified-since': since } = request.headers;
    if (etag !== undefined || since !== undefined) table[AT.looked_conditional] += 1;
    if (status === 304) table[AT.looked_not_modified] += 1;
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
