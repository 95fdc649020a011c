// @ts-check
/**
 * Errors that a client is told, as problem documents (RFC 9457). A code is part of the interface: it may be added,
 * never renamed.
 */

/** What each service may have to say; the rest is in a table of its own. */
const COMMON = {
  malformed_request: { status: 400, title: 'The request is not valid HTTP' },
  malformed_path: { status: 400, title: 'The path is not valid percent-encoded text' },
  path_not_found: { status: 404, title: 'There is nothing at this path' },
  malformed_json: { status: 400, title: 'The body is not JSON' },
  invalid_body: { status: 422, title: 'The body does not have the expected shape' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  body_too_large: { status: 413, title: 'The body is larger than this service accepts' },
  body_timeout: { status: 408, title: 'The body did not arrive in time' },
  method_not_allowed: { status: 405, title: 'The path does not accept this method' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  headers_too_large: { status: 431, title: 'The headers are larger than this service accepts' },
  not_ready: { status: 503, title: 'The service is not ready' },
  internal: { status: 500, title: 'The service failed' },
};

/**
 * @typedef {keyof typeof COMMON} CommonCode
 * @typedef {{ status: number, title: string }} Kind
 * @typedef {{ headers?: string[], errors?: Record<string, string>[] }} More a flat list of headers; which parts of the
 *   request are at fault, and how
 * @typedef {Error & { status: number, headers: string[], toText: () => string }} AnyProblem
 * @typedef {new (code: CommonCode, detail?: string, more?: More) => AnyProblem} AnyProblemClass of any service
 */

/** What a problem document repeats of a request is bounded, or a response would be many times what was sent. */
export const MOST_ERRORS = 20;
export const MOST_CHARACTERS = 300;

/** @param {string} text */
function clipped(text) {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}

/** @param {Record<string, string>} fault */
function clippedFault(fault) {
  return Object.fromEntries(Object.entries(fault).map(([name, text]) => [name, clipped(text)]));
}

/**
 * The errors of one service: `class Problem extends problemsOf('info', {…}) {}`.
 * @template {Record<string, Kind>} Own
 * @param {string} service as the `type` of a document names it, urn:problem:SERVICE:CODE
 * @param {Own} own by code
 */
export function problemsOf(service, own) {
  /** @type {Record<string, Kind>} */
  const kinds = { ...COMMON, ...own };

  /** An error that the client is told. Anything else that is thrown becomes `internal`, without detail. */
  return class extends Error {
    /**
     * @param {CommonCode | (keyof Own & string)} code
     * @param {string} [detail] what was found and what was expected, for this occurrence
     * @param {More} [more]
     */
    constructor(code, detail, { headers = [], errors } = {}) {
      super(detail ?? kinds[code].title);
      this.code = code;
      this.status = kinds[code].status;
      this.detail = detail;
      this.headers = headers;
      this.errors = errors;
    }

    /** How many faults are not told of, if any. */
    leftOut() {
      const count = (this.errors?.length ?? 0) - MOST_ERRORS;
      return count > 0 ? count : undefined;
    }

    /** The problem document, as text. */
    toText() {
      return JSON.stringify({
        type: `urn:problem:${service}:${this.code}`,
        title: kinds[this.code].title,
        status: this.status,
        code: this.code,
        detail: this.detail === undefined ? undefined : clipped(this.detail),
        errors: this.errors?.slice(0, MOST_ERRORS).map(clippedFault),
        errors_left_out: this.leftOut(),
      });
    }
  };
}
