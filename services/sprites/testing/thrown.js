// @ts-check
/**
 * A fleet under the load that it is for: clients wait on parked connections, and each throws a sprite at anyone every few seconds. What
 * arrives is counted by `plimsoll`, and what it costs is told by process. Benches and studies measure with it.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openEngine } from './engine.js';
import { childrenOf, cpu_us, memory_bytes, variableOf } from './processes.js';

const FLEET = fileURLToPath(new URL('../src/fleet.js', import.meta.url));
const SPRITE = {
  name: '$' + '{message}',
  pixels: '0002000000022000000222000002222000020000dddddddd0dddddd000999900',
  at: 0.5,
  speed: 1,
};
const THROW = 'throw';
/** Below the ports that the kernel gives to connections. */
const FIRST_PORT = 9_000;
const LAST_PORT = 32_000;
const SAMPLE_MS = 250;
export const PACE_PER_S = 2_500;
/** Connecting takes at least as long, so that takers have heard of the clients before the first sprite is thrown. */
const CONNECTING_S = 4;
/** At each end of what is held, in which processes have not settled or are ending. */
const MARGIN_S = 1;
const MEBI = 1024 * 1024;

/** @typedef {'primary' | 'redis' | 'nats'} Engine */
/** @typedef {Awaited<ReturnType<typeof openFleet>>} Fleet */
/** @typedef {'primary' | 'holders' | 'takers' | 'steward' | 'engine'} Part */

/**
 * What a round came to.
 * @typedef {object} Round
 * @property {number} held clients that were connected at the end
 * @property {number} lost connections
 * @property {number} thrown sprites that were to be thrown
 * @property {number} accepted
 * @property {number} delivered
 * @property {number} undelivered sprites that were accepted and did not arrive
 * @property {number} doubled
 * @property {number} p50_ms from the moment at which a sprite was to be thrown until it arrived
 * @property {number} p99_ms
 * @property {Record<Part | 'generator', number>} cores busy, on average
 * @property {number} cpu_us_per_sprite of all processes of the fleet, and of the engine
 * @property {number} empty_bytes of all processes of the fleet without a client
 * @property {number} fleet_bytes_per_client that came with a client, in all of them
 * @property {number} heap_bytes_per_client of that, the heap of Node.js
 * @property {number} kernel_bytes_per_client both ends of a connection
 * @property {number} generator_bytes_per_client
 * @property {number} longest_pause_ms of garbage collection, in any process, since the fleet was started
 */

/**
 * @param {object} options
 * @param {number} options.connections
 * @param {number} [options.holders] as few as can hold them, if not given
 * @param {number} [options.takers]
 * @param {Engine} [options.engine]
 * @param {string} [options.flags] of Node.js for its processes; the fleet's own, if not given
 */
