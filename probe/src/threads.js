// @ts-check
// CPU of the threads beside the service's own, by what they are for. Linux says it of each; elsewhere nothing is known.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

const TASKS = '/proc/self/task';
/** What V8 calls the thread that takes the samples. It ends with the profile. */
const SAMPLER = 'v8:ProfEvntProc';
/** What newer versions of Node.js call those of the threadpool. */
const POOL = /^libuv-worker/;
/** Under this name threads that the service starts find where to write which one they are. */
const STARTED = 'plimsoll.threads';
/** Places there: whether the process serves, how many threads there are, and then which. */
const SERVES = 0;
const COUNT = 1;
const FIRST = 2;
const PLACES = 256;

/**
 * @typedef {object} Threads
 * @property {string[]} early threads that were there before the service's code: they collect garbage and compile
 * @property {number} pool_size
 * @property {Int32Array} started what threads that the service starts share
 *
 * @typedef {'sampler' | 'early' | 'pool' | 'started' | 'other'} Kind
 * @typedef {{ kind: Kind, ns: number }} Task
 *
 * @typedef {object} Times what is known of threads meanwhile
 * @property {() => number[]} begin says who is beside, as `beside` does
 * @property {() => number[]} beside those that work for the one that is watched
 * @property {() => object} end what they took since it began
 */

/** As the process starts. @param {number} pool_size @returns {Threads} */
export function firstThreads(pool_size) {
  return {
    early: namesOf(TASKS).filter((task) => task !== `${process.pid}`),
    pool_size,
    started: startedThreads(),
  };
}

/** The list of threads that the service starts; a thread that is one of them adds itself. */
function startedThreads() {
  const known = /** @type {unknown} */ (getEnvironmentData(STARTED));
  if (!isMainThread && known instanceof Int32Array) {
    const place = FIRST + Atomics.add(known, COUNT, 1);
    if (place < PLACES) Atomics.store(known, place, Number(thisTask() ?? 0));
    return known;
  }
  const started = new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));
  setEnvironmentData(STARTED, started);
  return started;
}

/** The process turned out to be a service. @param {Int32Array} started */
export function tellThatItServes(started) {
  Atomics.store(started, SERVES, 1);
}

/** @param {Int32Array} started */
export function isServing(started) {
  return Atomics.load(started, SERVES) === 1;
}

/** CPU of those that the service started, with those that have ended since, ns. @param {Int32Array} started */
export function watchStarted(started) {
  /** @type {Map<number, number>} */
  const last_ns = new Map();
  return () => {
    for (const task of started.subarray(FIRST)) {
      const ns = task === 0 ? null : taskTime_ns(`${TASKS}/${task}/schedstat`);
      if (ns !== null) last_ns.set(task, ns);
    }
    return [...last_ns.values()].reduce((sum, ns) => sum + ns, 0);
  };
}

/** Of those beside the main thread, from the probe's thread. @param {Threads} threads @returns {Times} */
export function timesBeside(threads) {
  /** @type {Map<string, Task>} */
  let before = new Map();
  return {
    begin() {
      before = timesOfThreads(threads);
      return threadsBeside(before);
    },
    beside: () => threadsBeside(timesOfThreads(threads)),
    end() {
      const after = timesOfThreads(threads);
      const took = (/** @type {Kind} */ kind) => tookBetween(kind, before, after);
      return {
        sampler_ns: took('sampler'),
        pool_ns: took('pool'),
        v8_ns: took('early'),
        apart: areApart(after),
      };
    },
  };
}

/** Of the thread that asks, which the service started: how long it ran, and how long it waited to run. @returns {Times} */
export function timesOfThisThread() {
  /** @type {number[]} */
  let before = [];
  const beside = () => [Number(thisTask() ?? 0)].filter((task) => task > 0);
  return {
    begin() {
      before = ownTimes_ns();
      return beside();
    },
    beside,
    end() {
      const [ran_ns, queued_ns] = ownTimes_ns().map((ns, index) => ns - (before[index] ?? 0));
      return { started_thread: true, ran_ns, queued_ns };
    },
  };
}

