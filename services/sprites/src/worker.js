// @ts-check
/** One worker put together: clients, their port, the port for short requests, and its end of the bus. */

import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { listen } from '@plimsoll/service-common/listening.js';
import { createOutbox, forEachLine } from './bus/bus.js';
import { Clients } from './clients/clients.js';
import { Problem } from './errors.js';
import { createGuard } from './guard/guard.js';
import { listenHeld } from './held/server.js';
import { createMetrics } from './metrics.js';
import { createApp } from './taken/app.js';
import { createDoorway } from './taken/doorway.js';
import { listenMetrics } from './taken/metrics.js';

/** @import { Bus, OpenBus } from './bus/bus.js' */
/** @import { Config } from './config.js' */

/** From the last client on, for what is still under way to those who were here. */
const LINGER_TICKS = 3;

/** Clients that are sent elsewhere in one tick when this worker stops, so that they do not all come at once. */
const MOVES_PER_TICK = 2_000;

/**
 * What a worker does: hold clients on a port of its own, take short requests on a port that several share, or both.
 * @typedef {{ holds: boolean, takes: boolean }} Roles
 */

/**
 * @param {Config} config
 * @param {Roles} roles
 * @param {OpenBus} openBus
 * @param {import('pino').Logger} log
 */
export async function startWorker(config, roles, openBus, log) {
  const { name, limits, bounds } = config;
  const outbox = createOutbox(name, (to, text) => bus.send(to, text));
  const clients = new Clients({
    name,
    limits: roles.holds ? limits : { ...limits, capacity: 1 },
    post: outbox.post,
    secret: createSecrets(),
  });
  /** @type {Awaited<ReturnType<typeof listenHeld>> | undefined} */
  let held;
  /** @type {Awaited<ReturnType<typeof listen>> | undefined} */
  let taken;
  /** @type {Awaited<ReturnType<typeof listen>> | undefined} */
  let told;
  const guard = createGuard({ ...config.protection, host: config.host, public_host: config.public_host });
  const doorway = createDoorway(guard, config.short_connections);
  const metrics = createMetrics({
    ...gaugesOf(clients, () => held?.counts),
    ...refusalsOf(guard, () => doorway.gate.refused + (held?.counts.refused() ?? 0)),
  });
  let url = '';
  let draining = false;
  /** @type {Bus} */
  const bus = await openBus({
    name,
    receive: (text) => forEachLine(text, (from, fields) => clients.receive(from, fields)),
    lost: () => clients.introduce(url, roles.holds),
  });

  const app = createApp({
    clients,
    guard,
    metrics,
    log,
    bounds,
    strangers: config.strangers,
    readiness: () => {
      if (draining) return 'the worker is stopping';
      return clients.crew.mates.length === 0 ? 'no worker is known to hold clients' : undefined;
    },
  });
  const clock = setInterval(() => {
    clients.tick();
    held?.tick();
    clients.pulse();
  }, config.tick_ms);

  async function close() {
    clearInterval(clock);
    metrics.close();
    await told?.close(0);
    await held?.close();
    outbox.flush();
    await bus.close();
  }

  try {
    if (roles.holds) {
      const { host, public_host, held_port: port, connections, ping_ticks, idle_ticks } = config;
      const message_bytes = bounds.limit_bytes;
      const count = metrics.request;
      held = await listenHeld({
        host,
        public_host,
        port,
        clients,
        guard,
        connections,
        ping_ticks,
        idle_ticks,
        message_bytes,
        count,
      });
      url = held.url;
    }
    if (roles.takes) {
      const { host, port } = config;
      taken = await listen(app.handle, { host, port, Problem, connected: doorway.enter });
    }
    told = await listenMetrics(config.metrics_port, metrics, log);
  } catch (error) {
    await close();
    throw error;
  }
  clients.introduce(url, roles.holds);
  log.info({ name, held: held?.url, taken: taken?.url, metrics: told.url }, 'listening');

  return {
    name,
    clients,
    metrics,
    heldUrl: held?.url,
    url: taken?.url,
    metricsUrl: told.url,
    /** What it does, as numbers that can be added up over processes. */
    figures: () => ({
      clients: clients.count,
      connections: held?.counts.open() ?? 0,
      refused: doorway.gate.refused + (held?.counts.refused() ?? 0),
      unsent: held?.counts.unsent() ?? 0,
      longest_pause_ms: metrics.longestPause_ms(),
      ...clients.counts,
    }),
    /** Sends clients elsewhere with what waits for them, until none is left or the time is over. @param {number} limit_ms */
    async drain(limit_ms) {
      draining = true;
      const deadline_ms = performance.now() + limit_ms;
      while (clients.drain(MOVES_PER_TICK) > 0 && performance.now() < deadline_ms) {
        await wait(Math.min(config.tick_ms, limit_ms));
      }
      await wait(LINGER_TICKS * config.tick_ms);
    },
    async stop() {
      draining = true;
      app.drain();
      await taken?.close(config.shutdown_grace_ms);
      await close();
      log.info({ name }, 'stopped');
    },
  };
}

/**
 * @param {Clients} clients
 * @param {() => { open: () => number, unsent: () => number } | undefined} held
 * @returns {import('@plimsoll/service-common/metrics.js').Gauges}
 */
function gaugesOf(clients, held) {
  const { counts } = clients;
  return {
    sprites_clients: { help: 'Clients that are held here.', value: () => clients.count },
    sprites_people: { help: 'Clients of all workers.', value: () => clients.crew.people },
    sprites_connections: { help: 'Connections on the port that holds.', value: () => held()?.open() ?? 0 },
    sprites_unsent_bytes: { help: 'Bytes that clients have not read.', value: () => held()?.unsent() ?? 0 },
    sprites_thrown_total: { help: 'Sprites thrown by clients here.', value: () => counts.thrown },
    sprites_thrown_at_nobody_total: { help: 'Sprites thrown where nobody is.', value: () => counts.nobody },
    sprites_thrown_by_nobody_total: {
      help: 'Throws with a ticket that nobody has.',
      value: () => counts.unknown,
    },
    sprites_delivered_total: { help: 'Sprites collected for clients.', value: () => counts.delivered },
    sprites_missed_total: { help: 'Sprites that did not fit into a mailbox.', value: () => counts.missed },
    sprites_forwarded_total: { help: 'Sprites sent on to another worker.', value: () => counts.forwarded },
    sprites_undeliverable_total: { help: 'Sprites for nobody.', value: () => counts.undeliverable },
  };
}

/**
 * @param {import('./guard/guard.js').Guard} guard
 * @param {() => number} connections that were refused
 * @returns {import('@plimsoll/service-common/metrics.js').Gauges}
 */
function refusalsOf({ counts }, connections) {
  return {
    sprites_connections_refused_total: { help: 'Connections above a limit.', value: connections },
    sprites_throws_refused_total: { help: 'Throws above a limit.', value: () => counts.throws },
    sprites_joins_refused_total: { help: 'New clients above a limit.', value: () => counts.joins },
    sprites_origins_refused_total: { help: 'Requests of foreign pages.', value: () => counts.origins },
  };
}

/** Randomness is fetched for many secrets at once. */
function createSecrets() {
  const BYTES = 8;
  const MANY = 512;
  let pool = '';
  return () => {
    if (pool === '') pool = randomBytes(BYTES * MANY).toString('hex');
    const secret = pool.slice(0, 2 * BYTES);
    pool = pool.slice(2 * BYTES);
    return secret;
  };
}
