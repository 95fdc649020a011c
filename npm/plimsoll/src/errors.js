// @ts-check
/** Why there is no result. */

/** @import { Comparison, Findings } from './index.js' */

/**
 * @typedef {object} Circumstances
 * @property {number} [exitCode] of the program, where it ended by itself
 * @property {string} [hint] what to do about it
 * @property {string} [directory] the run directory, where there is one
 * @property {Findings | Comparison} [findings] what was seen until then, where something was
 * @property {unknown} [cause]
 */

/**
 * No result: an invalid plan, a service that died, a program that cannot be started. An objective that does not hold is a result.
 *
 * `code` says which: `ERR_PLIMSOLL_BINARY`, `ERR_PLIMSOLL_PLAN`, `ERR_PLIMSOLL_INTERRUPTED`, `ERR_PLIMSOLL_FAILED`.
 */
export class PlimsollError extends Error {
  /** @param {string} code @param {string} message @param {Circumstances} [circumstances] */
  constructor(code, message, { exitCode, hint, directory, findings, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PlimsollError';
    this.code = code;
    this.exitCode = exitCode;
    this.hint = hint;
    this.directory = directory;
    this.findings = findings;
    // Of interest to those who ask for them, and too long to be printed with the error.
    Object.defineProperty(this, 'findings', { enumerable: false });
  }
}

/** A run was ended by its `AbortSignal`. What was measured until then is in the run directory, and in `findings`. */
export class AbortError extends PlimsollError {
  /** @param {Circumstances} [circumstances] */
  constructor(circumstances) {
    const kept = circumstances?.directory ? `; what was measured is in ${circumstances.directory}` : '';
    super('ABORT_ERR', `aborted${kept}`, circumstances);
    this.name = 'AbortError';
  }
}

/** A measurement that decides nothing: the generator was late, nothing was judged, or the interval of a load line is too wide. It never passes a test. */
export class InconclusiveError extends PlimsollError {
  /** @param {string} message @param {Circumstances} [circumstances] */
  constructor(message, circumstances) {
    super('ERR_PLIMSOLL_INCONCLUSIVE', message, circumstances);
    this.name = 'InconclusiveError';
  }
}
