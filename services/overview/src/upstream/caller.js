// @ts-check
/** One call to an upstream, bounded in time and cancelled with its page; whatever happens, it has an outcome. */

import { parseJson } from '@plimsoll/service-common/json.js';

/** @import { EndReason, Scope } from '../page/scope.js' */

/**
 * Why a part is missing.
 * @typedef {'timeout' | 'refused' | 'broken' | 'status' | 'malformed' | 'too_large' | EndReason} MissingReason
 *
 * @typedef {{ origin: string, method: 'GET' | 'POST', path: string, body: string | undefined }} Request
 * @typedef {{ upstream: string, method: 'GET' | 'POST', path: string, body: string | undefined, timeout_ms: number }} Wanted
 * @typedef {{ value: unknown, reason?: undefined } | { reason: MissingReason }} Outcome `value` is parsed JSON
 * @typedef {(wanted: Wanted, scope: Scope) => Promise<Outcome>} Call
 *
 * @typedef {object} Transport what sends the bytes; the simulated upstreams use it too, when they lead a block
 * @property {(request: Request, done: (result: { status: number, text: string } | { error: unknown }) => void) => () => void} start
 *   returns what aborts it; `done` may be called more than once, and after an abort: the first call counts
 * @property {() => number} opened connections opened so far
 * @property {() => void} close
 */

/** A response that is larger than we take. */
export class TooLargeError extends Error {}

/**
 * @param {Transport} transport
 * @param {Map<string, string>} origins where each upstream is
 * @returns {Call}
 */
export function createCaller(transport, origins) {
  return ({ upstream, method, path, body, timeout_ms }, scope) => {
    const { promise, resolve } = withResolvers();
    const origin = origins.get(upstream);
    if (scope.ended !== undefined || origin === undefined) {
      // Nobody listens at an address that there is not.
      resolve({ reason: scope.ended ?? 'refused' });
      return promise;
    }
    const abort = transport.start({ origin, method, path, body }, (result) => {
      settle('error' in result ? { reason: reasonOf(result.error) } : read(result));
    });
    const timer = setTimeout(() => cancel('timeout'), timeout_ms);
    scope.hold(cancel);

    /** @param {EndReason | 'timeout'} reason */
    function cancel(reason) {
      settle({ reason });
      abort();
    }

    /** @param {Outcome} outcome */
    function settle(outcome) {
      clearTimeout(timer);
      scope.release(cancel);
      resolve(outcome);
    }
    return promise;
  };
}

/** @param {{ status: number, text: string }} response @returns {Outcome} */
function read({ status, text }) {
  if (status !== 200) return { reason: 'status' };
  try {
    return { value: parseJson(text) };
  } catch {
    return { reason: 'malformed' };
  }
}

/** @param {unknown} error @returns {MissingReason} */
function reasonOf(error) {
  if (error instanceof TooLargeError) return 'too_large';
  const code = String(/** @type {{ code?: unknown } | null} */ (error)?.code);
  if (code === 'ECONNREFUSED') return 'refused';
  return code.startsWith('HPE_') ? 'malformed' : 'broken';
}

/** Promise.withResolvers, which Node.js 20 does not have. */
function withResolvers() {
  /** @type {(outcome: Outcome) => void} */
  let resolve = () => {};
  /** @type {Promise<Outcome>} */
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
