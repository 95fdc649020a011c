// @ts-check
/** The client of the SDK drives the server as a coding assistant does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { tools } from '../src/tools.js';
import { directory, freePort, listens, untilClosed, verdictIn } from './bench.js';

/** @import { TestContext } from 'node:test' */
/** @typedef {{ content: { type: string, text: string }[], structuredContent?: any, isError?: boolean }} Told */

const COMMAND = fileURLToPath(new URL('../bin/plimsoll.js', import.meta.url));
const SERVICE = fileURLToPath(new URL('service.js', import.meta.url));
const MOST_BYTES = 4096;

/** A client of a server in a directory. @param {TestContext} t @param {string} cwd @param {string[]} [options] */
async function client(t, cwd, options = []) {
  const env = /** @type {Record<string, string>} */ ({ ...process.env });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'mcp', ...options],
    cwd,
    env,
  });
  const connected = new Client({ name: 'test', version: '0.0.0' });
  await connected.connect(transport);
  t.after(() => connected.close());
  // As assistants do; results are held against their schemas from then on.
  await connected.listTools();
  return connected;
}

/**
 * A call that measures a service for a minute; `ready` is called when that is started.
 * @param {Client} assistant @param {string} url @param {() => unknown} ready @param {AbortSignal} [signal]
 */
function measuring(assistant, url, ready, signal) {
  const call = { name: 'capacity', arguments: { url, command: [process.execPath, SERVICE] } };
  /** @param {{ message?: string }} progress */
  const onprogress = ({ message }) => {
    if (message?.includes('ready')) ready();
  };
  return assistant.callTool(call, undefined, { signal, onprogress });
}

/** @param {Told} told */
const textOf = ({ content }) => content.map(({ text }) => text).join('');

test('tools are listed with schemas of what they take and return', async (t) => {
  const { tools } = await (await client(t, await directory(t))).listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['plan', 'capacity', 'diagnose', 'compare'],
  );
  for (const { description, inputSchema, outputSchema, name } of tools) {
    assert.ok(description);
    assert.ok(inputSchema.properties?.plan, name);
    assert.equal(outputSchema !== undefined, name !== 'plan');
  }
});