export async function openFleet({ connections, holders, takers = 1, engine = 'primary', flags }) {
  const server = engine === 'primary' ? undefined : await openEngine(engine);
  const port = await freePorts(1, FIRST_PORT);
  // As many as a fleet could need, whose number only it knows.
  const first = await freePorts(Math.ceil(connections / 10_000) + (holders ?? 0) + 2, port + 1);
  const args = ['--connections', `${connections}`, '--takers', `${takers}`, '--port', `${port}`].concat(
    ['--first-port', `${first}`, '--bus', engine, '--watch', '1'],
    holders === undefined ? [] : ['--holders', `${holders}`],
    server === undefined ? [] : ['--bus-url', server.url],
    flags === undefined ? [] : [`--flags=${flags}`],
  );
  const child = spawn(process.execPath, [FLEET, ...args], {
    env: { ...process.env, SPRITES_STRANGERS: 'on', SPRITES_LIMITS: 'off', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const killed = () => void child.kill('SIGKILL');
  process.once('exit', killed);
  /** @type {{ at_ms: number, text: string }[]} */
  const lines = [];
  const reader = createInterface({ input: child.stderr });
  const started = new Promise((resolve, reject) => {
    reader.on('line', (text) => {
      lines.push({ at_ms: performance.now(), text });
      const counts = /^(\d+) holders of/.exec(text);
      if (counts !== null) resolve(Number(counts[1]));
    });
    child.once('exit', (code, signal) => {
      reject(
        new Error(`the fleet ended with ${signal ?? code}: ${lines.map(({ text }) => text).join('; ')}`),
      );
    });
  });
  /** @type {number} */
  let count;
  try {
    count = await started;
  } catch (error) {
    await server?.kill();
    throw error;
  }
  const pid = /** @type {number} */ (child.pid);
  /** @type {Record<Part, number[]>} */
  const parts = { primary: [pid], holders: [], takers: [], steward: [], engine: server ? [server.pid] : [] };
  const roles = { hold: parts.holders, take: parts.takers, seat: parts.steward };
  for (const member of childrenOf(pid)) {
    roles[/** @type {keyof typeof roles} */ (variableOf(member, 'SPRITES_ROLE'))]?.push(member);
  }
  return {
    connections,
    parts,
    held: { url: `http://127.0.0.1:${first}`, ports: `${first}-${first + count - 1}` },
    taken: `http://127.0.0.1:${port}`,
    /** Lines of figures, one a second. */
    lines,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      process.off('exit', killed);
      await server?.kill();
    },
  };
}

/**
 * Connects as many clients as the fleet is for, lets them throw, and lets them go.
 * @param {Fleet} fleet
 * @param {object} options
 * @param {number} options.lasts_s
 * @param {number} [options.every_s] a throw of each client
 * @param {number} [options.pace_per_s] at which they connect, at most
 * @param {string} [options.program]
 * @returns {Promise<Round>}
 */
export async function throwSprites(
  fleet,
  { lasts_s, every_s = 5, pace_per_s: most_per_s = PACE_PER_S, program = process.env.PLIMSOLL ?? 'plimsoll' },
) {
  const { connections, parts } = fleet;
  const pace_per_s = Math.min(most_per_s, Math.ceil(connections / CONNECTING_S));
  const directory = mkdtempSync(join(tmpdir(), 'sprites-thrown-'));
  try {
    const plan = join(directory, 'plan.json');
    writeFileSync(plan, JSON.stringify(planOf(fleet, { lasts_s, every_s, pace_per_s })));
    const members = Object.values(parts).flat();
    const empty_heap_bytes = await heapOf(fleet);
    const empty_bytes = memory_bytes(members);
    const child = spawn(program, ['run', plan, '--json', '--quiet', '--runs-dir', directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const killed = () => void child.kill('SIGKILL');
    process.once('exit', killed);
    const printed = child.stdout.toArray();
    const complained = child.stderr.toArray();
    const ended = once(child, 'close');
    const generator = [/** @type {number} */ (child.pid)];
    const used = await whileThrowing(fleet, generator, connections / pace_per_s, lasts_s, ended);
    const [code] = await ended;
    process.off('exit', killed);
    const text = Buffer.concat(await printed).toString();
    if (text.trim() === '') {
      const why = Buffer.concat(await complained)
        .toString()
        .trim();
      throw new Error(`${program} ended with ${code}: ${why}`);
    }
    const { hold, requests } = JSON.parse(text);
    const { messages } = hold;
    if (used === undefined || messages === undefined) {
      throw new Error(`no sprite was thrown: ${hold.opened} of ${hold.wanted} connections were opened`);
    }
    const { cores } = used;
    const { primary, holders, takers, steward, engine } = cores;
    const fleet_cores = primary + holders + takers + steward + engine;
    return {
      held: hold.live,
      lost: hold.lost,
      thrown: requests.find((/** @type {{ name: string }} */ { name }) => name === THROW).sent,
      accepted: messages.sent,
      delivered: messages.delivered,
      undelivered: messages.lost ?? Number.NaN,
      doubled: messages.doubled,
      p50_ms: messages.time.p50_ms,
      p99_ms: messages.time.p99_ms,
      cores,
      cpu_us_per_sprite: (fleet_cores * 1e6) / (messages.delivered / lasts_s),
      empty_bytes,
      fleet_bytes_per_client: (used.memory_bytes - empty_bytes) / connections,
      heap_bytes_per_client: (used.heap_bytes - empty_heap_bytes) / connections,
      kernel_bytes_per_client: hold.kernel_bytes_per_connection ?? Number.NaN,
      generator_bytes_per_client: hold.generator_bytes_per_connection ?? Number.NaN,
      longest_pause_ms: used.longest_pause_ms,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * What processes use while all clients are connected and throw.
 * @param {Fleet} fleet @param {number[]} generator @param {number} connecting_s @param {number} lasts_s @param {Promise<unknown>} ended
 */
async function whileThrowing({ parts, lines }, generator, connecting_s, lasts_s, ended) {
  /** @type {Record<string, number[]>} */
  const all = { ...parts, generator };
  const sample = () => ({
    at_us: performance.now() * 1e3,
    used_us: Object.values(all).map(cpu_us),
  });
  const over = new AbortController();
  void ended.then(() => over.abort());
  try {
    await wait((connecting_s + MARGIN_S) * 1e3, undefined, { signal: over.signal });
    const first = sample();
    await wait((lasts_s - 2 * MARGIN_S) * 1e3, undefined, { signal: over.signal });
    const last = sample();
    const line = lines.at(-1)?.text ?? '';
    const cores = last.used_us.map((us, at) => (us - first.used_us[at]) / (last.at_us - first.at_us));
    return {
      cores: /** @type {Round['cores']} */ (
        Object.fromEntries(Object.keys(all).map((part, at) => [part, cores[at]]))
      ),
      // To look at the memory of many processes costs them something, so it comes last.
      memory_bytes: memory_bytes(Object.values(parts).flat()),
      heap_bytes: heapIn(line),
      longest_pause_ms: figureOf(line, /longest GC pause ([\d.]+) ms/),
    };
  } catch (error) {
    if (over.signal.aborted) return undefined;
    throw error;
  }
}

/** @param {Fleet} fleet @param {{ lasts_s: number, every_s: number, pace_per_s: number }} load */
function planOf({ held, taken, connections }, { lasts_s, every_s, pace_per_s }) {
  const request = {
    name: THROW,
    url: taken,
    method: 'POST',
    path: '/throw',
    json: { to: 'anyone', sprite: SPRITE },
    expect: { status: 202 },
  };
  return {
    name: 'sprites, held and thrown',
    target: { url: held.url },
    scenario: {
      requests: [{ name: 'wait for a sprite', path: '/poll', expect: { status: 200 } }],
      actions: [{ repeat: { every: `${every_s * 1e3}ms`, actions: [{ request }] } }],
    },
    load: {
      model: 'hold',
      connections,
      pace: `${pace_per_s}/s`,
      duration: `${lasts_s}s`,
      ports: held.ports,
    },
  };
}

/** Of all processes, as soon as they have said it. @param {Fleet} fleet */
async function heapOf({ lines }) {
  while (!lines.at(-1)?.text.startsWith('clients')) await wait(SAMPLE_MS);
  return heapIn(/** @type {{ text: string }} */ (lines.at(-1)).text);
}

/** @param {string} line */
function heapIn(line) {
  return figureOf(line, /heap (\d+) MiB/) * MEBI;
}

/** So many ports in a row on which nobody listens. @param {number} count @param {number} from @returns {Promise<number>} the first */
async function freePorts(count, from) {
  for (let first = from; first + count <= LAST_PORT; ) {
    const taken = await firstTaken(first, count);
    if (taken === undefined) return first;
    first = taken + 1;
  }
  throw new Error(`found no ${count} free ports in a row from ${from} to ${LAST_PORT}`);
}

/** @param {number} first @param {number} count */
async function firstTaken(first, count) {
  for (let port = first; port < first + count; port += 1) {
    const server = createServer().listen(port, '127.0.0.1');
    const listens = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    if (!listens) return port;
    server.close();
    await once(server, 'close');
  }
  return undefined;
}

/** @param {string} line @param {RegExp} pattern */
function figureOf(line, pattern) {
  return Number(pattern.exec(line)?.[1] ?? Number.NaN);
}
