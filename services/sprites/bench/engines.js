// @ts-check
/**
 * What the bus costs with each engine: a fleet with parked clients, sprites thrown at anyone at a fixed rate, and the CPU of
 * all its processes and of the engine for each sprite that was collected. `plimsoll` (or PLIMSOLL=PATH) holds and throws.
 *
 * `node services/sprites/bench/engines.js [CONNECTIONS] [RATE…]`
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findProgram, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';

const PLIMSOLL = process.env.PLIMSOLL ?? 'plimsoll';
const FLEET = fileURLToPath(new URL('../src/fleet.js', import.meta.url));
const HOLDERS = 3;
const SECONDS = 10;
const [connections = 6_000, ...rates] = process.argv.slice(2).map(Number);
const CLOCK_TICK_US = 1e6 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const SPRITE = {
  name: 'boat',
  pixels: '0002000000022000000222000002222000020000dddddddd0dddddd000999900',
  at: 0.5,
  speed: 1,
};
const directory = mkdtempSync(join(tmpdir(), 'sprites-bench-'));
process.on('exit', () => rmSync(directory, { recursive: true }));

process.stdout.write(
  'engine   sprites/s  CPU per sprite, µs: fleet  engine  delivery p50, p99, ms  collected, missed\n',
);
for (const engine of ['primary', 'redis', 'nats']) await measure(engine);

/** @param {string} engine */
async function measure(engine) {
  const server = engine === 'primary' ? undefined : await startEngine(engine);
  const port = await freePort();
  const first = await freePort();
  const bus = server === undefined ? [] : ['--bus-url', server.url];
  const fleet = spawn(
    process.execPath,
    [
      FLEET,
      '--connections',
      `${connections}`,
      '--holders',
      `${HOLDERS}`,
      '--takers',
      '1',
      '--port',
      `${port}`,
    ].concat('--first-port', `${first}`, '--bus', engine, ...bus, '--watch', '1'),
    {
      env: { ...process.env, SPRITES_STRANGERS: 'on', SPRITES_LIMITS: 'off' },
      stdio: ['ignore', 'inherit', 'pipe'],
    },
  );
  let last = '';
  createInterface({ input: fleet.stderr }).on('line', (line) => {
    last = line;
  });
  while (!last.startsWith('clients')) await wait(100);
  for (const rate of rates.length === 0 ? [1_000, 3_000] : rates) {
    const ports = `${first}-${first + HOLDERS - 1}`;
    const holding = spawn(
      PLIMSOLL,
      [
        'hold',
        `http://127.0.0.1:${first}/poll`,
        '-c',
        `${connections}`,
        '--pace',
        '3000/s',
        '-d',
        `${SECONDS + 6}s`,
      ].concat('--ports', ports, '--json', '--runs-dir', directory, '--quiet'),
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const held = holding.stdout.toArray();
    while (Number(/^clients (\d+)/.exec(last)?.[1]) < connections) await wait(100);
    const throwing = spawn(
      PLIMSOLL,
      [
        'bench',
        `http://127.0.0.1:${port}/throw`,
        '-m',
        'POST',
        '-R',
        `${rate}/s`,
        '-d',
        `${SECONDS}s`,
        '--json',
      ].concat(
        '-H',
        'content-type: application/json',
        '-b',
        JSON.stringify({ to: 'anyone', sprite: SPRITE }),
      ),
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    throwing.stdout.resume();
    await wait(2_000);
    const members = [fleet.pid, ...childrenOf(/** @type {number} */ (fleet.pid))];
    const before = [cpu_us(members), cpu_us([server?.pid])];
    await wait((SECONDS - 4) * 1e3);
    const after = [cpu_us(members), cpu_us([server?.pid])];
    const rateSeen = /collected (\d+)\/s missed (\d+)/.exec(last);
    const sprites = Number(rateSeen?.[1]) * (SECONDS - 4);
    await Promise.all([once(throwing, 'close'), once(holding, 'close')]);
    const text = Buffer.concat(await held).toString();
    const [, p50, p99] = /"delivery_time":\{[^}]*"p50_ms":([\d.]+)[^}]*"p99_ms":([\d.]+)/.exec(text) ?? [];
    const delivery = `${Number(p50).toFixed(2)}, ${Number(p99).toFixed(2)}`.padStart(23);
    process.stdout.write(
      `${engine.padEnd(8)} ${`${rate}`.padStart(9)}  ${((after[0] - before[0]) / sprites).toFixed(0).padStart(25)}  ` +
        `${((after[1] - before[1]) / sprites).toFixed(0).padStart(6)}  ${delivery}  ${rateSeen?.[1]}/s, ${rateSeen?.[2]}\n`,
    );
    // Its clients are gone, and so are their seats after the grace.
    while (Number(/^clients (\d+)/.exec(last)?.[1]) > 0) await wait(200);
  }
  fleet.kill('SIGTERM');
  await once(fleet, 'exit');
  await server?.kill();
}

/** @param {string} engine */
async function startEngine(engine) {
  const port = await freePort();
  const args =
    engine === 'redis'
      ? ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', '']
      : ['-a', '127.0.0.1', '-p', `${port}`];
  return startServer({
    program: /** @type {string} */ (findProgram(`${engine}-server`)),
    args,
    log: join(directory, `${engine}.log`),
    port,
    url: `${engine}://127.0.0.1:${port}`,
  });
}

/** @param {number} pid */
function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

/** CPU time that processes have used. @param {(number | undefined)[]} pids */
function cpu_us(pids) {
  let ticks = 0;
  for (const pid of pids) {
    if (pid === undefined) continue;
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * CLOCK_TICK_US;
}
