// @ts-check
/** The ways in which a simulated upstream can fail. */

/** @import { ServerResponse } from 'node:http' */

/**
 * `dead` accepts and never responds; `refusing` does not listen; `failing` responds with 500; `garbage` sends what is not
 * HTTP; `not_json` what is not JSON; `wrong` JSON of another shape; `cut` ends in the middle of its response; `huge`
 * sends a megabyte; `deep` sends 50,000 levels; `inventive` leads a block of a flow and gives reasons that there are not. Slow is not a mode: give it another response time.
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
  'deep',
  'inventive',
]);

/** @typedef {(typeof MODES)[number]} Mode */

/**
 * @param {Mode} mode
 * @param {ServerResponse} res
 * @returns {boolean} whether it responded; if not, the right response is to be sent
 */
export function respondBroken(mode, res) {
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
    case 'deep':
      res.end(`{"reference":"deep","filling":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
      return true;
    default:
      return false;
  }
}

/** What an `inventive` leader says of all others: a reason that would be lines of their own among the metrics.
 * @param {import('../src/page/parts.js').Part[][]} blocks @param {string} leader */
export function invented(blocks, leader) {
  const reason = 'tired"} 1\nmade_up_total{since="today';
  return blocks.map((block) =>
    block.map((part) => (part.name === leader ? part : { name: part.name, status: 'missing', reason })),
  );
}
