// @ts-check
/** The ways in which a simulated upstream can fail. */

/** @import { ServerResponse } from 'node:http' */

/**
 * `dead` accepts and never answers; `refusing` does not listen; `failing` answers 500; `garbage` answers what is not
 * HTTP; `not_json` what is not JSON; `wrong` JSON of another shape; `cut` ends in the middle of its answer; `huge`
 * answers a megabyte. Slow is not a mode: give it another response time.
 */
export const MODES = /** @type {const} */ ([
  'normal',
  'dead',
  'refusing',
  'failing',
  'garbage',
  'not_json',
  'wrong',
  'cut',
  'huge',
]);

/** @typedef {(typeof MODES)[number]} Mode */

/**
 * @param {Mode} mode
 * @param {ServerResponse} res
 * @returns {boolean} whether it answered; if not, the right answer is to be sent
 */
export function answerBroken(mode, res) {
  switch (mode) {
    case 'failing':
      res.writeHead(500).end('{"error":"failing"}');
      return true;
    case 'garbage':
      res.socket?.end('ahoy\r\n\r\n');
      return true;
    case 'not_json':
      res.end('{"reference":');
      return true;
    case 'wrong':
      res.end('{"reference":"../admin"}');
      return true;
    case 'cut':
      res.writeHead(200, { 'content-length': '400' }).write('{"reference":"');
      // The part that was written has to leave first.
      setImmediate(() => res.socket?.destroySoon());
      return true;
    case 'huge':
      res.end(JSON.stringify({ reference: 'huge', filling: 'x'.repeat(1_000_000) }));
      return true;
    default:
      return false;
  }
}
