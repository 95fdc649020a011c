// @ts-check
/** Servers on free ports of the loopback interface, started and stopped by those who need one. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, openSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 20;
const START_MS = 30_000;

/**
 * @typedef {object} Server
 * @property {string} url
 * @property {number} port
 * @property {number} pid
 * @property {(signal?: NodeJS.Signals) => Promise<void>} kill resolves when the process has ended; SIGKILL if not given
 */

/** What this process started and has to take with it when it ends early.
 * @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The path of a program, from a list of directories and then PATH. @param {string} name @param {string[]} [directories] */
export function findProgram(name, directories = []) {
  const all = [...directories, ...(process.env.PATH ?? '').split(delimiter)];
  return all.map((directory) => join(directory, name)).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A port that nothing listens on. Another process may take it before it is used; then the start fails and says so. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * @param {object} options
 * @param {string} options.program
 * @param {string[]} options.args
 * @param {string} options.log file that takes both outputs
 * @param {number} options.port that it will listen on
 * @param {string} options.url
 * @param {boolean} [options.detached] lives on when this process ends
 * @param {Record<string, string>} [options.env] beside that of this process
 * @param {(port: number) => Promise<boolean>} [options.responds] whether it is ready; else, that it takes connections
 * @returns {Promise<Server>}
 */
export async function startServer({
  program,
  args,
  log,
  port,
  url,
  detached = false,
  env,
  responds = accepts,
}) {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    stdio: ['ignore', output, output],
    detached,
    env: { ...process.env, ...env },
  });
  if (!detached) children.add(child);
  const ended = new Promise((resolve) => child.once('exit', resolve)).finally(() => children.delete(child));
  let failure = '';
  child.once('error', (error) => {
    failure = error.message;
  });
  child.once('exit', (code, signal) => {
    failure = `it ended with ${signal ?? code}`;
  });
  const deadline_ms = Date.now() + START_MS;
  while (!(await responds(port))) {
    if (failure === '' && Date.now() > deadline_ms)
      failure = `it does not respond on port ${port} after ${START_MS / 1000} s`;
    if (failure !== '') {
      child.kill('SIGKILL');
      throw new Error(`failed to start ${program}: ${failure}; hint: what it says is in ${log}`);
    }
    await wait(POLL_MS);
  }
  if (detached) child.unref();
  return {
    url,
    port,
    pid: /** @type {number} */ (child.pid),
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}

/** @param {number} port */
export function accepts(port) {
  return exchange(port, '', () => true);
}

/**
 * Whether a server takes a connection and responds to some bytes as expected.
 * @param {number} port
 * @param {string} bytes sent first; with none, the connection is enough
 * @param {(response: string) => boolean} expected
 * @returns {Promise<boolean>}
 */
export function exchange(port, bytes, expected) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    /** @param {boolean} value */
    function end(value) {
      socket.destroy();
      resolve(value);
    }
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.once('connect', () => {
      if (bytes === '') end(true);
      else socket.write(bytes);
    });
    socket.once('data', (data) => end(expected(data.toString())));
  });
}
