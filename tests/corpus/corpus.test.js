// @ts-check
// The corpus is what corpus.json says: every service starts and responds, and each planted line is marked.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { on, once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';

/**
 * @typedef {object} Request one of HTTP, a message or an event
 * @property {string} [method]
 * @property {string} [path]
 * @property {Record<string, string>} [headers]
 * @property {unknown} [json]
 * @property {{ json?: unknown, text?: string }} [send]
 * @property {{ event: string, args: unknown[] }} [emit]
 *
 * @typedef {object} Service
 * @property {string} name
 * @property {string} framework
 * @property {string[]} command
 * @property {'ws' | 'socket.io+ws'} [scheme] of a service that is asked by messages
 * @property {{ path: string }} [open] where its connections are opened
 * @property {Request} request
 * @property {{ kind: string, file: string }[]} planted
 * @property {string[]} nodes
 */

const directory = fileURLToPath(new URL('.', import.meta.url));
/** @type {{ services: Service[] }} */
const { services } = JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8'));
const contract = readFileSync(new URL('../../docs/reference/probe.md', import.meta.url), 'utf8');

test('the list and the directories agree', () => {
  const directories = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['lib', 'node_modules'].includes(entry.name))
    .map(({ name }) => name);
  assert.deepEqual(directories.sort(), services.map(({ name }) => name).sort());
});

for (const { name, command, open, request, planted } of services) {
  test(`${name}: what is planted is marked, once`, () => {
    const marks = readdirSync(`${directory}${name}`)
      .filter((file) => /\.[cm]?[jt]s$/.test(file))
      .flatMap((file) =>
        readFileSync(`${directory}${name}/${file}`, 'utf8')
          .split('\n')
          .flatMap((line) => / \S.* \/\/ planted: (\S+)$/.exec(` ${line}`)?.[1] ?? [])
          .map((kind) => ({ kind, file })),
      );
    const sorted = (/** @type {typeof marks} */ list) =>
      list.map(({ kind, file }) => `${file} ${kind}`).sort();
    assert.deepEqual(sorted(marks), sorted(planted));
    for (const { kind } of planted) assert.match(contract, new RegExp(`^\\| \`${kind}\` \\|`, 'm'));
  });

  test(`${name}: starts and responds`, async (t) => {
    const port = await freePort();
    const [program = '', ...args] = command;
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      cwd: `${directory}${name}`,
      env: { ...process.env, PORT: String(port), NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaint += text;
    });
    const closed = once(child, 'close');
    t.after(async () => {
      // The ones that made a directory remove it.
      child.kill('SIGTERM');
      await closed;
    });
    const origin = `http://127.0.0.1:${port}`;
    const first = await firstResponse(origin, child);
    // Its complaint is whole when its streams are closed.
    if (!first) await closed;
    assert.ok(first, `the service ended with ${child.exitCode ?? child.signalCode}: ${complaint}`);
    assert.equal(first.status, 200, complaint);
    const { method = 'GET', path, headers, json, send, emit } = request;
    if (send) return await talk(`${origin.replace('http', 'ws')}${open?.path}`, send);
    if (emit) return await ask(origin, emit);
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    assert.ok(response.ok, `${response.status}: ${text} ${complaint}`);
  });
}

/** As it stands in a plan; here nobody puts a text in its place. */
const MARK = '$' + '{message}';

/** Sends a message, and waits for one with its mark. @param {string} url @param {{ json?: unknown, text?: string }} send */
async function talk(url, { json, text = JSON.stringify(json) }) {
  const socket = new WebSocket(url);
  try {
    await once(socket, 'open');
    socket.send(text);
    for await (const [data] of on(socket, 'message')) if (String(data).includes(MARK)) return;
  } finally {
    socket.terminate();
  }
}

/** Emits an event, and waits for its acknowledgement. @param {string} url @param {{ event: string, args: unknown[] }} emit */
async function ask(url, { event, args }) {
  const socket = io(url, { transports: ['websocket'], reconnection: false });
  try {
    assert.notEqual(await socket.emitWithAck(event, ...args), undefined);
  } finally {
    socket.disconnect();
  }
}

test('no service is there whose file is missing', () => {
  for (const { name, command } of services)
    assert.ok(existsSync(`${directory}${name}/${command.at(-1)}`), name);
});

/**
 * A free port below those that the kernel hands out: one of those could go to an upstream of the service, or to another test,
 * before the service listens.
 */
async function freePort() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(20_000, 30_000);
    const server = net.createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no port is free');
}

/**
 * Asks until the service responds, or has ended.
 * @param {string} url @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<Response | undefined>}
 */
async function firstResponse(url, child) {
  while (child.exitCode === null && child.signalCode === null) {
    try {
      return await fetch(url);
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return undefined;
}
