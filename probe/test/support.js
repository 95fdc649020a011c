// @ts-check
// A receiver on a unix socket, and services with the probe in them.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('node:test').TestContext} TestContext */
/** @typedef {{ type: string, [field: string]: any }} Message */

const later = (/** @type {number} */ major) =>
  fileURLToPath(new URL(`../../.tools/node/node_modules/node-${major}/bin/node`, import.meta.url));

/** Versions of Node.js that are here, with the path of each. */
export const nodes = [
  { version: process.versions.node, node: process.execPath },
  { version: '22', node: later(22) },
  { version: '24', node: later(24) },
].filter(({ node }) => existsSync(node));

/** @param {string} name */
export const service = (name) => fileURLToPath(new URL(`services/${name}`, import.meta.url));

/**
 * The line of a file that ends in `// line: NAME`, from 1.
 * @param {string} file @param {string} name
 */
export function markedLine(file, name) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.endsWith(`// line: ${name}`));
  assert.notEqual(index, -1, `${file} has no line: ${name}`);
  return index + 1;
}

/** A directory that is removed after the test, with a space in its name. @param {TestContext} t */
export function directory(t) {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll probe '));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** One connection of a probe, and all that it said. */
export class Connection {
  /** @type {Message[]} */
  messages = [];
  closed = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();
  #socket;

  /** @param {net.Socket} socket */
  constructor(socket) {
    this.#socket = socket;
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.#wake();
    });
    socket.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.messages.push(JSON.parse(line));
      this.#wake();
    });
  }

  #wake() {
    for (const wake of this.#waiting) wake();
  }

  /**
   * The first message that holds, of those that came and those to come.
   * @param {(message: Message) => unknown} holds
   * @returns {Promise<Message>}
   */
  until(holds, from = 0) {
    return this.#when(() => this.messages.slice(from).find(holds), 'the message that a test waits for');
  }

  /** @returns {Promise<unknown>} */
  ended() {
    return this.#when(() => this.closed || undefined, 'the end');
  }

  /**
   * @template T
   * @param {() => T | undefined} find @param {string} what
   * @returns {Promise<T>}
   */
  #when(find, what) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (found === undefined && !this.closed) return;
        this.#waiting.delete(look);
        if (found === undefined) reject(new Error(`the probe left before ${what}`));
        else resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** @param {object} command */
  send(command) {
    this.#socket.write(`${JSON.stringify(command)}\n`);
  }

  /** The figures as they are now. One report may be on its way already, with older ones, so the second counts. */
  report() {
    const from = this.messages.length;
    this.send({ type: 'report' });
    this.send({ type: 'report' });
    const second = () => this.messages.slice(from).filter(({ type }) => type === 'counters')[1];
    return this.#when(second, 'the report that a test asked for');
  }

  destroy() {
    this.#socket.destroy();
  }
}

/** @param {TestContext} t @param {string} path */
export async function listen(t, path) {
  /** @type {Connection[]} */
  const connections = [];
  /** @type {Set<() => void>} */
  const waiting = new Set();
  const server = net.createServer((socket) => {
    connections.push(new Connection(socket));
    for (const wake of waiting) wake();
  });
  server.listen(path);
  await once(server, 'listening');
  const close = () => {
    server.close();
    for (const connection of connections) connection.destroy();
  };
  t.after(close);
  /**
   * As soon as there are so many.
   * @param {number} count
   * @returns {Promise<Connection[]>}
   */
  const connected = (count) =>
    new Promise((resolve) => {
      const look = () => {
        if (connections.length < count) return;
        waiting.delete(look);
        resolve(connections);
      };
      waiting.add(look);
      look();
    });
  return { connections, connected, close };
}

/**
 * The environment that puts the probe into a process.
 * @param {string} root @param {object} [settings]
 */
export function environment(root, settings) {
  const probe = join(root, 'probe.cjs');
  copyFileSync(fileURLToPath(new URL('../probe.cjs', import.meta.url)), probe);
  return {
    NODE_OPTIONS: `--require "${probe}"`,
    PLIMSOLL_PROBE: JSON.stringify({ socket: join(root, 'socket'), report_interval_ms: 50, ...settings }),
  };
}

/**
 * A process with the probe in it; ended with the test.
 * @param {TestContext} t
 * @param {object} options
 * @param {string[]} options.command
 * @param {string} options.root
 * @param {object} [options.settings]
 * @param {Record<string, string>} [options.env]
 * @param {string} [options.stdout] a file, else it is in `output`
 */
export function startProcess(t, { command, root, settings, env, stdout }) {
  const [program = '', ...args] = command;
  const file = stdout === undefined ? undefined : openSync(stdout, 'w');
  const child = spawn(program, args, {
    env: { ...process.env, PORT: '0', ...environment(root, settings), ...env },
    stdio: ['ignore', file ?? 'pipe', 'pipe'],
    detached: true,
  });
  if (file !== undefined) closeSync(file);
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  t.after(async () => {
    try {
      // Its children too: npm and cluster have some.
      process.kill(-(/** @type {number} */ (child.pid)), 'SIGKILL');
    } catch {
      // It has ended.
    }
    await exited;
  });
  return { child, exited, output };
}

/**
 * A service with the probe in it, connected and listening.
 * @param {TestContext} t
 * @param {{ node: string, file: string, args?: string[], settings?: object, env?: Record<string, string>,
 *   stdout?: string }} options
 */
export async function startService(t, { node, file, args = [], settings, env = {}, stdout }) {
  const root = directory(t);
  const receiver = await listen(t, join(root, 'socket'));
  const { child, exited, output } = startProcess(t, {
    command: [node, ...args, file],
    root,
    settings,
    env,
    ...(stdout === undefined ? {} : { stdout: join(root, stdout) }),
  });
  const [connection] = await Promise.race([
    receiver.connected(1),
    exited.then(({ code, stderr }) => assert.fail(`the service ended with ${code}: ${stderr}`)),
  ]);
  assert.ok(connection);
  const { port } = await connection.until(({ type }) => type === 'listening');
  const url = `http://127.0.0.1:${port}`;
  return { root, receiver, child, exited, output, connection, url, node };
}

/** @param {string} url */
export async function get(url) {
  const response = await fetch(url);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

/**
 * @param {Message} report @param {string} name
 */
export function counter(report, name) {
  return report.counters.find((/** @type {Message} */ one) => one.name === name);
}

/**
 * The sites of a counter with their figures, the innermost frame of the service's own code with each.
 * @param {Connection} connection @param {Message} report @param {string} name
 * @returns {(Message & { frames: any[], own: any })[]}
 */
export function sitesOf(connection, report, name) {
  return connection.messages
    .filter(({ type, counter }) => type === 'site' && counter === name)
    .map((site) => ({
      ...site,
      ...report.sites.find((/** @type {Message} */ { id }) => id === site.id),
      frames: site.frames,
      own: site.frames.find((/** @type {any} */ frame) => frame.package === null),
    }));
}

/** @param {string} path */
export function makeDirectory(path) {
  mkdirSync(path, { recursive: true });
  return path;
}
