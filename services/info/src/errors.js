// @ts-check
/** The errors of this service, which are those that every service has, and how express tells them. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

export class Problem extends problemsOf('info', {}) {}

/**
 * @param {import('winston').Logger} log for the errors that are our own fault
 * @returns {import('express').ErrorRequestHandler}
 */
export function respondWithProblem(log) {
  return (error, req, res, next) => {
    const problem = asProblem(error);
    if (problem.code === 'internal') {
      const reason = error instanceof Error ? error.stack : String(error);
      log.error('request failed', { method: req.method, url: req.url, reason });
    }
    // A response that has begun can only be broken off, which express does.
    if (res.headersSent) return next(error);
    res.status(problem.status).type('application/problem+json').send(problem.toText());
  };
}

/** @param {unknown} error */
function asProblem(error) {
  if (error instanceof Problem) return error;
  // What express itself refuses carries a status, such as a path that cannot be decoded.
  const { status } = /** @type {{ status?: number }} */ (error ?? {});
  return new Problem(status !== undefined && status < 500 ? 'malformed_request' : 'internal');
}
