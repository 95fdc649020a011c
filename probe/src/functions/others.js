// @ts-check
// Synchronous child processes, look-ups of names, and calls to other services, these for their call sites: their
// figures come from `upstream.js`.

import child_process from 'node:child_process';
import dns from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import { placed } from '../trace.js';
import { counted, replace, wrap } from '../wrap.js';

export function wrapOthers() {
  for (const key of ['execSync', 'execFileSync', 'spawnSync']) {
    wrap(child_process, key, `child_process.${key}`, 'process');
  }
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
