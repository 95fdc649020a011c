#!/usr/bin/env node
// @ts-check
/**
 * bench/assistant/run.mjs [PROGRAM]: the client of the MCP SDK goes the way of a coding assistant on a service of the corpus with a planted
 * defect: plan, capacity, diagnose, fix, compare. Prints what each tool tells. Fails unless the defect is the first cause and its fix is
 * measured to be better. Takes two minutes; nothing else should use the machine.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const SERVICE = 'http-price-list';
const PATH = '/prices/sku-311';
const CALL_MS = 300_000;
const MOST_BYTES = 4096;

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = process.argv[2] ?? join(root, 'target/release/plimsoll');
if (!existsSync(program)) {
  console.error(`${program}: no such program; usage: bench/assistant/run.mjs [PROGRAM]`);
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'plimsoll-assistant-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const file = join(directory, 'service.js');
cpSync(join(root, 'tests/corpus', SERVICE, 'service.js'), file);
writeFileSync(join(directory, 'package.json'), '{ "name": "price-list", "type": "module" }\n');
writeFileSync(join(directory, '.gitignore'), 'runs/\n');
const git = (/** @type {string[]} */ ...args) =>
  execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], {
    cwd: directory,
  });
git('init', '--quiet');
git('add', '.');
git('commit', '--quiet', '--message', 'service');

// A clone does not keep what the server has of the SDK.
execFileSync(process.execPath, [join(root, 'npm/plimsoll/scripts/vendor.js')]);
const client = new Client({ name: 'bench', version: '0.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'npm/plimsoll/bin/plimsoll.js'), 'mcp'],
    cwd: directory,
    env: { .../** @type {Record<string, string>} */ (process.env), PLIMSOLL_BINARY: program },
  }),
);

const begin = performance.now();
const url = `http://127.0.0.1:${await freePort()}${PATH}`;
await call('plan', { url, command: ['node', 'service.js'] });
const { load_line } = await call('capacity', { budget_s: 30 });
const rate = Math.round(load_line.rate_per_s / 2);
const diagnosis = await call('diagnose', { rate, pass_s: 4 });
const [cause] = diagnosis.causes;
const planted =
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes('// planted: json')) + 1;
expect(
  cause?.kind === 'json' && cause.file.endsWith('service.js') && cause.line === planted,
  'the defect is the first cause',
);

fix();
const compared = await call('compare', {
  rate,
  rounds: 6,
  judged_s: 1,
  diagnosis: diagnosis.directory,
  fixed: `service.js:${planted}`,
});
expect(compared.verdict === 'better', 'the fix is measured to be better');
await client.close();
console.log(`took ${((performance.now() - begin) / 1000).toFixed(0)} s`);

/** @param {string} name @param {Record<string, unknown>} args */
async function call(name, args) {
  const from = performance.now();
  console.log(`──── ${name} ${JSON.stringify(args)}`);
  const options = { timeout: CALL_MS, onprogress: () => {} };
  const { content, structuredContent, isError } = /** @type {any} */ (
    await client.callTool({ name, arguments: args }, undefined, options)
  );
  const text = content[0].text;
  console.log(
    `${text}\n(${((performance.now() - from) / 1000).toFixed(1)} s, ${Buffer.byteLength(text)} bytes)\n`,
  );
  expect(!isError && Buffer.byteLength(text) <= MOST_BYTES, `${name} responds in 4 kB`);
  return structuredContent;
}

/** As `tests/corpus/fixed.json` removes the defect. */
function fix() {
  const { services } = JSON.parse(readFileSync(join(root, 'tests/corpus/fixed.json'), 'utf8'));
  let source = readFileSync(file, 'utf8');
  for (const [from, to] of services[SERVICE]) source = source.replace(from, to);
  writeFileSync(file, source);
}

/** @param {boolean} holds @param {string} what */
function expect(holds, what) {
  console.log(`${holds ? '✔' : '✖'} ${what}`);
  if (holds) return;
  process.exit(1);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
