// @ts-check
/**
 * How long garbage collection stops a push server, as JSON for `plimsoll study`: with the published layout and the lean one, while
 * sprites are thrown and while nothing happens, with a twentieth, an eighth and a half of the places of the topology taken.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { examine } from '../lib/doctor.js';
import { createFigures, sizeOf } from '../lib/figures.js';

/** @import { Order, Seen } from './server.js' */

const SERVER = fileURLToPath(new URL('server.js', import.meta.url));
const ROUNDS = 6;
const BUSY_MS = 2_000;
const IDLE_MS = 1_000;
const FULL_COLLECTIONS = 3;
/** 100,000, 250,000 and a million clients of two million places. */
const CLIENTS = /** @type {const} */ ({ few: 1 / 20, more: 1 / 8, most: 1 / 2 });
/** Of the published layout, with most clients. */
const BYTES_PER_PLACE = 6_000;

const places = sizeOf({ fallback: 2_000_000, least: 1_000 });
examine();
const needed_bytes = places * BYTES_PER_PLACE;
if (needed_bytes > totalmem() / 2) {
  throw new Error(
    `${places} places need ${Math.ceil(needed_bytes / 1e9)} GB, half of what this machine has at most; hint: --size ${Math.floor(totalmem() / 2 / BYTES_PER_PLACE)}`,
  );
}
const { add, print } = createFigures();
for (const layout of ['published', 'lean']) {
  for (const [name, share] of Object.entries(CLIENTS))
    await measure(layout, name, Math.round(places * share));
}
print();

/** @param {string} layout @param {string} name @param {number} clients */
async function measure(layout, name, clients) {
  process.stderr.write(`${layout}, ${places} places, ${clients} clients\n`);
  const child = fork(SERVER, [layout, `${places}`, `${clients}`], {
    execArgv: ['--expose-gc', `--max-old-space-size=${Math.ceil(totalmem() / 2 / 1024 / 1024)}`],
  });
  try {
    await said(child);
    const ask = async (/** @type {Order} */ order) => {
      child.send(order);
      return said(child);
    };
    for (const [when, lasts_ms] of /** @type {const} */ ([
      ['busy', BUSY_MS],
      ['idle', IDLE_MS],
    ])) {
      let major = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        /** @type {Seen} */
        const seen = await ask({ throws: when === 'busy', lasts_ms });
        add(`${layout}_${name}_${when}_longest`, 'ms', seen.longest_ms);
        add(`${layout}_${name}_${when}_stopped`, 'share', seen.stopped_ms / seen.lasted_ms);
        add(`${layout}_${name}_${when}_delay`, 'ms', seen.delay_ms);
        if (when === 'busy') add(`${layout}_${name}_heap`, 'bytes', seen.heap_bytes);
        major += seen.major;
      }
      add(`${layout}_${name}_${when}_major`, '', major);
    }
    for (let turn = 0; turn < FULL_COLLECTIONS; turn += 1) {
      add(`${layout}_${name}_full`, 'ms', (await ask({ collect: true })).full_ms);
    }
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function said(child) {
  const ended = new AbortController();
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal: ended.signal }),
      once(child, 'exit', { signal: ended.signal }).then(([code, signal]) => {
        throw new Error(`the server ended with ${signal ?? code}`);
      }),
    ]);
    return message;
  } finally {
    ended.abort();
  }
}
