// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createLog } from '../src/log.js';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));

/** @param {Record<string, string>} env */
function start(env) {
  return spawn(process.execPath, [SERVER], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('the process listens, responds and ends with 0 on SIGTERM', async (t) => {
  const child = start({ PORT: '0', LOG_LEVEL: 'info' });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url } = JSON.parse(line);
  const response = await fetch(`${url}/info`);
  assert.ok((await response.text()).includes(`${child.pid}`));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('a setting that is not understood ends the process with 1 and says why', async () => {
  const child = start({ PORT: '0', COMPRESSION: 'maybe' });
  const stderr = child.stderr.toArray();
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(
    Buffer.concat(await stderr).toString(),
    /^failed to start: COMPRESSION must be one of on, off; found "maybe"\n$/,
  );
});

test('warnings and errors go to files of their own', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'info-log-'));
  t.after(() => rm(directory, { recursive: true }));
  const log = createLog({ log_level: 'warn', log_sink: 'none', log_dir: directory });
  log.info('nothing');
  log.warn('shallow water');
  log.error('aground');
  const files = log.transports.map((transport) => once(transport, 'finish'));
  log.end();
  await Promise.all(files);
  const [warnings, errors] = await Promise.all(
    ['warn.log', 'error.log'].map((name) => readFile(join(directory, name), 'utf8')),
  );
  assert.deepEqual([messages(warnings), messages(errors)], [['shallow water', 'aground'], ['aground']]);
});

test('with the sink file every line goes to info.log and nothing to stdout', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'info-log-'));
  t.after(() => rm(directory, { recursive: true }));
  const child = start({ PORT: '0', LOG_SINK: 'file', LOG_DIR: directory });
  t.after(() => child.kill('SIGKILL'));
  const stdout = child.stdout.toArray();
  const log = join(directory, 'info.log');
  /** @type {string} */
  let text;
  do text = await readFile(log, 'utf8').catch(() => '');
  while (!text.includes('listening'));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.deepEqual(messages(await readFile(log, 'utf8')), ['listening', 'stopping']);
  assert.equal(Buffer.concat(await stdout).toString(), '');
});

/** @param {string} text */
function messages(text) {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).message);
}
