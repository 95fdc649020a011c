// @ts-check
/** The slow forms serve what the service serves, so that nothing but their cost is compared. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../services/common/testing/programs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string} study @param {Record<string, string>} env */
async function start(study, env = {}) {
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
function turn(url, token) {
  return fetch(`${url}/profiles/u1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'sail' }),
  });
}

/** @type {[string, Record<string, string>][]} */
const forms = [
  ['json-calls', { STUDY_JSON_PAIRS: '4' }],
  ['boot-cache', {}],
  ['write-behind', { PROFILE_FLUSH_INTERVAL_MS: '60000' }],
];
for (const [study, env] of forms) {
  test(`${study}: the slow form responds as the service does, and stops as it does`, async () => {
    const service = await start(study, env);
    try {
      const played = await turn(service.url, 'token-u1');
      assert.equal(played.status, 200);
      const profile = /** @type {{ id: string, version: number }} */ (await played.json());
      assert.equal(profile.id, 'u1');
      const again = /** @type {{ version: number }} */ (await (await turn(service.url, 'token-u1')).json());
      assert.equal(again.version, profile.version + 1);
      assert.equal((await turn(service.url, 'somebody')).status, 401);
    } finally {
      await service.stop();
    }
  });
}

test('a number of pairs that is none stops the boot', async () => {
  await assert.rejects(start('json-calls', { STUDY_JSON_PAIRS: 'many' }), /must be a whole number from 1/);
});
