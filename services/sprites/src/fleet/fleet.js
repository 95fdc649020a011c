// @ts-check
/**
 * The processes of a fleet: started, watched, started again when they end, and replaced one by one. It must not know
 * what they do, beside the bus that goes through this process where no other engine is chosen.
 */

import cluster from 'node:cluster';
import { once } from 'node:events';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createPrimaryBus } from '../bus/primary.js';
import { startSteward } from '../steward/start.js';

/** @import { Worker } from 'node:cluster' */
/** @import { Engine } from '../bus/choice.js' */
/** @import { FleetPlan } from './plan.js' */

/** Between the end of a process and its replacement, so that one that cannot start does not keep a core busy. */
const PAUSE_MS = 500;
/**
 * How much nicer holders are than this process. Where cores are scarce, all of them together would leave the one steward the share of
 * one process, and clients that wait for a seat longer than they are held for are turned away for nothing.
 */
const HOLDER_NICENESS = 5;
const MOST_NICENESS = 19;
const MEMBER = fileURLToPath(new URL('../member.js', import.meta.url));

/**
 * @typedef {object} Member
 * @property {'hold' | 'take' | 'seat'} role
 * @property {string} name that no other process ever had
 * @property {number} port 0: a free one
 * @property {Worker} process
 * @property {Record<string, number>} figures what it said last
 * @property {boolean} leaving it is about to end, and that is as it should be
 * @property {string | undefined} held where its clients go
 * @property {string | undefined} taken
 */

/**
 * @param {object} options
 * @param {FleetPlan} options.plan
 * @param {Engine} options.engine
 * @param {string} options.bus_url
 * @param {string} options.id of this fleet, which no other that shares the bus has
 * @param {boolean} options.seats whether the lattice is kept here, and not by another fleet
 * @param {NodeJS.ProcessEnv} options.env of the processes
 * @param {string[]} options.flags of Node.js for them
 * @param {import('../steward/steward.js').Patience} options.patience
 * @param {number} options.tick_ms
 * @param {number} options.drain_ms for the clients of a process that is replaced to go elsewhere
 * @param {(text: string) => void} options.say
 */
export async function startFleet(options) {
  const { plan, engine, env, flags, say, drain_ms } = options;
  /** @type {Set<Member>} */
  const members = new Set();
  let stopping = false;
  let started = 0;
  let restarts = 0;
  const throughHere = engine === 'primary' ? createPrimaryBus() : undefined;
  const steward =
    throughHere === undefined || !options.seats ? undefined : await startSteward(options, throughHere.open);

  // The takers accept connections themselves. Handed on by this process, one could be lost on its way to a taker that ends.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: MEMBER, execArgv: flags });

  /** @param {Member['role']} role @param {number} port @returns {Promise<Member>} when it is ready */
  async function start(role, port) {
    started += 1;
    const name = `${options.id}${started.toString(36)}`;
    const child = cluster.fork({
      ...env,
      SPRITES_ROLE: role,
      SPRITES_NAME: name,
      SPRITES_BUS: engine,
      SPRITES_BUS_URL: options.bus_url,
      SPRITES_CAPACITY: `${plan.capacity}`,
      SPRITES_METRICS_PORT: '0',
      SPRITES_TICK_MS: `${options.tick_ms}`,
      SPRITES_HELD_PORT: `${role === 'hold' ? port : 0}`,
    });
    /** @type {Member} */
    const member = {
      role,
      name,
      port,
      process: child,
      figures: {},
      leaving: false,
      held: undefined,
      taken: undefined,
    };
    members.add(member);
    if (role !== 'seat') throughHere?.attach(name, child.process);
    if (role === 'hold') giveWay(child);
    // A line to it that breaks is seen by its end.
    child.on('error', () => {});
    child.once('exit', (code, signal) => void ended(member, signal ?? code));
    await new Promise((resolve, reject) => {
      child.once('exit', (code, signal) => {
        reject(
          new Error(
            `${role === 'seat' ? 'the steward' : `worker ${name}`} ended with ${signal ?? code} before it was ready`,
          ),
        );
      });
      child.on('message', ({ ready, figures }) => {
        if (figures !== undefined) member.figures = figures;
        if (ready === undefined) return;
        member.held = ready.held;
        member.taken = ready.taken;
        resolve(undefined);
      });
    });
    return member;
  }

  /** @param {Member} member @param {number | string} how */
  async function ended(member, how) {
    members.delete(member);
    if (stopping) return;
    if (member.role === 'hold') bury(member.name);
    if (member.leaving) return;
    restarts += 1;
    say(`${member.role} ${member.name} ended with ${how}, and is started again`);
    await wait(PAUSE_MS);
    if (!stopping) await start(member.role, member.port).catch((error) => say(error.message));
  }

  /** Its clients keep their seats from now on for a while. @param {string} name */
  function bury(name) {
    steward?.steward.bury(name);
    for (const { role, process } of members) if (role === 'seat') order(process, { bury: name });
  }

  /** @param {Member['role']} role */
  function those(role) {
    return [...members].filter((member) => member.role === role);
  }

  /** @param {Member} member */
  async function end(member) {
    member.leaving = true;
    const exit = once(member.process, 'exit');
    if (member.role === 'hold') order(member.process, { drain: drain_ms });
    else member.process.process.kill('SIGTERM');
    await exit;
  }

  async function stop() {
    stopping = true;
    await Promise.all(
      [...members].map(async ({ process: { process } }) => {
        if (process.exitCode !== null || process.signalCode !== null) return;
        const exit = once(process, 'exit');
        process.kill('SIGTERM');
        await exit;
      }),
    );
    await steward?.stop();
  }

  try {
    if (throughHere === undefined && options.seats) await start('seat', 0);
    // A few at a time: each takes a core while it starts.
    const ports = plan.ports.slice(0, plan.holders);
    const rows = Array.from({ length: availableParallelism() }, async () => {
      for (let port = ports.shift(); port !== undefined; port = ports.shift()) await start('hold', port);
    });
    await Promise.all(rows);
    for (let taker = 0; taker < plan.takers; taker += 1) await start('take', 0);
  } catch (error) {
    await stop();
    throw error;
  }

  return {
    stop,
    members: () => [...members],
    restarts: () => restarts,
    steward: steward?.steward,
    /** Replaces each process by a new one, one after the other; clients go from the old to the new ones. */
    async restart() {
      let spare = /** @type {number} */ (plan.ports.at(-1));
      for (const member of those('hold')) {
        await start('hold', spare);
        await end(member);
        spare = member.port;
      }
      for (const member of those('take')) {
        await start('take', 0);
        await end(member);
      }
      // Nobody is seated while there is none, and nothing else is missing.
      for (const member of those('seat')) {
        await end(member);
        await start('seat', 0);
      }
    },
  };
}

/** One that could not be started has no priority. @param {Worker} holder */
function giveWay({ process: { pid } }) {
  if (pid !== undefined) setPriority(pid, Math.min(getPriority() + HOLDER_NICENESS, MOST_NICENESS));
}

/** One that is ending need not hear it. @param {Worker} process @param {import('../member.js').Order} message */
function order(process, message) {
  if (process.isConnected()) process.send(message, () => {});
}

/** @typedef {Awaited<ReturnType<typeof startFleet>>} Fleet */
