// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descriptorsOf, planFleet } from '../src/fleet/plan.js';
import { lineOf } from '../src/fleet/watch.js';
import { missing, startEngine } from './engines.js';
import { follow } from './follower.js';

const FLEET = fileURLToPath(new URL('../src/fleet.js', import.meta.url));
const POLL_MS = 10;
const MOST_POLLS = 1_500;

/** Waits for a state, and says after a while what it waits for. @param {() => unknown} state @param {() => unknown} [about] */
async function until(state, about = () => '') {
  for (let poll = 0; !(await state()); poll += 1) {
    if (poll === MOST_POLLS) throw new Error(`waits in vain for ${state}: ${JSON.stringify(about())}`);
    await wait(POLL_MS);
  }
}

/** @param {import('node:test').TestContext} t @param {string[]} args */
async function startFleet(t, args) {
  const child = spawn(
    process.execPath,
    [FLEET, '--port', '0', '--first-port', '0', '--watch', '0', ...args],
    {
      env: { ...process.env, SPRITES_TICK_MS: '100', SPRITES_LIMITS: 'off' },
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  t.after(() => child.kill('SIGKILL'));
  /** @type {string[]} */
  const said = [];
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => said.push(line));
  /** @param {RegExp} pattern */
  async function line(pattern) {
    for (;;) {
      const found = said.map((text) => pattern.exec(text)).find((match) => match !== null);
      if (found) return found;
      await once(lines, 'line');
    }
  }
  const [, url] = await line(/takers on (\S+);/);
  const ask = async (/** @type {string} */ path) => await (await fetch(url + path)).json();
  await until(async () => (await ask('/presence')).workers?.length === 2);
  return { child, url, ask, line };
}

/** The process of a fleet with a setting. @param {number} pid of the fleet @param {string} setting */
function memberWith(pid, setting) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(
    children.find((child) => readFileSync(`/proc/${child}/environ`, 'utf8').split('\0').includes(setting)),
  );
}

for (const engine of /** @type {const} */ (['primary', 'nats'])) {
  const skip = engine === 'primary' ? false : missing(engine);

  test(`fleet_on_${engine}_survives_a_crash_and_replaces_its_processes`, {
    skip,
    concurrency: true,
  }, async (t) => {
    const bus = engine === 'primary' ? [] : ['--bus-url', (await startEngine(t, engine)).url];
    const args = ['--connections', '100', '--holders', '2', '--takers', '1', '--bus', engine, ...bus];
    const { child, url, ask, line } = await startFleet(t, args);
    const pid = /** @type {number} */ (child.pid);
    assert.ok(getPriority(memberWith(pid, 'SPRITES_ROLE=hold')) > getPriority(pid), 'holders give way');
    const [first, second] = (await ask('/presence')).workers;
    const one = follow(url, first.url);
    await until(() => one.state.ticket !== '');
    const two = follow(url, second.url);
    t.after(() => Promise.all([one.stop(), two.stop()]));
    await until(
      () => two.state.place.neighbours?.left !== undefined && one.state.place.neighbours?.right !== undefined,
    );

    // A worker crashes: its client comes back to its cell, and the other one notices nothing but a new address.
    process.kill(memberWith(/** @type {number} */ (child.pid), `SPRITES_NAME=${first.name}`), 'SIGKILL');
    await until(() => one.state.restarts === 1);
    assert.deepEqual(
      [one.state.place.cell, two.state.place.cell],
      [
        [0, 0],
        [1, 0],
      ],
    );
    await until(() => two.state.place.neighbours.left === one.state.place.you);
    assert.equal(two.state.breaks, 0);
    await one.throw('right', 'after the crash');
    await until(() => two.sprites.length === 1);

    // Every process is replaced while sprites fly; none is lost, and none comes twice.
    child.kill('SIGUSR2');
    let thrown = 0;
    let replaced = false;
    void line(/^every process is new/).then(() => {
      replaced = true;
    });
    while (!replaced) {
      thrown += 1;
      assert.equal(await one.throw('right', `${thrown}`), 202);
      await wait(POLL_MS);
    }
    await until(
      () => two.sprites.length === 1 + thrown,
      () => [thrown, two.names(), one.state, two.state],
    );
    // What two takers pass on, the old one and the new one, may overtake each other.
    const flown = two.names().slice(1).map(Number);
    assert.deepEqual(
      flown.sort((a, b) => a - b),
      Array.from({ length: thrown }, (_, n) => n + 1),
    );
    assert.deepEqual([two.state.missed, two.state.restarts, two.state.place.cell], [0, 0, [1, 0]]);

    if (engine !== 'primary') {
      process.kill(memberWith(/** @type {number} */ (child.pid), 'SPRITES_ROLE=seat'), 'SIGKILL');
      assert.equal(await one.throw('right', 'without a steward'), 202);
      await until(() => two.sprites.length === 2 + thrown);
      const three = follow(url);
      t.after(() => three.stop());
      await until(() => three.state.place.cell !== undefined);
      assert.deepEqual(three.state.place.cell, [1, 1]);
    }
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
}

test('fleet_with_wrong_arguments_says_why', async () => {
  /** @type {[string[], RegExp][]} */
  const cases = [
    [
      ['--connections', 'many'],
      /^failed to start: --connections must be a whole number from 1 to 10000000; found "many"\n$/,
    ],
    [['--sails'], /^failed to start: Unknown option '--sails'/],
    [['--no-steward'], /^failed to start: --no-steward needs a bus that other processes can reach/],
    [['--bus', 'nats', '--bus-url', 'nats://127.0.0.1:1'], /NATS at nats:\/\/127.0.0.1:1 does not respond/],
  ];
  await Promise.all(
    cases.map(async ([args, expected]) => {
      const child = spawn(process.execPath, [FLEET, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
      const stderr = child.stderr.toArray();
      assert.equal((await once(child, 'close'))[0], 1);
      assert.match(Buffer.concat(await stderr).toString(), expected);
    }),
  );
});

test('fleet_plan_has_as_few_processes_as_descriptors_allow', () => {
  const wish = { connections: 1_000_000, takers: 2, first_port: 9_000, descriptors: 20_000 };
  const { holders, capacity, ports } = planFleet(wish);
  assert.deepEqual([holders, capacity, ports.length, ports.at(-1)], [52, 19_349, 53, 9_052]);
  assert.deepEqual(planFleet({ ...wish, connections: 10, first_port: 0 }).ports, [0, 0]);
  assert.equal(planFleet({ ...wish, connections: 100, holders: 4 }).capacity, 26);
  assert.throws(() => planFleet({ ...wish, holders: 51 }), /need at least 52 holders of 19349 each/);
  assert.throws(() => planFleet({ ...wish, descriptors: 256 }), /hint: ulimit -n/);
  assert.throws(() => planFleet({ ...wish, first_port: 65_500 }), /need ports up to 65552/);
});

test('descriptor_limit_is_read', () => {
  assert.equal(descriptorsOf('Limit  Soft\nMax open files            20000   20000   files\n'), 20_000);
  assert.equal(descriptorsOf(''), 1_024);
});

test('watch_line_has_rates_and_bytes_of_a_connection', () => {
  const before = { thrown: 100, delivered: 50 };
  const now = {
    thrown: 1_100,
    delivered: 250,
    connections: 1_000,
    rss: 2 ** 21,
    heap_used: 2 ** 20,
    processes: 3,
    restarts: 0,
  };
  assert.match(lineOf(now, before, 10), /thrown 100\/s collected 20\/s .* 2 MiB \(2097 B each\), heap 1 MiB/);
});
