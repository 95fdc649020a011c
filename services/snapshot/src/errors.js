// @ts-check
/**
 * Every error that a client can be told, in one table. A code is part of the interface: it may be added, never
 * renamed. Answers are problem documents (RFC 9457). A process variable that is dead is no error: it is a result.
 */

const ERRORS = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  invalid_query: { status: 400, title: 'The query does not have the expected shape' },
  nothing_asked: { status: 400, title: 'The query names no process variable' },
  too_many_pvs: { status: 400, title: 'The query names more process variables than one answer may have' },
  group_not_found: { status: 404, title: 'There is no such group of process variables' },
  path_not_found: { status: 404, title: 'There is nothing at this path' },
  method_not_allowed: { status: 405, title: 'The path does not accept this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  headers_too_large: { status: 431, title: 'The headers are larger than this service accepts' },
  too_many_streams: { status: 503, title: 'As many clients as this service accepts follow events already' },
  not_ready: { status: 503, title: 'The service is not ready' },
  internal: { status: 500, title: 'The service failed' },
};

/** @typedef {keyof typeof ERRORS} ErrorCode */

/** An error that the client is told. Anything else that is thrown becomes `internal`, without detail. */
export class Problem extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} [detail] what was found and what was expected, for this occurrence
   * @param {{ headers?: Record<string, string>, errors?: { parameter: string, detail: string }[] }} [more]
   */
  constructor(code, detail, more = {}) {
    super(detail ?? ERRORS[code].title);
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = detail;
    this.headers = more.headers ?? {};
    this.errors = more.errors;
  }

  /** The problem document, as text. */
  toText() {
    return JSON.stringify({
      type: `urn:problem:snapshot:${this.code}`,
      title: ERRORS[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.detail,
      errors: this.errors,
    });
  }
}
