// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));
const WITH_IOC = fileURLToPath(new URL('../lab/with-ioc.js', import.meta.url));

/** @param {string[]} args @param {Record<string, string>} env */
function node(args, env = {}) {
  return spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  test(`the process listens, responds and ends with 0 on ${signal}`, async (t) => {
    const child = node([SERVER], { PORT: '0', LOG_LEVEL: 'info' });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (bytes) => {
      output += bytes;
    });
    while (!output.includes('\n')) await once(child.stdout, 'data');
    const [line] = output.split('\n');
    const { url } = JSON.parse(line);
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);
    child.kill(signal);
    child.kill(signal);
    assert.deepEqual(await once(child, 'close'), [0, null]);
    // A request may be logged behind it: its line waits for the response to be written.
    assert.match(output, /"msg":"stopped"}\n/);
  });
}

test('a setting that is not understood ends the process with 1 and says why', async () => {
  const child = node([SERVER], { PORT: '0', SNAPSHOT_GROUPS: '/nowhere.json' });
  const stderr = child.stderr.toArray();
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(
    Buffer.concat(await stderr).toString(),
    /^failed to start: SNAPSHOT_GROUPS cannot be used: \/nowhere.json: .*ENOENT/,
  );
});

test('a port that is taken ends the process with 1', async (t) => {
  const first = node([SERVER], { PORT: '0', LOG_LEVEL: 'info' });
  t.after(() => first.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: first.stdout }), 'line');
  const second = node([SERVER], { PORT: new URL(JSON.parse(line).url).port });
  const stderr = second.stderr.toArray();
  const [code] = await once(second, 'close');
  assert.equal(code, 1);
  assert.match(Buffer.concat(await stderr).toString(), /^failed to start: .*EADDRINUSE/);
});

test('a command runs beside a controller and its exit code is handed on', async () => {
  const child = node([
    WITH_IOC,
    process.execPath,
    '-e',
    'process.exit(Number(process.env.EPICS_CA_SERVER_PORT) > 5000 ? 7 : 8)',
  ]);
  const [code] = await once(child, 'close');
  assert.equal(code, 7);
});