test('plan is written, measured with progress, and told in 4 kB', async (t) => {
  const cwd = await directory(t);
  await cp(SERVICE, join(cwd, 'service.js'));
  await writeFile(join(cwd, 'package.json'), '{ "name": "shop", "type": "module" }\n');
  const assistant = await client(t, cwd);
  const url = `http://127.0.0.1:${await freePort()}/`;
  const written = /** @type {Told} */ (
    await assistant.callTool({ name: 'plan', arguments: { url, command: ['node', 'service.js'] } })
  );
  assert.equal(written.isError, undefined, textOf(written));
  assert.match(textOf(written), /wrote plimsoll\.yaml/);
  assert.match(await readFile(join(cwd, 'plimsoll.yaml'), 'utf8'), /^name: shop$/m);
  /** @type {(string | undefined)[]} */
  const messages = [];
  const sized = { budget_s: 5, max: 100, demand: 1000, headroom: '20%', price: '0.12 EUR/h' };
  const measured = /** @type {Told} */ (
    await assistant.callTool({ name: 'capacity', arguments: sized }, undefined, {
      onprogress: ({ message }) => messages.push(message),
      timeout: 60_000,
    })
  );
  assert.equal(measured.isError, undefined, textOf(measured));
  assert.ok(
    messages.some((message) => message?.startsWith('step 1: ')),
    messages.join('\n'),
  );
  assert.ok(Buffer.byteLength(textOf(measured)) <= MOST_BYTES);
  assert.match(textOf(measured), /^## .*: shop\n/);
  // Beside other tests the generator may be late.
  assert.ok(['passed', 'invalid', 'unjudged'].includes(measured.structuredContent.verdict), textOf(measured));
  assert.ok(measured.structuredContent.directory);
  if (measured.structuredContent.verdict === 'passed')
    assert.match(measured.structuredContent.sizing, /instances .*for 1,000 req\/s/);
});

test('load line in users is told in users', async (t) => {
  const assistant = await client(t, await directory(t));
  const url = `http://127.0.0.1:${await freePort()}/`;
  const asked = { url, command: [process.execPath, SERVICE], in: 'users', think_time: '20ms', max: 20 };
  const call = { name: 'capacity', arguments: { ...asked, budget_s: 12 } };
  const told = /** @type {Told} */ (await assistant.callTool(call, undefined, { timeout: 60_000 }));
  assert.equal(told.isError, undefined, textOf(told));
  // Beside other tests the generator may be late.
  const { load_line: line, verdict } = told.structuredContent;
  if (verdict === 'passed') {
    assert.ok(line.users.line <= 20, JSON.stringify(line));
    assert.ok(line.users.interval_low > 0);
    assert.match(textOf(told), /users/);
  } else assert.ok(['invalid', 'unjudged'].includes(verdict), textOf(told));
});

test('load line in connections is told in connections', async (t) => {
  const assistant = await client(t, await directory(t));
  const plan = {
    target: { url: `http://127.0.0.1:${await freePort()}/`, command: [process.execPath, SERVICE] },
    objectives: ['errors = 0'],
    judging: { window: '200ms' },
    load: { model: 'hold', connections: 10, pace: '2000/s', duration: '10s', park: 'nothing' },
    search: { in: 'connections', start: 16, max: 32, step: '600ms' },
  };
  const call = { name: 'capacity', arguments: { plan, budget_s: 12 } };
  const told = /** @type {Told} */ (await assistant.callTool(call, undefined, { timeout: 60_000 }));
  assert.equal(told.isError, undefined, textOf(told));
  const { load_line: line, verdict } = told.structuredContent;
  // Beside other tests the generator may be late.
  if (verdict === 'passed') assert.equal(line.connections.line, 32, JSON.stringify(line));
  else assert.ok(['invalid', 'unjudged'].includes(verdict), textOf(told));
});

test('invalid plan and other machine are errors with hint', async (t) => {
  const cwd = await directory(t);
  const assistant = await client(t, cwd);
  for (const [name, plan, told] of /** @type {const} */ ([
    ['plan', { target: 'http://127.0.0.1:1/', objectives: ['p99 <= 10 parsecs'] }, /expected/],
    ['capacity', 'nowhere.yaml', /nowhere\.yaml: found no such file.*\nhint: /],
    [
      'plan',
      { target: 'http://192.0.2.1/' },
      /loads 192\.0\.2\.1, which is not this machine\nhint: .*--allow 192\.0\.2\.1/,
    ],
    ['diagnose', { target: 'http://192.0.2.1/' }, /not this machine/],
  ])) {
    const result = /** @type {Told} */ (await assistant.callTool({ name, arguments: { plan } }));
    assert.equal(result.isError, true);
    assert.match(textOf(result), told);
  }
  const allowing = await client(t, cwd, ['--allow', '192.0.2.1']);
  const result = await allowing.callTool({
    name: 'plan',
    arguments: { plan: { target: 'http://192.0.2.1/' } },
  });
  assert.equal(result.isError, undefined);
});

test('cancelled call ends the run and the service', async (t) => {
  const assistant = await client(t, await directory(t));
  const control = new AbortController();
  const url = `http://127.0.0.1:${await freePort()}/`;
  await assert.rejects(
    measuring(assistant, url, () => control.abort('enough'), control.signal),
    /enough/,
  );
  // The next call has its turn when the run is over.
  const next = assistant.callTool({ name: 'capacity', arguments: { plan: 'nowhere.yaml' } });
  assert.equal((await next).isError, true);
  assert.equal(await listens(url), false, 'the service is still there');
});

test('call that nobody can be told of ends its run before it fails', async (t) => {
  const cwd = await directory(t);
  const url = `http://127.0.0.1:${await freePort()}/`;
  const [, capacity] = tools({ allowed: [], limit_s: 60 });
  const { signal } = new AbortController();
  // The service is there by then.
  /** @param {{ params: { message: string } }} notification */
  const sendNotification = async ({ params: { message } }) => {
    if (message.includes('ready')) throw new Error('gone');
  };
  const service = { directory: cwd, url, command: [process.execPath, SERVICE] };
  await assert.rejects(
    Promise.resolve(capacity?.call(service, { signal, _meta: { progressToken: 1 }, sendNotification })),
    /^Error: gone$/,
  );
  assert.equal(await listens(url), false, 'the service is still there');
});

test('client or server that goes away ends the run and the service', async (t) => {
  for (const end of /** @type {const} */ (['close', 'SIGTERM', 'SIGKILL'])) {
    const cwd = await directory(t);
    const assistant = await client(t, cwd);
    const { pid } = /** @type {StdioClientTransport} */ (assistant.transport);
    const url = `http://127.0.0.1:${await freePort()}/`;
    const leave = () => (end === 'close' ? assistant.close() : process.kill(Number(pid), end));
    await assert.rejects(measuring(assistant, url, leave), /Connection closed/);
    await untilClosed(url);
    assert.equal(await verdictIn(cwd), 'interrupted');
  }
});

test('server whose input ends ends by itself when its run has ended', async (t) => {
  const cwd = await directory(t);
  const url = `http://127.0.0.1:${await freePort()}/`;
  const server = spawn(process.execPath, [COMMAND, 'mcp'], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const call = { name: 'capacity', arguments: { url, command: [process.execPath, SERVICE] } };
  const about = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  };
  for (const message of [
    { id: 1, method: 'initialize', params: about },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { ...call, _meta: { progressToken: 1 } } },
  ])
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  for await (const line of createInterface(server.stdout)) if (line.includes('ready')) break;
  server.stdin.end();
  assert.deepEqual(await once(server, 'exit'), [0, null]);
  assert.equal(await verdictIn(cwd), 'interrupted');
  assert.equal(await listens(url), false, 'the service is still there');
});

test('call beyond its limit says what was measured', async (t) => {
  const assistant = await client(t, await directory(t), ['--limit', '2']);
  const service = { url: `http://127.0.0.1:${await freePort()}/`, command: [process.execPath, SERVICE] };
  const result = /** @type {Told} */ (await assistant.callTool({ name: 'capacity', arguments: service }));
  assert.equal(result.isError, true);
  // A busy machine may have measured nothing until then.
  assert.match(textOf(result), /^stopped after the limit of 2 s(\n## interrupted|$)/);
});

test('plan of a service that never listens is given up', async (t) => {
  const assistant = await client(t, await directory(t), ['--limit', '2']);
  const command = [process.execPath, '--eval', 'setInterval(() => {}, 1000)'];
  const service = { url: `http://127.0.0.1:${await freePort()}/`, command };
  const result = /** @type {Told} */ (await assistant.callTool({ name: 'plan', arguments: service }));
  assert.equal(result.isError, true);
  assert.match(textOf(result), /^stopped after the limit of 2 s\nhint: /);
});
