// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AbortError, compare, PlimsollError, run } from '../src/index.js';
import { directory, listens, plan, untilClosed, verdictIn } from './bench.js';

/** Beside other tests the generator may be late, which is a result as well. */
const RESULTS = ['passed', 'invalid'];

test('session is a promise of findings and an iterable of events', async (t) => {
  const cwd = await directory(t);
  const session = run(await plan(), { cwd });
  const types = new Set();
  for await (const event of session) {
    types.add(event.type);
    assert.equal(typeof event.text, 'string');
  }
  for (const type of ['directory_created', 'service_ready', 'step_started', 'progress', 'step_finished'])
    assert.ok(types.has(type), `${type} among ${[...types]}`);
  const findings = await session;
  assert.ok(RESULTS.includes(findings.verdict), findings.headline.text);
  assert.ok(findings.totals.completed > 0);
  assert.ok(existsSync(join(cwd, session.directory ?? '', 'report.html')));
});

test('breach is a result', async (t) => {
  const findings = await run(await plan({ status: 500 }), { cwd: await directory(t) });
  assert.ok(['breached', 'invalid'].includes(findings.verdict), findings.headline.text);
  assert.equal(findings.totals.passed, 0);
});

test('invalid plan is an error with code, exit code and hint', async (t) => {
  const cwd = await directory(t);
  await assert.rejects(run('nowhere.yaml', { cwd }), {
    name: 'PlimsollError',
    code: 'ERR_PLIMSOLL_PLAN',
    exitCode: 104,
    message: 'nowhere.yaml: found no such file, expected a plan in YAML or JSON',
    hint: 'check the path, or write a first plan with `plimsoll init`',
  });
  const typo = /** @type {any} */ ({ target: 'http://127.0.0.1:1/', objektives: [] });
  await assert.rejects(run(typo, { cwd }), /objektives/);
  await assert.rejects(run(await plan(), { cwd, rate: 'a lot' }), {
    code: 'ERR_PLIMSOLL_PLAN',
    message: /^invalid value 'a lot' for '--rate <RATE>'/,
  });
});

test('dead service is an error with findings and directory', async (t) => {
  const dies = await plan();
  dies.target.command = [process.execPath, '-e', 'process.exit(3)'];
  await assert.rejects(run(dies, { cwd: await directory(t) }), (error) => {
    assert.ok(error instanceof PlimsollError);
    assert.equal(error.code, 'ERR_PLIMSOLL_FAILED');
    assert.equal(error.exitCode, 1);
    return true;
  });
});

test('iteration throws what the session is rejected with', async (t) => {
  const session = run('nowhere.yaml', { cwd: await directory(t) });
  await assert.rejects(
    async () => {
      for await (const _ of session);
    },
    { code: 'ERR_PLIMSOLL_PLAN' },
  );
});

test('loop that is left does not end the run', async (t) => {
  const session = run(await plan(), { cwd: await directory(t) });
  for await (const event of session) if (event.type === 'service_ready') break;
  assert.ok((await session).totals.completed > 0);
});

test('abort ends the run with what was measured', async (t) => {
  const cwd = await directory(t);
  const control = new AbortController();
  const long = await plan({ duration: '60s' });
  const session = run(long, { cwd, signal: control.signal });
  const error = await assert.rejects(async () => {
    for await (const event of session) if (event.type === 'progress') control.abort('enough');
  }, AbortError);
  assert.equal(error, undefined);
  await assert.rejects(session, (thrown) => {
    assert.ok(thrown instanceof AbortError);
    assert.equal(thrown.name, 'AbortError');
    assert.equal(thrown.code, 'ABORT_ERR');
    assert.equal(thrown.cause, 'enough');
    assert.equal(thrown.directory, session.directory);
    assert.equal(thrown.findings?.verdict, 'interrupted');
    return true;
  });
  assert.ok(existsSync(join(cwd, session.directory ?? '', 'findings.json')));
  assert.equal(await listens(long.target.url), false);
});

test('aborted signal starts nothing', async (t) => {
  const cwd = await directory(t);
  await assert.rejects(run(await plan(), { cwd, signal: AbortSignal.abort() }), AbortError);
  assert.deepEqual(await readdir(cwd), []);
});

test('run ends with its process, however that ends', async (t) => {
  const long = await plan({ duration: '60s' });
  const script = `import { run } from ${JSON.stringify(new URL('../src/index.js', import.meta.url).href)};
    process.stdin.on('end', () => process.exit()).resume();
    for await (const { type } of run(${JSON.stringify(long)})) if (type === 'progress') console.log(type);`;
  for (const end of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGKILL', undefined])) {
    const cwd = await directory(t);
    const host = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd });
    await once(host.stdout, 'data');
    if (end) host.kill(end);
    else host.stdin.end();
    assert.deepEqual(await once(host, 'exit'), end ? [null, end] : [0, null]);
    await untilClosed(long.target.url);
    assert.equal(await verdictIn(cwd), 'interrupted');
  }
});

test('missing program is an error with hint', async () => {
  const env = { ...process.env, PLIMSOLL_BINARY: '/nowhere/plimsoll' };
  await assert.rejects(run(await plan(), { env }), (error) => {
    assert.ok(error instanceof PlimsollError);
    assert.equal(error.code, 'ERR_PLIMSOLL_BINARY');
    assert.match(error.message, /\/nowhere\/plimsoll/);
    assert.ok(error.hint);
    return true;
  });
});

test('secret of a plan is in no argument and in no file', async (t) => {
  const cwd = await directory(t);
  const session = run(await plan({ header: 'canary-71f3' }), { cwd });
  let seen = '';
  for await (const event of session) {
    if (event.type !== 'service_ready') continue;
    for (const pid of await readdir('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      seen += await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    }
  }
  assert.ok(seen.includes('--progress=json'), 'the program was seen');
  assert.ok(!seen.includes('canary-71f3'));
  for (const name of await readdir(session.directory ? join(cwd, session.directory) : cwd)) {
    const text = await readFile(join(cwd, session.directory ?? '', name), 'latin1');
    assert.ok(!text.includes('canary-71f3'), name);
  }
});

test('plans of a comparison that are objects leave nothing behind', async (t) => {
  const [cwd, temporary] = [await directory(t), await directory(t)];
  const before = process.env.TMPDIR;
  process.env.TMPDIR = temporary;
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  const [one, other] = [await plan(), await plan()];
  other.load = { rate: '60/s', duration: '1s' };
  await assert.rejects(compare([one, other], { cwd }), {
    code: 'ERR_PLIMSOLL_PLAN',
    message: /offer different loads/,
  });
  assert.deepEqual(await readdir(temporary), []);
});
