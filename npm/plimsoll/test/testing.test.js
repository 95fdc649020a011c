// @ts-check
import assert, { AssertionError } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decide, searched } from '../src/decide.js';
import { assertCapacity, assertNoRegression, assertObjectives, InconclusiveError } from '../src/testing.js';
import { directory, plan, until } from './bench.js';

/** @import { Findings } from '../src/index.js' */

const SHORT = { budget: '5s', step: '1s' };

/** On a busy machine a measurement may decide nothing, and then says so. @template T @param {Promise<T>} measured */
const orInconclusive = (measured) =>
  measured.catch((error) => {
    assert.ok(error instanceof InconclusiveError, String(error));
    return error;
  });

test('interval decides', () => {
  /** @param {number} low @param {number | null} high */
  const line = (low, high) =>
    /** @type {Findings} */ ({
      verdict: 'passed',
      headline: {},
      load_line: { interval_low_per_s: low, interval_high_per_s: high },
    });
  /** @param {number | null} lowest_per_s */
  const none = (lowest_per_s) =>
    /** @type {Findings} */ (
      /** @type {unknown} */ ({ verdict: 'breached', headline: { code: 'no_load_line', lowest_per_s } })
    );
  const { verdict: _, ...invalid } = line(2100, 2200);
  for (const [findings, tolerance, expected] of /** @type {const} */ ([
    [line(2000, 2200), 0.2, 'carries'],
    [line(2000, null), 0, 'carries'],
    [line(1800, 2000), 0.2, 'carries'],
    [line(1600, 2500), 0.2, 'carries'],
    [line(1599, 2500), 0.2, 'unknown'],
    [line(1999, 2500), 0, 'unknown'],
    [line(1000, null), 0.2, 'unknown'],
    [line(1800, 1999), 0.2, 'falls short'],
    [line(10, 1999), 0.2, 'falls short'],
    [none(1), 0.2, 'falls short'],
    [none(2000), 0.2, 'falls short'],
    [none(2001), 0.2, 'unknown'],
    [none(null), 0.2, 'unknown'],
    [{ ...invalid, verdict: 'invalid' }, 0.2, 'unknown'],
    [{ ...invalid, verdict: 'unjudged' }, 0.2, 'unknown'],
  ]))
    assert.equal(decide(findings, 2000, tolerance), expected, JSON.stringify(findings.load_line));
});

test('interval in users decides where the search was in users', () => {
  /** @param {number} low @param {number | null} high */
  const line = (low, high) => ({
    verdict: 'passed',
    headline: {},
    // The rates are what these users ask for.
    load_line: {
      interval_low_per_s: 10,
      interval_high_per_s: 20,
      concurrent: { users: low, interval_low: low, interval_high: high },
    },
  });
  /** @param {number} lowest_users */
  const none = (lowest_users) => ({ verdict: 'breached', headline: { code: 'no_load_line', lowest_users } });
  for (const [findings, expected] of /** @type {const} */ ([
    [line(100, 120), 'carries'],
    [line(79, 120), 'unknown'],
    [line(80, 99), 'falls short'],
    [none(100), 'falls short'],
    [none(101), 'unknown'],
  ])) {
    const found = /** @type {Findings} */ (/** @type {unknown} */ (findings));
    assert.equal(decide(found, 100, 0.2), expected, JSON.stringify(findings));
    assert.equal(searched(found).unit, 'users at a time');
  }
});

test('service that carries the rate does not fail', async (t) => {
  const { load, ...rest } = await plan();
  const found = await orInconclusive(
    assertCapacity(rest, { atLeast: 50, ...SHORT, cwd: await directory(t) }),
  );
  if (!(found instanceof Error)) assert.ok((found.load_line?.interval_low_per_s ?? 0) >= 40);
});

