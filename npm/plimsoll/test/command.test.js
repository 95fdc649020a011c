// @ts-check
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { version } from '../../manifests.js';

/** @typedef {{ node: string, program: string }} Way */

const file = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const command = file('../bin/plimsoll.js');
const later = file('../../../.tools/node/node_modules/node-24/bin/node');
/** Node.js 20 starts the program, later versions become it. */
const nodes = [process.execPath, later].filter((node) => existsSync(node));

const directory = mkdtempSync(join(tmpdir(), 'plimsoll command '));
after(() => rmSync(directory, { recursive: true, force: true }));

/** @param {string} name @param {string} text */
function script(name, text) {
  const path = join(directory, name);
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Every way from the command to a shell that stands for the program: an executable of the kernel, and one that is only started. */
const shells = ['/bin/sh', script('program', '#!/bin/sh\nexec /bin/sh "$@"\n')];
const ways = nodes.flatMap((node) => shells.map((program) => ({ node, program })));

/** @param {Way} way @param {string} code @param {string[]} args */
const start = ({ node, program }, code, ...args) =>
  spawn(node, [command, '-c', code, ...args], { env: { ...process.env, PLIMSOLL_BINARY: program } });

/** @param {import('node:child_process').ChildProcess} child */
const ended = async (child) => (await once(child, 'close')).join();

/** The same for every way, side by side. @param {(way: Way) => Promise<void>} check */
async function eachWay(check) {
  await Promise.all(ways.map(check));
}

/** Says that it is ready, and does something when a signal arrives, for 20 s. A shell may sleep through one that comes before `wait`. */
const waiting = (/** @type {string} */ signal, /** @type {string} */ action) =>
  `trap '${action}' ${signal}; echo ready; i=0; while [ $i -lt 400 ]; do sleep 0.05; i=$((i + 1)); done`;

test('command_exit_code_is_passed_on', () =>
  eachWay(async (way) => {
    for (const code of [0, 106]) assert.equal(await ended(start(way, `exit ${code}`)), `${code},`);
  }));

test('command_death_by_signal_is_passed_on', () =>
  eachWay(async (way) => {
    for (const signal of ['TERM', 'KILL']) {
      assert.equal(await ended(start(way, `kill -${signal} $$; sleep 60`)), `,SIG${signal}`);
    }
  }));

test('command_signal_reaches_program', () =>
  eachWay(async (way) => {
    for (const signal of ['INT', 'TERM', 'HUP', 'QUIT']) {
      const child = start(way, waiting(signal, 'exit 42'));
      await once(child.stdout, 'data');
      child.kill(/** @type {NodeJS.Signals} */ (`SIG${signal}`));
      assert.equal(await ended(child), '42,', signal);
    }
  }));

test('command_program_that_goes_on_is_waited_for', () =>
  eachWay(async (way) => {
    const child = start(way, waiting('TERM', 'echo heard; read line; exit 7'));
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await once(child.stdout, 'data');
    child.stdin.end('\n');
    assert.equal(await ended(child), '7,');
  }));

test('command_arguments_input_and_output_are_those_of_the_program', () =>
  eachWay(async (way) => {
    const args = ['name', 'a b', '', '*', "'", '--help', 'ä'];
    const child = start(way, `read line; printf '<%s>' "$@"; echo "$line" >&2; read line`, ...args);
    child.stdin.write('typed\n');
    const [[output], [error]] = await Promise.all([once(child.stdout, 'data'), once(child.stderr, 'data')]);
    assert.deepEqual([String(output), String(error)], ["<a b><><*><'><--help><ä>", 'typed\n']);
    child.stdin.end();
    assert.equal(await ended(child), '1,');
  }));

test('command_without_program_fails_with_message', () => {
  const cases = /** @type {const} */ ([
    ['/no/such', /^error: PLIMSOLL_BINARY names \/no\/such, .*\nhint: .*\n$/],
    [script('interpreter', '#!/no/such\n'), /^error: failed to execute .*interpreter: .*ENOENT\n$/],
  ]);
  for (const [program, expected] of cases) {
    const env = { ...process.env, PLIMSOLL_BINARY: program };
    for (const node of nodes) {
      const { status, stdout, stderr } = spawnSync(node, [command, 'doctor'], { env, encoding: 'utf8' });
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, expected);
    }
  }
});

test('command_runs_the_program_of_this_workspace', (t) => {
  const target = process.env.CARGO_TARGET_DIR ?? file('../../../target');
  const program = join(target, 'debug/plimsoll');
  if (!existsSync(program)) {
    assert.notEqual(process.env.CI, 'true', `${program} is missing, which scripts/test builds`);
    return t.skip(`${program} is not built`);
  }
  const env = { ...process.env, PLIMSOLL_BINARY: program };
  for (const node of nodes) {
    const run = (/** @type {string[]} */ ...args) =>
      spawnSync(node, [command, ...args], { env, encoding: 'utf8' });
    assert.equal(run('--version').stdout, `plimsoll ${version()}\n`);
    assert.equal(run('capacity', '--no-such-option').status, 104);
  }
});
