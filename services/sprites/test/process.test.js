// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));

test('process_listens_and_ends_with_0_on_sigterm', async (t) => {
  const child = spawn(process.execPath, [SERVER], {
    env: { ...process.env, PORT: '0', SPRITES_HELD_PORT: '0', SPRITES_METRICS_PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { held, taken } = JSON.parse(line);
  assert.deepEqual(await (await fetch(`${taken}/place`)).json(), { url: held });
  await fetch(`${held}/poll`);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});