test('service that cannot carry the rate does not pass, and what broke first is said', async (t) => {
  const cwd = await directory(t);
  const slow = await plan({ busy_ms: 4 });
  await assert.rejects(
    assertCapacity({ ...slow, objectives: ['cpu <= 80%'] }, { atLeast: 400, ...SHORT, cwd }),
    (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /^expected a load line of at least 400 req\/s/);
      if (error instanceof AssertionError) {
        assert.equal(error.operator, 'assertCapacity');
        assert.equal(error.expected, 400);
        assert.match(error.message, /cpu <= 80%/);
      } else assert.ok(error instanceof InconclusiveError, String(error));
      const { directory } = /** @type {{ directory?: string }} */ (error);
      assert.ok(existsSync(join(cwd, directory ?? '', 'report.html')));
      assert.ok(error.message.includes(`report: ${directory}/report.html`));
      return true;
    },
  );
});

test('service that cannot carry the users does not pass, and they are what is told', async (t) => {
  const { load: _, ...slow } = await plan({ busy_ms: 4 });
  const users = /** @type {const} */ ({ in: 'users', thinkTime: '20ms', atLeast: 100 });
  const judged = { ...slow, objectives: ['p50 <= 40ms'] };
  await assert.rejects(
    assertCapacity(judged, { ...users, ...SHORT, cwd: await directory(t) }),
    /^[^\n]*expected a load line of at least 100 users at a time/,
  );
});

test('what was not judged is inconclusive', async (t) => {
  const { target, ...rest } = await plan();
  const [program = '', ...args] = /** @type {string[]} */ (target.command);
  const service = spawn(program, args, { env: { ...process.env, PORT: new URL(target.url).port } });
  t.after(() => service.kill());
  await until(target.url);
  // Nobody started it, so its CPU cannot be seen.
  const unseen = { ...rest, target: target.url, objectives: ['cpu <= 80%'] };
  const cwd = await directory(t);

  await assert.rejects(assertObjectives(unseen, { cwd }), (error) => {
    assert.ok(error instanceof InconclusiveError, String(error));
    assert.equal(error.code, 'ERR_PLIMSOLL_INCONCLUSIVE');
    return true;
  });
  // Without a line the findings do not say what was searched.
  const { load: _, ...sought } = unseen;
  for (const [asked, unit] of /** @type {const} */ ([
    ['users', 'users at a time'],
    ['rate', 'req/s'],
  ])) {
    const wanted = new RegExp(`at least 50 ${unit}; the measurement is inconclusive`);
    const search = { ...SHORT, in: asked, atLeast: 50, cwd };
    await assert.rejects(assertCapacity(sought, search), wanted);
  }
});

test('broken objective does not pass, and is named', async (t) => {
  const broken = assertObjectives(await plan({ status: 500 }), { cwd: await directory(t) });
  await assert.rejects(broken, (error) => {
    if (error instanceof AssertionError) assert.deepEqual(error.actual, ['errors = 0']);
    else assert.ok(error instanceof InconclusiveError, String(error));
    return true;
  });
});

test('variant that is worse does not pass, by more than is forgiven', async (t) => {
  const variants = [await plan(), await plan({ busy_ms: 8 })];
  const short = { rounds: 4, duration: '1s', warmUp: '200ms', failIfWorse: '5%' };
  await assert.rejects(assertNoRegression(variants, { ...short, cwd: await directory(t) }), (error) => {
    if (error instanceof AssertionError) {
      assert.equal(error.operator, 'assertNoRegression');
      assert.match(error.message, /^expected no judged metric to be worse by more than 5%\n/);
    } else assert.ok(error instanceof InconclusiveError, String(error));
    return true;
  });
});

test('regression without a limit, which nothing would fail, is a TypeError', async () => {
  const url = 'http://127.0.0.1:1/';
  for (const options of [undefined, {}, { rev: 'main' }, { rev: 'main', failIfWorse: null }])
    await assert.rejects(assertNoRegression(url, /** @type {any} */ (options)), {
      name: 'TypeError',
      message: /^failIfWorse has to be .* such as '5%', found (undefined|null)$/,
    });
});

test('rate and tolerance are checked', async () => {
  const url = 'http://127.0.0.1:1/';
  await assert.rejects(assertCapacity(url, { atLeast: 0 }), TypeError);
  await assert.rejects(assertCapacity(url, { atLeast: 10, tolerance: 1 }), TypeError);
});
