// @ts-check
/**
 * Every error that a client can be told, in one table, and how it is told: as a problem document (RFC 9457). A code
 * is part of the interface: it may be added, never renamed.
 */

const ERRORS = {
  malformed_request: { status: 400, title: 'The request is malformed' },
  path_not_found: { status: 404, title: 'There is nothing at this path' },
  method_not_allowed: { status: 405, title: 'The path does not accept this method' },
  not_ready: { status: 503, title: 'The service is not ready' },
  internal: { status: 500, title: 'The service failed' },
};

/** @typedef {keyof typeof ERRORS} ErrorCode */

/** An error that the client is told. Anything else that is thrown becomes `internal`, without detail. */
export class Problem extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} [detail] what was found and what was expected, for this occurrence
   */
  constructor(code, detail) {
    super(detail ?? ERRORS[code].title);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * @param {import('winston').Logger} log for the errors that are our own fault
 * @returns {import('express').ErrorRequestHandler}
 */
export function answerProblem(log) {
  return (error, req, res, next) => {
    const problem = asProblem(error);
    if (problem.code === 'internal') {
      const reason = error instanceof Error ? error.stack : String(error);
      log.error('request failed', { method: req.method, url: req.url, reason });
    }
    // The answer has begun: all that is left is to break it off, which express does.
    if (res.headersSent) return next(error);
    const { status, title } = ERRORS[problem.code];
    const { code, detail } = problem;
    res
      .status(status)
      .type('application/problem+json')
      .send(JSON.stringify({ type: `urn:problem:info:${code}`, title, status, code, detail }));
  };
}

/** @param {unknown} error */
function asProblem(error) {
  if (error instanceof Problem) return error;
  // What express itself refuses carries a status, such as a path that cannot be decoded.
  const { status } = /** @type {{ status?: number }} */ (error ?? {});
  return new Problem(status !== undefined && status < 500 ? 'malformed_request' : 'internal');
}
