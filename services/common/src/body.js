// @ts-check
/** Reads a request's JSON body, bounded in size and in time. */

import { parseJson } from './json.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { AnyProblemClass } from './problem.js' */

/** @typedef {{ limit_bytes: number, timeout_ms: number }} Bounds */

/** For a response to a body whose rest is not wanted: it is not waited for. */
const HANG_UP = { headers: ['connection', 'close'] };

/**
 * @param {AnyProblemClass} Problem
 * @returns {(req: IncomingMessage, bounds: Bounds) => Promise<unknown>} rejects with unsupported_media_type,
 *   body_too_large, body_timeout or malformed_json
 */
export function jsonReader(Problem) {
  return async function readJson(req, bounds) {
    const type = req.headers['content-type'];
    if (type !== 'application/json' && !/^application\/json\s*(;|$)/i.test(type ?? '')) {
      throw new Problem(
        'unsupported_media_type',
        type === undefined ? 'there is no content-type' : `found ${type}`,
      );
    }
    const length_bytes = Number(req.headers['content-length']);
    if (length_bytes > bounds.limit_bytes) throw tooLarge(Problem, bounds.limit_bytes);
    // A small body came in one piece with its headers: then there is nothing to wait for.
    const arrived = req.readableLength === length_bytes;
    const text = arrived ? `${req.read() ?? ''}` : await readArriving(req, bounds, Problem);
    try {
      return parseJson(text);
    } catch (error) {
      throw new Problem('malformed_json', /** @type {Error} */ (error).message);
    }
  };
}

/**
 * @param {IncomingMessage} req
 * @param {Bounds} bounds
 * @param {AnyProblemClass} Problem
 * @returns {Promise<string>}
 */
function readArriving(req, { limit_bytes, timeout_ms }, Problem) {
  return new Promise((resolve, reject) => {
    // Made where it is needed: an error has a stack to take.
    const broken = () => new Problem('malformed_request', 'the body broke off');
    // The client may have left before anyone listened.
    if (req.destroyed || req.aborted) {
      reject(broken());
      return;
    }
    /** @type {Buffer[]} */
    const chunks = [];
    let length = 0;
    const timer = setTimeout(() => {
      stop(new Problem('body_timeout', `expected the whole body within ${timeout_ms} ms`, HANG_UP));
    }, timeout_ms);

    /** @param {Error} error */
    function stop(error) {
      clearTimeout(timer);
      req.pause();
      req.off('data', take);
      reject(error);
    }

    /** @param {Buffer} chunk */
    function take(chunk) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit_bytes) stop(tooLarge(Problem, limit_bytes));
    }

    req.on('data', take);
    req.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString());
    });
    req.once('error', () => stop(broken()));
    // Over HTTP/2 a body that breaks off is no error, and it ends afterwards as if it were complete.
    req.once('aborted', () => stop(broken()));
  });
}

/** @param {AnyProblemClass} Problem @param {number} limit_bytes */
function tooLarge(Problem, limit_bytes) {
  return new Problem('body_too_large', `expected at most ${limit_bytes} bytes`, HANG_UP);
}
