#!/usr/bin/env node
// @ts-check
/**
 * The command: hands over to the program for this platform, with the same arguments, environment and terminal. What serves coding
 * assistants is JavaScript.
 */

import { spawn } from 'node:child_process';
import { closeSync, openSync, readSync } from 'node:fs';
import { binary, NoBinaryError } from '../src/binary.js';

/** Exit code of the program itself for whatever is not about a service. */
const FAILED = 1;
/** What ends a run; the program decides how. */
const ENDING = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);
/** npm passes on what a terminal has sent to this process as well. */
const ONE_AND_THE_SAME_MS = 1000;
/** Since Node.js 22.15 a process can become another, and then there is nothing to pass on. */
const become = /** @type {{ execve?: (path: string, args: string[], env: NodeJS.ProcessEnv) => never }} */ (
  process
).execve;

try {
  const args = process.argv.slice(2);
  if (args[0] === 'mcp') await (await import('../src/mcp.js')).serve(args.slice(1));
  else hand(binary(), args);
} catch (error) {
  if (!(error instanceof NoBinaryError)) throw error;
  fail(error.message, error.hint);
}

/** @param {string} path @param {string[]} args */
function hand(path, args) {
  if (become && isElf(path)) become(path, [path, ...args], process.env);
  else run(path, args);
}

/** @param {string} path @param {string[]} args */
function run(path, args) {
  /** @type {import('node:child_process').ChildProcess} */
  let child;
  // Before there is a program: from its first moment on, a signal must not end this process alone.
  for (const signal of ENDING) {
    let before = -Infinity;
    process.on(signal, () => {
      const now = performance.now();
      if (now - before >= ONE_AND_THE_SAME_MS) child.kill(signal);
      before = now;
    });
  }
  child = spawn(path, args, { stdio: 'inherit' });
  child.on('error', (error) => fail(`failed to execute ${path}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal) endBy(signal);
    else process.exitCode = code ?? FAILED;
  });
}

/** As the program ended. @param {NodeJS.Signals} signal */
function endBy(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // For a signal that is ignored here; a shell would report the same.
  process.exitCode = FAILED;
}

/** Whether the kernel executes the file itself; where it refuses to, a process that became it would be lost. @param {string} path */
function isElf(path) {
  const start = Buffer.alloc(4);
  const file = openSync(path, 'r');
  readSync(file, start);
  closeSync(file);
  return start.equals(Buffer.from('\x7fELF', 'latin1'));
}

/** @param {string} message @param {string} [hint] */
function fail(message, hint) {
  process.stderr.write(`error: ${message}\n${hint ? `hint: ${hint}\n` : ''}`);
  process.exitCode = FAILED;
}
