// @ts-check
// What is done to responses on the client's behalf: compression and validators.

import { on, onStreams } from '../served.js';
import { packageOf } from '../sites.js';
import { replace } from '../wrap.js';
import { isWanted, met, removable } from './removals.js';

const COMPRESSION = 'compression';
const ETAG = 'etag';
const seen = new WeakSet();

/** @typedef {import('./removals.js').Removal} Removal */

/** Clients that accept no encoding get none. */
export function leaveOutCompression() {
  if (!isWanted(COMPRESSION)) return;
  const removal = removable(COMPRESSION);
  on('http.server.request.start', ({ request }) => {
    if (request.headers['accept-encoding'] === undefined) return;
    delete request.headers['accept-encoding'];
    met(removal);
  });
}

/** The same over HTTP/2. @param {import('node:net').Server} server that listens */
export function leaveOutCompressionOfStreams(server) {
  if (!isWanted(COMPRESSION)) return;
  const removal = removable(COMPRESSION);
  onStreams(server, (_, headers) => {
    if (headers['accept-encoding'] === undefined) return;
    delete headers['accept-encoding'];
    met(removal);
  });
}

/** Middleware that compresses is passed over: without `Accept-Encoding` it would still look at each response. */
const COMPRESSORS = new Map([
  ['compression', (/** @type {Removal} */ removal) => passes(removal, 2)],
  ['koa-compress', (/** @type {Removal} */ removal) => passes(removal, 1)],
]);

/** @param {Removal} removal @param {number} next_at which argument is `next` */
function passes(removal, next_at) {
  return (/** @type {any[]} */ ...args) => {
    met(removal);
    return args[next_at]();
  };
}

/**
 * Looks at a module that was loaded; returns what its users are to get.
 * @param {string} file @param {any} exports @returns {any}
 */
export function changedCompressor(file, exports) {
  const pass =
    isWanted(COMPRESSION) && typeof exports === 'function' && COMPRESSORS.get(packageOf(file) ?? '');
  if (!pass) return exports;
  const removal = removable(COMPRESSION);
  const made = () => pass(removal);
  return Object.defineProperties(made, Object.getOwnPropertyDescriptors(exports));
}

/**
 * Express computes an ETag for each response unless its setting says otherwise.
 * @param {string} file @param {any} exports
 */
export function changedResponses(file, exports) {
  if (!isWanted(ETAG) || packageOf(file) !== 'express' || typeof exports?.application?.set !== 'function')
    return;
  if (seen.has(exports)) return;
  seen.add(exports);
  const removal = removable(ETAG);
  replace(exports.application, 'defaultConfiguration', (original) => {
    return {
      /** @this {any} @param {any[]} args */
      defaultConfiguration(...args) {
        const result = Reflect.apply(original, this, args);
        this.set('etag', false);
        met(removal);
        return result;
      },
    }.defaultConfiguration;
  });
}
