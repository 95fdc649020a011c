// @ts-check
/** Which handler responds to a request. A pattern is a path whose segments in braces match any one segment. */

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { AnyProblemClass } from './problem.js' */

/**
 * What a handler is given and what it gives back. Headers are a flat list: name, value, name, value …
 * @typedef {object} Exchange
 * @property {IncomingMessage} req
 * @property {ServerResponse} res to notice that the client left, or for a response that is a stream
 * @property {string} id the segment in braces, or ''
 * @property {string} search what follows the question mark, or ''
 * @typedef {{ status: number, headers: string[], body: string }} Reply
 * @typedef {(exchange: Exchange) => Reply | undefined | Promise<Reply | undefined>} Handler undefined: it has written
 *   the response itself
 * @typedef {{ pattern: string, methods: Record<string, Handler> }} Route
 */

/**
 * @param {Route[]} routes
 * @param {AnyProblemClass} Problem
 * @returns {(method: string, url: string) => { pattern: string, handler: Handler, id: string, search: string }}
 *   throws path_not_found, method_not_allowed (with its `allow` header) or malformed_path
 */
export function createRouter(routes, Problem) {
  const table = routes.map(({ pattern, methods }) => {
    const all = methods.GET === undefined ? methods : { ...methods, HEAD: methods.GET };
    return {
      pattern,
      segments: pattern.split('/').map((segment) => (segment.startsWith('{') ? undefined : segment)),
      methods: new Map(Object.entries(all)),
      allow: Object.keys(all).join(', '),
    };
  });

  return function route(method, url) {
    const mark = url.indexOf('?');
    const found = (mark === -1 ? url : url.slice(0, mark)).split('/');
    for (const { pattern, segments, methods, allow } of table) {
      if (segments.length !== found.length) continue;
      let id = '';
      const fits = segments.every((segment, index) => {
        if (segment === undefined) id = found[index];
        return segment === undefined || segment === found[index];
      });
      if (!fits) continue;
      const handler = methods.get(method);
      if (handler === undefined) {
        throw new Problem('method_not_allowed', `found ${method}, expected ${allow}`, {
          headers: ['allow', allow],
        });
      }
      return {
        pattern,
        handler,
        id: id.includes('%') ? decode(id) : id,
        search: mark === -1 ? '' : url.slice(mark + 1),
      };
    }
    throw new Problem('path_not_found');
  };

  /** @param {string} segment */
  function decode(segment) {
    try {
      return decodeURIComponent(segment);
    } catch {
      throw new Problem('malformed_path', `found ${segment}`);
    }
  }
}
