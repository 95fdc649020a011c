// @ts-check
/** What processes of this machine have used, as Linux says it. */

import { readdirSync, readFileSync } from 'node:fs';

const KIBI = 1024;

/** @param {number} pid */
export function childrenOf(pid) {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A variable of the environment that it was started with. @param {number} pid @param {string} name */
export function variableOf(pid, name) {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** CPU time that the threads of processes have used so far; what has ended counts as none. @param {number[]} pids */
export function cpu_us(pids) {
  let used_ns = 0;
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      used_ns += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
    }
  }
  return used_ns / 1e3;
}

/** @param {number} pid */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Memory of processes, what they share counted once. @param {number[]} pids */
export function memory_bytes(pids) {
  const sizes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0));
  return sizes.reduce((sum, size) => sum + size * KIBI, 0);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
