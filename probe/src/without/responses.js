// @ts-check
// What is done to responses on the client's behalf: compression and validators.

import { on } from '../served.js';
import { packageOf } from '../sites.js';
import { replace } from '../wrap.js';
import { isWanted, met, removable } from './removals.js';

const COMPRESSION = 'compression';
const ETAG = 'etag';
const seen = new WeakSet();

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
