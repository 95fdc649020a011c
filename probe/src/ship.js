// @ts-check
// The probe's own thread: sends the figures over the socket and responds to commands, even while the service's loop stands
// still.

import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { label, leaveOutOfAllocations } from './labelled.js';
import { readLines } from './lines.js';
import { createProfiler, toMainThread } from './profile.js';
import { createReport } from './report.js';
import { timesBeside } from './threads.js';

const RETRY_MS = 250;
const GIVE_UP_MS = 10_000;
/** How often a command that takes long says that it is under way. */
const WORKING_MS = 500;
/** How long the service's thread has to respond. */
const ORIGINS_MS = 3000;
/** A receiver that does not read gets no more figures until it does. */
const UNREAD_BYTES_MAX = 8 << 20;
/** The longest that a collection is waited for. */
const COLLECT_MS = 1500;

/**
 * @typedef {object} Shipment what the service's thread hands over
 * @property {import('./settings.js').Settings} settings
 * @property {Float64Array} table
 * @property {{ name: string, kind: string }[]} counters
 * @property {Int32Array} exit_waits 1 while an exit has to wait for it
 * @property {number} armed_ms
 * @property {Record<string, any>} hello
 * @property {import('./labelled.js').Log} [labels] mode `profile`
 * @property {import('./threads.js').Threads} threads
 */

/** @param {Shipment} shipment */
export function ship({ settings, table, counters, exit_waits, armed_ms, hello, labels, threads }) {
  const counting = settings.mode === 'counters';
  const wrapped = counters.map(({ name }) => name);
  /** What a receiver has to know before all else; said again on each connection. @type {object[]} */
  const known = [{ ...hello, wrapped }];
  const { pid, thread_id } = hello;
  const report = createReport({ table, counters, armed_ms, pid, thread_id, started: threads.started });
  const script = pathToFileURL(__filename).href;
  /** @type {import('./layers/layer.js').Layer[]} */
  let layers = [];
  const profiler = createProfiler(toMainThread, {
    times: timesBeside(threads),
    originsOf,
    started: () => parentPort?.postMessage({ type: 'start_labels' }),
    // The reply comes before that to the next question.
    stopped: () => parentPort?.postMessage({ type: 'stop_labels' }),
    allocated: (head) => leaveOutOfAllocations(head, __filename),
    labelled: (profile) => (labels ? label(profile, labels, layers, script) : profile),
  });
  /** @type {net.Socket | undefined} */
  let socket;
  let lost_ms = performance.now();
  /** @type {((origins: any[]) => void) | undefined} */
  let resolveOrigins;
  /** @type {(() => void) | undefined} */
  let resolveCollected;
  connect();

  parentPort?.on('message', (note) => {
    if (note.type === 'exit') goodbye(note.code);
    else if (note.type === 'counter') counters[note.index] = note;
    else if (note.type === 'origins') resolveOrigins?.(note.origins);
    else if (note.type === 'collected') resolveCollected?.();
    else if (note.type === 'kept') send({ ...note, probe_bytes: ownMemory() });
    else if (note.type === 'error' || note.type === 'loop_delays') send(note);
    else if (note.type === 'layers') layers = note.layers;
    else if (note.type === 'origin') report.origins[note.index] = note;
    else if (note.type === 'pool') report.pools[note.index] = note;
    else {
      known.push(note);
      send(note);
    }
  });
  // This one keeps the thread going; that the thread does not keep the process going is said where it is made.
  setInterval(() => {
    if (counting && (socket?.writableLength ?? 0) < UNREAD_BYTES_MAX) send(report.message());
  }, settings.report_interval_ms);
  if (counting) report.watchPool();

  function connect() {
    const attempt = net.connect(settings.socket);
    attempt.on('error', () => {});
    attempt.on('connect', () => {
      socket = attempt;
      Atomics.store(exit_waits, 0, 1);
      for (const message of known) send(message);
    });
    attempt.on('close', () => {
      if (socket === attempt) {
        socket = undefined;
        lost_ms = performance.now();
        Atomics.store(exit_waits, 0, 0);
      }
      // The service does not learn that nobody listens; the end of this thread switches the wrappers off.
      if (performance.now() - lost_ms > GIVE_UP_MS) process.exit(0);
      setTimeout(connect, RETRY_MS);
    });
    readLines(attempt, (line) => obey(line));
  }

  /** @param {object} message @param {() => void} [sent] */
  function send(message, sent) {
    socket?.write(`${JSON.stringify(message)}\n`, sent);
  }

  /**
   * Asks the service's thread, which alone knows the source maps. While it stands still it does not respond, and nothing
   * is mapped.
   * @param {import('./origins.js').Place[]} places
   * @returns {Promise<(import('./origins.js').Origin | null)[]>}
   */
  async function originsOf(places) {
    const responded = new Promise((resolve) => {
      resolveOrigins = resolve;
    });
    parentPort?.postMessage({ type: 'origins', places });
    const waited = new Promise((resolve) => setTimeout(resolve, ORIGINS_MS, []));
    return Promise.race([responded, waited]);
  }

  /** What the service keeps, unless its thread stands still. */
  async function collected() {
    /** @type {Promise<void>} */
    const done = new Promise((resolve) => {
      resolveCollected = resolve;
    });
    parentPort?.postMessage({ type: 'collect' });
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, COLLECT_MS))]);
  }

  /** Of this thread, which is in the memory of the process as well. */
  function ownMemory() {
    const { heapTotal, external } = process.memoryUsage();
    return heapTotal + external;
  }

  /** @param {number} code */
  function goodbye(code) {
    if (counting) send(report.message());
    else profiler.close();
    send({ type: 'bye', code }, () => {
      Atomics.store(exit_waits, 0, 0);
      Atomics.notify(exit_waits, 0);
    });
  }

  /** @param {string} line */
  async function obey(line) {
    /** @type {any} */
    let command;
    /** @type {NodeJS.Timeout | undefined} */
    let working;
    try {
      command = JSON.parse(line);
      if (!counting) working = setInterval(() => send({ type: 'working', id: command.id }), WORKING_MS);
      if (command.type === 'collect' && counting) await collected();
      if (command.type === 'list_routes' && settings.mode === 'routes') {
        parentPort?.postMessage({ type: 'list_routes' });
      } else if (command.type === 'collect' && settings.mode === 'memory') {
        parentPort?.postMessage({ type: 'kept', id: command.id });
      } else if (['collect', 'report'].includes(command.type) && counting) send(report.message());
      else if (counting) throw new Error(`${command.type} is not for mode counters`);
      else send({ ...(await profiler.obey(command)), id: command.id });
    } catch (error) {
      send({
        type: 'error',
        id: command?.id ?? null,
        message: String(/** @type {any} */ (error)?.message ?? error),
      });
    } finally {
      clearInterval(working);
    }
  }
}
