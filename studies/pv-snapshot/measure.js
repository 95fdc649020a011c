// @ts-check
/**
 * How long a snapshot of a beamline takes, read as published, by threads, and all at once, as JSON for `plimsoll study`.
 * Dead variables are told by what they add to the same snapshot without them.
 */

import { readFileSync } from 'node:fs';
import { startIoc } from '../../services/snapshot/lab/ioc.js';
import { aProcessEach } from '../../services/snapshot/lab/processes.js';
import { aThreadEach, openPool } from '../../services/snapshot/lab/threads.js';
import {
  allAtOnce,
  connectAllReadInTurn,
  connectAllReadInTurnByObjects,
  oneAtATime,
} from '../../services/snapshot/lab/variants.js';
import { openClient } from '../../services/snapshot/src/ca/client.js';

/** @import { Variant } from '../../services/snapshot/lab/variants.js' */

const TIMEOUT_MS = 500;
/** Where nothing is dead nobody waits for it: threads that all start at once take long to connect. */
const ALIVE_TIMEOUT_MS = 30_000;
const ROUNDS = 8;
const POOL_THREADS = 8;

/** @type {Record<string, string[]>} */
const groups = JSON.parse(
  readFileSync(new URL('../../services/snapshot/groups.json', import.meta.url), 'utf8'),
);
const live = groups.beamline.map((entry) => entry.split('@')[0]);
const gone = groups['gone-15'];

const ioc = await startIoc();
const addresses = { ca_addresses: ['127.0.0.1'], ca_port: ioc.port };
const client = await openClient(addresses);
try {
  /** @type {Record<string, number[]>} */
  const figures_ms = { timeout: [TIMEOUT_MS] };
  // Waiting for a timeout hardly varies, and takes long where each dead one is waited for.
  /** @param {string} name @param {Variant} variant */
  const inTurn = async (name, variant) => {
    const alive = await times(variant, 0, ROUNDS);
    figures_ms[name] = alive;
    for (const dead of [4, 15]) {
      const [all] = await added(variant, dead, 1, alive);
      figures_ms[`each_of_${dead}_dead_${name}`] = [all / dead];
    }
  };
  /** @param {string} name @param {Variant} variant */
  const together = async (name, variant) => {
    const alive = await times(variant, 0, ROUNDS);
    figures_ms[name] = alive;
    for (const dead of [4, 15]) {
      figures_ms[`all_of_${dead}_dead_${name}`] = await added(variant, dead, ROUNDS, alive);
    }
  };
  // A process that has had threads has more memory, and starts others more slowly: they come last.
  await inTurn('process_each', aProcessEach(ioc.env));
  await inTurn('connected_first', connectAllReadInTurn);
  await inTurn('objects', connectAllReadInTurnByObjects);
  await together('at_once', allAtOnce);
  figures_ms.one_at_a_time = await times(oneAtATime, 0, ROUNDS);
  const pool = await openPool(addresses, POOL_THREADS);
  await together('pool', pool.read);
  await pool.close();
  figures_ms.thread_each = await times(aThreadEach(addresses), 0, ROUNDS);
  const figures = Object.fromEntries(
    Object.entries(figures_ms).map(([name, values]) => [name, { unit: 'ms', values }]),
  );
  process.stdout.write(`${JSON.stringify({ figures }, undefined, 2)}\n`);
} finally {
  client.close();
  await ioc.stop();
}

/** @param {Variant} variant @param {number} dead @param {number} rounds @param {number[]} alive_ms */
async function added(variant, dead, rounds, alive_ms) {
  const sorted = alive_ms.toSorted((a, b) => a - b);
  const usual_ms = sorted[sorted.length >> 1];
  return (await times(variant, dead, rounds)).map((ms) => ms - usual_ms);
}

/** @param {Variant} variant @param {number} dead @param {number} rounds */
async function times(variant, dead, rounds) {
  const names = [...live, ...gone.slice(0, dead)];
  const timeout_ms = dead > 0 ? TIMEOUT_MS : ALIVE_TIMEOUT_MS;
  const times_ms = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) client.forget(name);
    const started_ms = performance.now();
    const read = await variant(client, names, timeout_ms);
    times_ms.push(performance.now() - started_ms);
    if (read.size !== live.length)
      throw new Error(`read ${read.size} of ${names.length}, expected ${live.length}`);
  }
  return times_ms;
}
