// @ts-check
/**
 * The service as many processes, in one command: as many that hold clients as the limit of descriptors makes necessary,
 * some that take short requests, and one, the steward, that seats clients on the lattice.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigError, integer, oneOf } from '@plimsoll/service-common/settings.js';
import { DEFAULT_URLS, ENGINES } from './bus/choice.js';
import { readPatience } from './config.js';
import { startFleet } from './fleet/fleet.js';
import { descriptorsOf, planFleet } from './fleet/plan.js';
import { createWatch } from './fleet/watch.js';

const HELP = `Usage: node services/sprites/src/fleet.js [OPTIONS]

Start as many processes as the connections need, and watch them.

Options:
  --connections <N>  Hold this many connections [default: 20000]
  --holders <N>      Hold them in this many processes [default: as few as can]
  --takers <N>       Take short requests in this many processes [default: one per core]
  --port <PORT>      Take short requests and show the page there [default: 3000]
  --first-port <PORT>
                     Hold connections on this port and those after it, 0: free ones [default: 9000]
  --bus <ENGINE>     Exchange messages through primary, redis or nats [default: primary]
  --bus-url <URL>    Where the engine is [default: that of the engine on this machine]
  --no-steward        Leave the lattice to a fleet that shares the bus, on this machine or another
  --watch <SECONDS>  Print a line of figures this often, 0: never [default: 5]
  --flags <FLAGS>    Start processes with these flags of Node.js [default: those that keep them small]
  --help             Print this

Signals: SIGUSR2 replaces each process by a new one, one after the other; SIGTERM, SIGINT and SIGHUP stop all.
Other settings come from the environment, as for one process: see the README.
`;

/** Of what was tried (see the README): small heaps that are collected often, and no threads that a core would share. */
const LEAN_FLAGS = '--max-semi-space-size=1 --optimize-for-size --single-threaded-gc';

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError) && !isArgumentError(error)) throw error;
  process.stderr.write(`failed to start: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}

async function main() {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string' },
      holders: { type: 'string' },
      takers: { type: 'string' },
      port: { type: 'string' },
      'first-port': { type: 'string' },
      bus: { type: 'string' },
      'bus-url': { type: 'string' },
      'no-steward': { type: 'boolean' },
      watch: { type: 'string' },
      flags: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const { env } = process;
  const engine = oneOf({ '--bus': values.bus }, '--bus', 'primary', ENGINES);
  if (values['no-steward'] && engine === 'primary') {
    throw new ConfigError(
      '--no-steward needs a bus that other processes can reach: --bus redis or --bus nats',
    );
  }
  /** @param {'connections' | 'holders' | 'takers' | 'port' | 'first-port' | 'watch'} name @param {number} fallback @param {number} least @param {number} most */
  const number = (name, fallback, least, most) =>
    integer({ [`--${name}`]: values[name] }, `--${name}`, fallback, least, most);
  const plan = planFleet({
    connections: number('connections', 20_000, 1, 10_000_000),
    holders: values.holders === undefined ? undefined : number('holders', 1, 1, 10_000),
    takers: number('takers', availableParallelism(), 0, 1_024),
    first_port: number('first-port', 9_000, 0, 65_535),
    descriptors: descriptorsOf(readFileSync('/proc/self/limits', 'utf8')),
  });
  const say = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`);
  const began_ms = performance.now();
  const fleet = await startFleet({
    plan,
    engine,
    bus_url: values['bus-url'] ?? DEFAULT_URLS[engine],
    id: `w${randomBytes(3).toString('hex')}`,
    seats: !values['no-steward'],
    env: { ...env, PORT: `${number('port', 3_000, 0, 65_535)}` },
    flags: (values.flags ?? LEAN_FLAGS).split(' ').filter((flag) => flag !== ''),
    patience: readPatience(env),
    tick_ms: integer(env, 'SPRITES_TICK_MS', 1_000, 10, 60_000),
    drain_ms: integer(env, 'SPRITES_DRAIN_MS', 30_000, 1, 3_600_000),
    say,
  });
  const members = fleet.members();
  const held = members.filter(({ role }) => role === 'hold').map(({ held }) => held);
  say(
    `${plan.holders} holders of ${plan.capacity} clients, ${held[0]} to ${held.at(-1)}; ${plan.takers} takers` +
      `${plan.takers > 0 ? ` on ${members.find(({ taken }) => taken !== undefined)?.taken}` : ''}; bus ${engine}; ` +
      `started in ${((performance.now() - began_ms) / 1e3).toFixed(1)} s`,
  );
  const watch = createWatch(fleet, number('watch', 5, 0, 86_400), say);

  let stopping = false;
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP'])) {
    process.on(signal, async () => {
      if (stopping) return;
      stopping = true;
      watch.stop();
      await fleet.stop();
      process.exit(0);
    });
  }
  let restarting = false;
  process.on('SIGUSR2', async () => {
    if (restarting || stopping) return;
    restarting = true;
    say('replacing every process');
    await fleet.restart().then(
      () => say('every process is new'),
      (error) => say(`failed to replace every process: ${error.message}`),
    );
    restarting = false;
  });
}

/** @param {unknown} error */
function isArgumentError(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code?.startsWith('ERR_PARSE_ARGS') ?? false;
}
