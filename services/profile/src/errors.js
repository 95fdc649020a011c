// @ts-check
/**
 * Every error that a client can be told, in one table. A code is part of the interface: it may be added,
 * never renamed. Answers are problem documents (RFC 9457).
 */

const ERRORS = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_path: { status: 400, title: 'The path is not valid percent-encoded text' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  invalid_body: { status: 422, title: 'The body does not have the expected shape' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  body_too_large: { status: 413, title: 'The body is larger than this service accepts' },
  body_timeout: { status: 408, title: 'The body did not arrive in time' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  headers_too_large: { status: 431, title: 'The headers are larger than this service accepts' },
  token_missing: { status: 401, title: 'A bearer token is needed' },
  token_invalid: { status: 401, title: 'The bearer token is unknown or has expired' },
  credentials_invalid: { status: 401, title: 'The user or the secret is wrong' },
  path_not_found: { status: 404, title: 'There is nothing at this path' },
  profile_not_found: { status: 404, title: 'You have no such profile' },
  method_not_allowed: { status: 405, title: 'The path does not accept this method' },
  source_changed: { status: 412, title: 'The source no longer has this ETag' },
  etag_stale: { status: 412, title: 'The profile no longer has this ETag' },
  etag_missing: { status: 428, title: 'An If-Match header is needed' },
  profile_busy: { status: 503, title: 'The profile is being changed by too many requests at once' },
  queue_full: { status: 503, title: 'Too many profiles wait to be stored' },
  cache_unavailable: { status: 503, title: 'The cache cannot be reached' },
  store_unavailable: { status: 503, title: 'The store cannot be reached' },
  outcome_unknown: {
    status: 503,
    title: 'The connection broke before it was known whether the change was made',
  },
  not_ready: { status: 503, title: 'The service is not ready' },
  internal: { status: 500, title: 'The service failed' },
};

/** @typedef {keyof typeof ERRORS} ErrorCode */

/** An error that the client is told. Anything else that is thrown becomes `internal`, without detail. */
export class Problem extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} [detail] what was found and what was expected, for this occurrence
   * @param {{ headers?: string[], errors?: { pointer: string, detail: string }[] }} [more] flat list of headers;
   *   where in the body the faults are (JSON Pointer, RFC 6901)
   */
  constructor(code, detail, more = {}) {
    super(detail ?? ERRORS[code].title);
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = detail;
    this.headers = more.headers ?? [];
    this.errors = more.errors;
  }

  /** The problem document, as text. */
  toText() {
    return JSON.stringify({
      type: `urn:problem:profile:${this.code}`,
      title: ERRORS[this.code].title,
      status: this.status,
      code: this.code,
      detail: this.detail,
      errors: this.errors,
    });
  }
}
