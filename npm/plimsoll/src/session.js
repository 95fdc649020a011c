// @ts-check
/** A run of the program as a promise of its result and an iterable of its progress. */

import { Readable } from 'node:stream';
import { AbortError, PlimsollError } from './errors.js';
import { failure, INVALID_PLAN, start } from './program.js';

/** @import { Event as ProgressEvent } from './types/results.js' */
/** @import { Given } from './plan.js' */
/** @import { Comparison, Findings } from './index.js' */

/** The exit code of the program for a run that was stopped. */
const INTERRUPTED = 105;
/** Far above the findings of any run. */
const MOST_RESULT_BYTES = 64 << 20;
/** The last lines of what the program said in words. */
const MOST_SAID_BYTES = 8 << 10;
/** How long an aborted run may take to end the service and write its findings, until it is told again, and until it is killed. */
const GRACE_MS = 30_000;
const KILL_MS = 10_000;

/**
 * @typedef {object} Launch
 * @property {string[]} args
 * @property {Given} plan
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {AbortSignal} [signal]
 */

/**
 * What the program said on standard error besides events.
 * @typedef {object} Said
 * @property {Extract<ProgressEvent, { type: 'failed' }>} [failed]
 * @property {string} words
 */

/**
 * A run that has begun. `await` it for the findings; iterate over it for what happens meanwhile.
 *
 * @template {Findings | Comparison} Result
 * @implements {Promise<Result>}
 * @implements {AsyncIterable<ProgressEvent>}
 */
export class Session {
  /**
   * The run directory, as soon as there is one.
   * @type {string | undefined}
   */
  directory;
  /** A promise in every respect. */
  [Symbol.toStringTag] = 'Session';
  /** @type {Set<Readable>} */
  #followers = new Set();
  /** @type {Promise<Result>} */
  #result;

  /** @param {Launch} launch */
  constructor(launch) {
    this.#result = this.#run(launch);
  }

  /**
   * @template [Fulfilled=Result]
   * @template [Rejected=never]
   * @param {((result: Result) => Fulfilled | PromiseLike<Fulfilled>) | null} [onFulfilled]
   * @param {((error: any) => Rejected | PromiseLike<Rejected>) | null} [onRejected]
   * @returns {Promise<Fulfilled | Rejected>}
   */
  // biome-ignore lint/suspicious/noThenProperty: to be awaited is what it is for.
  then(onFulfilled, onRejected) {
    return this.#result.then(onFulfilled, onRejected);
  }

  /**
   * @template [Rejected=never]
   * @param {((error: any) => Rejected | PromiseLike<Rejected>) | null} [onRejected]
   * @returns {Promise<Result | Rejected>}
   */
  catch(onRejected) {
    return this.#result.catch(onRejected);
  }

  /**
   * @param {(() => void) | null} [onFinally]
   * @returns {Promise<Result>}
   */
  finally(onFinally) {
    return this.#result.finally(onFinally);
  }

  /**
   * Events from now on, until the run is over; throws what the session is rejected with. Leaving the loop does not end the run.
   *
   * @returns {AsyncGenerator<ProgressEvent, void, undefined>}
   */
  [Symbol.asyncIterator]() {
    const follower = new Readable({ objectMode: true, read() {} });
    this.#followers.add(follower);
    follower.on('close', () => this.#followers.delete(follower));
    this.#result.then(
      () => follower.push(null),
      () => follower.push(null),
    );
    return this.#follow(follower);
  }

