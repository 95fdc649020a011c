// @ts-check
// Processes and threads that are started, look-ups of names, and calls to other services, these for their call sites: their
// figures come from `upstream.js`.

import child_process from 'node:child_process';
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import worker_threads from 'node:worker_threads';
import { placed } from '../trace.js';
import { counted, replace, wrap, wrapClass } from '../wrap.js';

export function wrapOthers() {
  for (const key of ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']) {
    wrap(child_process, key, `child_process.${key}`, 'process', () => 0);
  }
  // What was promisified before comes by here.
  wrap(child_process.ChildProcess.prototype, 'spawn', 'ChildProcess.spawn', 'process', () => 0);
  wrapClass(worker_threads, 'Worker', 'new Worker', 'process');
  wrap(dns, 'lookup', 'dns.lookup', 'pool', () => 0);
  wrap(dns.promises, 'lookup', 'dns.promises.lookup', 'pool', () => 0);
  for (const key of ['request', 'get']) {
    wrapCall(http, key, `http.${key}`);
    wrapCall(https, key, `https.${key}`);
  }
  wrapCall(globalThis, 'fetch', 'fetch');
}

/** @param {any} owner @param {string} key @param {string} name */
function wrapCall(owner, key, name) {
  replace(owner, key, (original) => counted(placed(original, name), name, 'fetch', () => 0));
}
