// @ts-check
/**
 * Every error that a client can be told, in one table. A code is part of the interface: it may be added,
 * never renamed. Answers are problem documents (RFC 9457).
 */

const ERRORS = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_path: { status: 400, title: 'The path is not valid percent-encoded text' },
  invalid_account: { status: 400, title: 'This cannot be the name of an account' },
  unexpected_body: { status: 400, title: 'No request here has a body' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  headers_too_large: { status: 431, title: 'The headers are larger than this service accepts' },
  path_not_found: { status: 404, title: 'There is nothing at this path' },
  method_not_allowed: { status: 405, title: 'The path does not accept this method' },
  too_busy: { status: 503, title: 'Too many pages are being put together' },
  not_ready: { status: 503, title: 'The service is not ready' },
  internal: { status: 500, title: 'The service failed' },
};

/** @typedef {keyof typeof ERRORS} ErrorCode */

/** An error that the client is told. Anything else that is thrown becomes `internal`, without detail. */
export class Problem extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} [detail] what was found and what was expected, for this occurrence
   * @param {{ headers?: string[] }} [more] flat list of headers
   */
  constructor(code, detail, more = {}) {
    super(detail ?? ERRORS[code].title);
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = detail;
    this.headers = more.headers ?? [];
  }

  /** The problem document, as text. */
  toText() {
    return JSON.stringify({
      type: `urn:problem:overview:${this.code}`,
      title: ERRORS[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.detail,
    });
  }
}