/** How long the thread ran, and how long it could have; nothing where that is not told. @returns {number[]} */
function ownTimes_ns() {
  try {
    return readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 2).map(Number);
  } catch {
    return [];
  }
}

/**
 * CPU of each so far, ns. Called by the probe's thread, which is none of them.
 * @param {Threads} threads
 * @returns {Map<string, Task>}
 */
function timesOfThreads({ early, pool_size, started }) {
  const ours = /** @type {string} */ (thisTask());
  /** @type {Map<string, Task>} */
  const found = new Map();
  for (const task of namesOf(TASKS)) {
    if (task === ours || task === `${process.pid}`) continue;
    const ns = taskTime_ns(`${TASKS}/${task}/schedstat`);
    if (ns === null) continue;
    const name = nameOf(task);
    const kind = kindOf(task, name, early, started);
    found.set(task, { kind, ns });
  }
  const others = [...found.values()].filter(({ kind }) => kind === 'other');
  const pool_named = [...found.values()].some(({ kind }) => kind === 'pool');
  // Threads that the service starts have the same name. More than the pool has are not all of the pool.
  if (!pool_named && others.length <= pool_size) for (const other of others) other.kind = 'pool';
  return found;
}

/** @param {string} task @param {string} name @param {string[]} early @param {Int32Array} started @returns {Kind} */
function kindOf(task, name, early, started) {
  if (name === SAMPLER) return 'sampler';
  if (started.indexOf(Number(task), FIRST) >= 0) return 'started';
  if (early.includes(task)) return 'early';
  return POOL.test(name) ? 'pool' : 'other';
}

/**
 * Those that work for the service's thread: V8's, the threadpool's, those that it started, and the probe's own.
 * @param {Map<string, Task>} found
 */
function threadsBeside(found) {
  const known = [...found]
    .filter(([, { kind }]) => kind === 'early' || kind === 'pool' || kind === 'started')
    .map(([task]) => task);
  const ours = thisTask();
  return (ours === undefined ? known : [...known, ours]).map(Number);
}

/** Whether none of them may run on a core of the service's thread. @param {Map<string, Task>} found */
function areApart(found) {
  const taken = coresOf(process.pid);
  return threadsBeside(found).every((task) => (coresOf(task) & taken) === 0n) && taken !== 0n;
}

/**
 * What those of a kind took between two looks, ns; null where there are none.
 * @param {Kind} kind @param {Map<string, Task>} before @param {Map<string, Task>} after
 */
function tookBetween(kind, before, after) {
  const of_kind = [...after].filter(([, task]) => task.kind === kind);
  if (of_kind.length === 0) return null;
  return of_kind.reduce((sum, [name, { ns }]) => sum + ns - (before.get(name)?.ns ?? 0), 0);
}

/** CPU time of a thread, by its schedstat; null where there is none. @param {string} path */
export function taskTime_ns(path) {
  try {
    return Number(readFileSync(path, 'latin1').split(' ')[0]);
  } catch {
    return null;
  }
}

/** That a thread may run on, a bit for each; none where nothing is known. @param {number} task */
function coresOf(task) {
  try {
    const [, mask = '0'] =
      /^Cpus_allowed:\s*([\da-f,]+)$/m.exec(readFileSync(`${TASKS}/${task}/status`, 'latin1')) ?? [];
    return BigInt(`0x${mask.replaceAll(',', '')}`);
  } catch {
    return 0n;
  }
}

/** @param {string} directory */
function namesOf(directory) {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** @param {string} task */
function nameOf(task) {
  try {
    return readFileSync(`${TASKS}/${task}/comm`, 'latin1').trim();
  } catch {
    return '';
  }
}

function thisTask() {
  try {
    return readlinkSync('/proc/thread-self').split('/').pop();
  } catch {
    return undefined;
  }
}