  /** @param {Readable} follower @returns {AsyncGenerator<ProgressEvent, void, undefined>} */
  async *#follow(follower) {
    yield* follower;
    await this.#result;
  }

  /** @param {ProgressEvent} event */
  #happened(event) {
    if (event.type === 'directory_created') this.directory ??= event.path;
    for (const follower of this.#followers) follower.push(event);
  }

  /** @param {Launch} launch @returns {Promise<Result>} */
  async #run({ args, plan, cwd, env, signal }) {
    try {
      if (signal?.aborted) throw new AbortError({ cause: signal.reason });
      const child = start(args, { cwd, env });
      const ended = new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code, by) => resolve({ code, by }));
      });
      const ender = signal && endOn(signal, child);
      try {
        // A program that ends before it has read its plan says why.
        child.stdin.on('error', () => {});
        child.stdin.end(plan.input ?? '');
        const [{ code, by }, said, printed] = await Promise.all([
          ended,
          this.#listen(child.stderr),
          all(child.stdout),
        ]);
        return this.#outcome({ code, by, said, printed, signal });
      } finally {
        ender?.();
      }
    } finally {
      plan.remove?.();
    }
  }

  /**
   * Passes events on.
   * @param {Readable} stderr
   * @returns {Promise<Said>}
   */
  async #listen(stderr) {
    /** @type {Said['failed']} */
    let failed;
    let words = '';
    let rest = '';
    for await (const chunk of stderr.setEncoding('utf8')) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = eventOf(line);
        if (event?.type === 'failed') failed = event;
        else if (event) this.#happened(event);
        else words = `${words}${line}\n`.slice(-MOST_SAID_BYTES);
      }
    }
    return { failed, words: (words + rest).trim() };
  }

  /**
   * @param {object} end
   * @param {number | null} end.code
   * @param {NodeJS.Signals | null} end.by
   * @param {Said} end.said
   * @param {string} end.printed
   * @param {AbortSignal | undefined} end.signal
   * @returns {Result}
   */
  #outcome({ code, by, said: { failed, words }, printed, signal }) {
    const findings = /** @type {Result | undefined} */ (parsed(printed));
    const about = { exitCode: code ?? undefined, directory: this.directory, findings };
    if (signal?.aborted && (code === INTERRUPTED || by))
      throw new AbortError({ ...about, cause: signal.reason });
    if (findings?.verdict === 'interrupted' || findings?.verdict === 'failed') {
      const which = findings.verdict === 'failed' ? 'FAILED' : 'INTERRUPTED';
      const { headline, next_step } = findings;
      throw new PlimsollError(`ERR_PLIMSOLL_${which}`, headline.text, { hint: next_step.text, ...about });
    }
    // What could not be written in one place does not cost the result in another, and is said.
    if (findings && !failed) return findings;
    if (!failed) throw Object.assign(failure(words, code ?? by), about);
    const which = code === INVALID_PLAN ? 'PLAN' : code === INTERRUPTED ? 'INTERRUPTED' : 'FAILED';
    throw new PlimsollError(`ERR_PLIMSOLL_${which}`, failed.message, {
      hint: failed.hint ?? undefined,
      ...about,
    });
  }
}

/**
 * @template {Findings | Comparison} Result
 * @param {Launch} launch
 * @returns {Session<Result>}
 */
export function launch(launch) {
  return new Session(launch);
}

/**
 * Ends a run as Ctrl-C does.
 * @param {AbortSignal} signal
 * @param {import('node:child_process').ChildProcess} child
 */
function endOn(signal, child) {
  /** @type {NodeJS.Timeout[]} */
  const timers = [];
  const end = () => {
    child.kill('SIGINT');
    timers.push(
      setTimeout(() => child.kill('SIGINT'), GRACE_MS),
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS + KILL_MS),
    );
  };
  signal.addEventListener('abort', end, { once: true });
  return () => {
    signal.removeEventListener('abort', end);
    timers.forEach(clearTimeout);
  };
}

/** @param {Readable} stdout */
async function all(stdout) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stdout) {
    bytes += chunk.length;
    if (bytes <= MOST_RESULT_BYTES) chunks.push(chunk);
  }
  return bytes <= MOST_RESULT_BYTES ? Buffer.concat(chunks).toString('utf8') : '';
}

/** @param {string} line @returns {ProgressEvent | undefined} */
function eventOf(line) {
  if (!line.startsWith('{')) return undefined;
  const event = parsed(line);
  return event !== null && typeof event === 'object' && 'type' in event
    ? /** @type {ProgressEvent} */ (event)
    : undefined;
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
