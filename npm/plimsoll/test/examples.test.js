// @ts-check
/** The examples run as their readers would run them. On a busy machine they may decide nothing, and then say so. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from './bench.js';

const run = promisify(execFile);
const cwd = fileURLToPath(new URL('../examples', import.meta.url));
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');

for (const [runner, args] of /** @type {const} */ ([
  ['node:test', ['--test', 'capacity.test.js']],
  ['Vitest', [vitest, 'run']],
]))
  test(`examples pass with ${runner}`, async () => {
    const { NODE_TEST_CONTEXT, ...env } = process.env;
    const ran = run(process.execPath, args, { cwd, env: { ...env, PORT: String(await freePort()) } });
    await ran.catch(({ stdout, stderr }) => assert.match(`${stdout}${stderr}`, /InconclusiveError/));
    await rm(join(cwd, 'runs'), { recursive: true, force: true });
  });
