// @ts-check
/** The profile service with a module of a study in it, on a free port. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../services/common/testing/programs.js';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} study @param {Record<string, string>} env */
export async function start(study, env = {}) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    ['--import', `./studies/${study}/as-published.js`, 'services/profile/src/server.js'],
    {
      cwd: root,
      env: { ...process.env, PORT: `${port}`, LOG_LEVEL: 'info', PROFILE_SEED_USERS: '10', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const said = child.stderr.toArray();
  const listens = new Promise((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => line.includes('listening') && resolve(true));
    lines.on('close', () => resolve(false));
  });
  if (!(await listens)) throw new Error(`failed to start ${study}: ${Buffer.concat(await said)}`);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await exited, [0, null]);
    },
  };
}

/** @param {string} url @param {string} token */
export function turn(url, token) {
  return fetch(`${url}/profiles/u1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'sail' }),
  });
}
