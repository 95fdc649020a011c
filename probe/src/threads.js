// @ts-check
// CPU of the threads beside the service's own, by what they are for. Linux says it of each; elsewhere nothing is known.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const TASKS = '/proc/self/task';
/** What V8 calls the thread that takes the samples. It ends with the profile. */
const SAMPLER = 'v8:ProfEvntProc';
/** What newer versions of Node.js call those of the threadpool. */
const POOL = /^libuv-worker/;

/**
 * @typedef {object} Threads
 * @property {string[]} early threads that were there before the service's code: they collect garbage and compile
 * @property {number} pool_size
 *
 * @typedef {'sampler' | 'early' | 'pool' | 'other'} Kind
 * @typedef {{ kind: Kind, ns: number }} Task
 */

/** As the process starts. @param {number} pool_size @returns {Threads} */
export function firstThreads(pool_size) {
  return { early: namesOf(TASKS).filter((task) => task !== `${process.pid}`), pool_size };
}

/**
 * CPU of each so far, ns. Called by the probe's thread, which is none of them.
 * @param {Threads} threads
 * @returns {Map<string, Task>}
 */
export function timesOfThreads({ early, pool_size }) {
  const ours = /** @type {string} */ (thisTask());
  /** @type {Map<string, Task>} */
  const found = new Map();
  for (const task of namesOf(TASKS)) {
    if (task === ours || task === `${process.pid}`) continue;
    const ns = taskTime_ns(`${TASKS}/${task}/schedstat`);
    if (ns === null) continue;
    const name = nameOf(task);
    const kind =
      name === SAMPLER ? 'sampler' : early.includes(task) ? 'early' : POOL.test(name) ? 'pool' : 'other';
    found.set(task, { kind, ns });
  }
  const others = [...found.values()].filter(({ kind }) => kind === 'other');
  const pool_named = [...found.values()].some(({ kind }) => kind === 'pool');
  // Threads that the service starts have the same name. More than the pool has are not all of the pool.
  if (!pool_named && others.length <= pool_size) for (const other of others) other.kind = 'pool';
  return found;
}

/** Those that work for the service's thread: V8's, the threadpool's, and the probe's own. @param {Map<string, Task>} found */
export function threadsBeside(found) {
  const known = [...found]
    .filter(([, { kind }]) => kind === 'early' || kind === 'pool')
    .map(([task]) => task);
  const ours = thisTask();
  return (ours === undefined ? known : [...known, ours]).map(Number);
}

/** Whether none of them may run on a core of the service's thread. @param {Map<string, Task>} found */
export function areApart(found) {
  const taken = coresOf(process.pid);
  return threadsBeside(found).every((task) => (coresOf(task) & taken) === 0n) && taken !== 0n;
}

/**
 * What those of a kind took between two looks, ns; null where there are none.
 * @param {Kind} kind @param {Map<string, Task>} before @param {Map<string, Task>} after
 */
export function tookBetween(kind, before, after) {
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
