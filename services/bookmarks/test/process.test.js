// @ts-check
/** The process: what it says, and how it ends. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));

/** @param {Record<string, string>} env */
function run(env) {
  return spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('a_signal_ends_the_process_in_order', async () => {
  const child = run({ PORT: '0', LOG_LEVEL: 'info' });
  for await (const line of createInterface(child.stdout)) {
    if (JSON.parse(line).msg === 'listening') child.kill('SIGTERM');
  }
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  assert.equal(code, 0);
});

test('a_wrong_setting_stops_the_boot', async () => {
  const child = run({ BOOKMARKS_MOST: 'many' });
  let text = '';
  for await (const chunk of child.stderr) text += chunk;
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode];
  assert.deepEqual(
    [code, text],
    [1, 'failed to start: BOOKMARKS_MOST must be a whole number from 1 to 1000000; found "many"\n'],
  );
});
