// @ts-check
// What the first responses say, as hashes: whether the service responds without the thing as it does with it.

import { createHash } from 'node:crypto';
import { on, onStreams } from '../served.js';
import { quietly, state } from '../state.js';
import { disguised } from '../wrap.js';

/** Responses that are looked at; the service is still warming up then. */
const RESPONSES = 64;

/**
 * @typedef {import('node:http2').ServerHttp2Stream} Stream
 * @typedef {import('node:http').ServerResponse | Stream} Response
 */

let left = RESPONSES;
/** @type {(() => void)[]} */
const ends = [];

export function watchContents() {
  ends.push(
    on('http.server.request.start', ({ request, response }) => {
      look(`${request.method} ${request.url}`, response, () => response.statusCode);
    }),
  );
}

/** The same of streams of HTTP/2. @param {import('node:net').Server} server that listens */
export function watchStreams(server) {
  ends.push(
    onStreams(server, (stream, headers) => {
      const status = () => Number(stream.sentHeaders?.[':status']);
      quietly(() => look(`${headers[':method']} ${headers[':path']}`, stream, status));
    }),
  );
}

/** @param {string} request @param {Response} response @param {() => number} status */
function look(request, response, status) {
  left -= 1;
  if (left === 0) for (const end of ends) end();
  if (left >= 0) follow(request, response, status);
}

/** @param {string} request @param {Response} response @param {() => number} status */
function follow(request, response, status) {
  const hash = createHash('sha256');
  let bytes = 0;
  /** @param {any} chunk @param {any} encoding */
  const take = (chunk, encoding) => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const part = typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : chunk;
    bytes += part.byteLength;
    hash.update(part);
  };
  // Neither calls the other.
  for (const name of /** @type {const} */ (['write', 'end'])) {
    /** @type {Function} */
    const original = response[name];
    const value = {
      /** @this {Response} @param {any[]} args */
      wrapper(...args) {
        quietly(() => take(args[0], args[1]));
        return Reflect.apply(original, this, args);
      },
    }.wrapper;
    Object.defineProperty(response, name, {
      value: disguised(value, original),
      writable: true,
      configurable: true,
    });
  }
  response.once('finish', () => {
    quietly(() => {
      const asked = short(createHash('sha256').update(request));
      state.tell({ type: 'content', request: asked, status: status(), content: short(hash), bytes });
    });
  });
}

/** @param {unknown} encoding @returns {BufferEncoding} */
function encodingOf(encoding) {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}

/** @param {import('node:crypto').Hash} hash */
function short(hash) {
  return hash.digest('hex').slice(0, 16);
}
