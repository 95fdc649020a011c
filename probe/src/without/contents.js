// @ts-check
// What the first responses say, as hashes: whether the service responds without the thing as it does with it.

import { createHash } from 'node:crypto';
import { on } from '../served.js';
import { quietly, state } from '../state.js';
import { disguised } from '../wrap.js';

/** Responses that are looked at; the service is still warming up then. */
const RESPONSES = 64;

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 */

export function watchContents() {
  let left = RESPONSES;
  const stop = on('http.server.request.start', ({ request, response }) => {
    left -= 1;
    if (left === 0) stop();
    follow(request, response);
  });
}

/** @param {Request} request @param {Response} response */
function follow({ method, url }, response) {
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
      const request = short(createHash('sha256').update(`${method} ${url}`));
      state.tell({ type: 'content', request, status: response.statusCode, content: short(hash), bytes });
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
