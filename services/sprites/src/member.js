// @ts-check
/** One process of a fleet: it holds clients, takes short requests, or seats clients on the lattice, as the fleet says. */

import { integer, oneOf } from '@plimsoll/service-common/settings.js';
import { pino } from 'pino';
import { busOf, DEFAULT_URLS, ENGINES } from './bus/choice.js';
import { readConfig } from './config.js';
import { startSteward } from './steward/start.js';
import { startWorker } from './worker.js';

/** @import { Config } from './config.js' */

export const ROLES = /** @type {const} */ (['hold', 'take', 'seat']);

/**
 * What a member says to the fleet, and the fleet to a member.
 * @typedef {{ ready: { held?: string, taken?: string } }} Ready
 * @typedef {{ figures: Record<string, number> }} Figures
 * @typedef {{ drain: number } | { bury: string }} Order milliseconds to send clients elsewhere; the name of a worker that ended
 */

const FIGURES_MS = 1_000;
/** For a steward that is started again: workers say whom they hold. */
const SETTLING_TICKS = 2;

try {
  await start(process.env);
} catch (error) {
  process.stderr.write(`failed to start: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

/** @param {NodeJS.ProcessEnv} env */
async function start(env) {
  const role = oneOf(env, 'SPRITES_ROLE', 'hold', ROLES);
  const engine = oneOf(env, 'SPRITES_BUS', 'primary', ENGINES);
  const openBus = await busOf(
    engine,
    env.SPRITES_BUS_URL || DEFAULT_URLS[engine],
    env.SPRITES_BUS_PREFIX || 'sprites',
  );
  const config = { ...readConfig(env), tick_ms: integer(env, 'SPRITES_TICK_MS', 1_000, 10, 60_000) };
  // Without the fleet nobody would start this process again, or stop it.
  process.on('disconnect', () => process.exit(1));
  const stop = role === 'seat' ? await seat(config, openBus) : await work(config, role, openBus);
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP']))
    process.on(signal, () => void end(stop));
  // The fleet does what is to be done, even where a signal was for its whole group.
  process.on('SIGUSR2', () => {});
}

/** @param {Config} config @param {import('./bus/bus.js').OpenBus} openBus */
async function seat(config, openBus) {
  const patience = { ...config.patience, settling_ticks: SETTLING_TICKS };
  const { steward, stop } = await startSteward({ ...config, patience }, openBus);
  process.on('message', (/** @type {Partial<{ bury: string }>} */ { bury }) => {
    if (bury !== undefined) steward.bury(bury);
  });
  tell({ ready: {} });
  const clock = setInterval(() => {
    tell({ figures: { seated: steward.lattice.size, holes: steward.lattice.holes, ...memory() } });
  }, FIGURES_MS);
  return async () => {
    clearInterval(clock);
    await stop();
  };
}

/** @param {Config} config @param {'hold' | 'take'} role @param {import('./bus/bus.js').OpenBus} openBus */
async function work(config, role, openBus) {
  const log = pino({ level: config.log_level }, pino.destination({ dest: 1, sync: false }));
  const worker = await startWorker(config, { holds: role === 'hold', takes: role === 'take' }, openBus, log);
  tell({ ready: { held: worker.heldUrl, taken: worker.url } });
  const clock = setInterval(() => tell({ figures: { ...worker.figures(), ...memory() } }), FIGURES_MS);
  const stop = async () => {
    clearInterval(clock);
    await worker.stop();
  };
  process.on('message', async (/** @type {Partial<{ drain: number }>} */ { drain }) => {
    if (drain === undefined) return;
    await worker.drain(drain);
    await end(stop);
  });
  return stop;
}

let ending = false;

/** @param {() => Promise<void>} stop */
async function end(stop) {
  if (ending) return;
  ending = true;
  await stop().catch((error) => process.stderr.write(`failed to stop cleanly: ${error.message}\n`));
  process.exit(0);
}

/** @param {Ready | Figures} message */
function tell(message) {
  if (process.connected) process.send?.(message);
}

function memory() {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { rss, heap_used: heapUsed, external, cpu_us: user + system };
}
