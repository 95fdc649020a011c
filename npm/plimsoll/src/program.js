// @ts-check
/** Commands of the program that measure nothing: text in, text out. */

import { spawn } from 'node:child_process';
import { binary, NoBinaryError } from './binary.js';
import { PlimsollError } from './errors.js';

/** The exit code of the program for a plan or arguments that are invalid. */
export const INVALID_PLAN = 104;
const MOST_BYTES = 8 << 20;

/**
 * @typedef {object} Place
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} [signal]
 */

/** Has the program end what it began when nobody reads what it prints any more: it ends with this process, however that ends. */
const BOUND = { PLIMSOLL_ENDS_WITH_READER: '1' };

/** Starts the program. @param {string[]} args @param {{ cwd: string, env: NodeJS.ProcessEnv }} place */
export function start(args, { cwd, env }) {
  try {
    return spawn(binary({ env }), args, { cwd, env: { ...env, ...BOUND }, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    if (!(error instanceof NoBinaryError)) throw error;
    throw new PlimsollError('ERR_PLIMSOLL_BINARY', error.message, { hint: error.hint });
  }
}

/**
 * What a command prints. Whatever its exit code is, what it prints is its result.
 *
 * @param {string[]} args
 * @param {Place & { input?: string }} [place]
 * @returns {Promise<string>}
 */
export async function printed(args, { cwd = process.cwd(), env = process.env, signal, input = '' } = {}) {
  signal?.throwIfAborted();
  const child = start(args, { cwd, env });
  const end = () => child.kill();
  signal?.addEventListener('abort', end, { once: true });
  try {
    // A program that ends before it has read its plan says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const [code, result, words] = await Promise.all([ended, all(child.stdout), all(child.stderr)]);
    signal?.throwIfAborted();
    if (result) return result;
    throw failure(words, code);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** What the program says in words when it fails. @param {string} words @param {number | string | null} code @returns {PlimsollError} */
export function failure(words, code) {
  const [said = '', advice] = words.trim().split(/\n(?=hint: )/);
  // What clap adds for people at a terminal.
  const message = said.split('\n\n')[0]?.replace(/^error: /, '');
  return new PlimsollError(
    code === INVALID_PLAN ? 'ERR_PLIMSOLL_PLAN' : 'ERR_PLIMSOLL_FAILED',
    message || `plimsoll ended by ${typeof code === 'number' ? `exit code ${code}` : code}`,
    { exitCode: typeof code === 'number' ? code : undefined, hint: advice?.replace(/^hint: /, '') },
  );
}

/** @param {import('node:stream').Readable} stream */
async function all(stream) {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) if (text.length < MOST_BYTES) text += chunk;
  return text;
}
