// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

const PROCESS = new URL('../src/process.js', import.meta.url);

/**
 * A process that runs a service of these lines, and says "up" when it can be told to stop.
 * @param {import('node:test').TestContext} t
 * @param {{ read?: string, start?: string, stop?: string }} lines
 */
function run(t, { read = '', start = '', stop = '' }) {
  const program = `
    import { runProcess } from '${PROCESS}';
    const open = setInterval(() => {}, 60_000);
    await runProcess(
      (env) => { ${read}; return env.GREETING; },
      async (greeting) => {
        ${start};
        setImmediate(() => process.stdout.write('up ' + greeting + '\\n'));
        return { async stop() { ${stop}; process.stdout.write('stopped\\n'); clearInterval(open); } };
      },
    );`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, GREETING: 'ahoy' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  test(`${signal} stops it once, and it ends by itself with 0`, async (t) => {
    // It goes on stopping until it has been told twice: a signal to a process that is ending would kill it.
    const child = run(t, {
      start: 'globalThis.toldTwice = new Promise((resolve) => process.once("SIGUSR2", resolve))',
      stop: 'await globalThis.toldTwice',
    });
    const [up] = await once(child.stdout, 'data');
    assert.equal(`${up}`, 'up ahoy\n');
    const rest = child.stdout.toArray();
    child.kill(signal);
    child.kill(signal);
    child.kill('SIGUSR2');
    assert.deepEqual(await once(child, 'close'), [0, null]);
    assert.equal(Buffer.concat(await rest).toString(), 'stopped\n');
  });
}

for (const [what, lines, expected] of /** @type {[string, Parameters<typeof run>[1], string][]} */ ([
  [
    'a setting that cannot be used',
    { read: 'throw new Error("PORT is odd")' },
    'failed to start: PORT is odd\n',
  ],
  [
    'a start that fails',
    { start: 'await Promise.reject(new Error("no port"))' },
    'failed to start: no port\n',
  ],
  ['what is thrown and is no error', { start: 'throw "a fit"' }, 'failed to start: a fit\n'],
  ['a stop that fails', { stop: 'throw new Error("not stored")' }, 'failed to stop cleanly: not stored\n'],
])) {
  test(`${what} ends it with 1 and one line`, async (t) => {
    const child = run(t, lines);
    const said = child.stderr.toArray();
    child.stdout.once('data', () => child.kill('SIGTERM'));
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.equal(Buffer.concat(await said).toString(), expected);
  });
}
