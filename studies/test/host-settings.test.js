// @ts-check
/** What is changed is put back: at the end, by a signal, and at the next start after a kill. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { createKeeper } from '../host-settings/kept.js';
import { SETTINGS, VARIANTS } from '../host-settings/settings.js';

const KEPT = new URL('../host-settings/kept.js', import.meta.url);
const { path, value } = SETTINGS.swappiness;

/** A directory with a setting in it. @param {import('node:test').TestContext} t */
function machine(t) {
  const directory = mkdtempSync(join(tmpdir(), 'host-settings-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, path);
  mkdirSync(dirname(file));
  writeFileSync(file, '60\n');
  const journal = join(directory, 'journal.json');
  return { directory, journal, now: () => readFileSync(file, 'utf8').trim() };
}

/** Another process that changes it and then does something. @param {{ directory: string, journal: string }} of @param {string} then */
async function change({ directory, journal }, then) {
  const text = `
    import { createKeeper } from ${JSON.stringify(KEPT)};
    const options = ${JSON.stringify({ directory, journal })};
    createKeeper(options).change([${JSON.stringify({ path, value })}]);
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', text], { stdio: 'inherit' });
  return { child, exit: once(child, 'exit') };
}

test('settings_are_put_back_by_restore', (t) => {
  const { now, ...of } = machine(t);
  const keeper = createKeeper(of);
  keeper.change([]);
  assert.ok(!existsSync(of.journal));
  keeper.change([{ path, value }]);
  assert.equal(now(), '0');
  keeper.restore();
  assert.equal(now(), '60');
  assert.ok(!existsSync(of.journal));
});

test('settings_are_put_back_when_the_process_fails_or_gets_a_signal', async (t) => {
  for (const then of [
    "throw new Error('expected: this process is to fail')",
    "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
  ]) {
    const { now, ...of } = machine(t);
    const { exit } = await change(of, then);
    assert.deepEqual(await exit, [1, null]);
    assert.equal(now(), '60');
    assert.ok(!existsSync(of.journal));
  }
});

test('settings_of_a_killed_run_are_put_back_by_the_next', async (t) => {
  const { now, ...of } = machine(t);
  const { child, exit } = await change(of, 'setInterval(() => {}, 1000)');
  while (!existsSync(of.journal) || now() !== '0') await new Promise((resolve) => setTimeout(resolve, 5));
  assert.throws(() => createKeeper(of), /has changed settings of this machine/);
  child.kill('SIGKILL');
  await exit;
  assert.equal(now(), '0');
  /** @type {string[]} */
  const said = [];
  createKeeper({ ...of, say: (text) => void said.push(text) });
  assert.equal(now(), '60');
  assert.match(said[0], /vm\/swappiness/);
  assert.ok(!existsSync(of.journal));
});

test('variants_are_none_each_and_all', () => {
  assert.deepEqual(Object.keys(VARIANTS), ['none', ...Object.keys(SETTINGS), 'all']);
  assert.equal(VARIANTS.all.length, Object.keys(SETTINGS).length);
});
