// @ts-check
/**
 * How long a snapshot of a beamline takes, read as published and all at once, as JSON for `plimsoll study`. Dead
 * variables are told by what they add to the same snapshot without them.
 */

import { readFileSync } from 'node:fs';
import { startIoc } from '../../services/snapshot/lab/ioc.js';
import {
  allAtOnce,
  connectAllReadInTurn,
  connectAllReadInTurnByObjects,
  oneAtATime,
} from '../../services/snapshot/lab/variants.js';
import { openClient } from '../../services/snapshot/src/ca/client.js';

/** @import { Variant } from '../../services/snapshot/lab/variants.js' */

const TIMEOUT_MS = 500;
const ROUNDS = 9;

/** @type {Record<string, string[]>} */
const groups = JSON.parse(
  readFileSync(new URL('../../services/snapshot/groups.json', import.meta.url), 'utf8'),
);
const live = groups.beamline.map((entry) => entry.split('@')[0]);
const gone = groups['gone-15'];

const ioc = await startIoc();
const client = await openClient({ ca_addresses: ['127.0.0.1'], ca_port: ioc.port });
try {
  const connected_first = await times(connectAllReadInTurn, 0, ROUNDS);
  const at_once = await times(allAtOnce, 0, ROUNDS);
  const by_objects = await times(connectAllReadInTurnByObjects, 0, ROUNDS);
  /** @type {Record<string, number[]>} */
  const figures_ms = {
    one_at_a_time: await times(oneAtATime, 0, ROUNDS),
    connected_first,
    at_once,
    timeout: [TIMEOUT_MS],
  };
  for (const dead of [4, 15]) {
    // Waiting for a timeout hardly varies, and takes long where each dead one is waited for.
    const each = (/** @type {Variant} */ variant, /** @type {number[]} */ alive) =>
      added(variant, dead, 1, alive).then((all) => all.map((ms) => ms / dead));
    figures_ms[`each_of_${dead}_dead_low_level`] = await each(connectAllReadInTurn, connected_first);
    figures_ms[`each_of_${dead}_dead_objects`] = await each(connectAllReadInTurnByObjects, by_objects);
    figures_ms[`all_of_${dead}_dead_at_once`] = await added(allAtOnce, dead, ROUNDS, at_once);
  }
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
  const times_ms = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) client.forget(name);
    const started_ms = performance.now();
    const read = await variant(client, names, TIMEOUT_MS);
    times_ms.push(performance.now() - started_ms);
    if (read !== live.length) throw new Error(`read ${read} of ${names.length}, expected ${live.length}`);
  }
  return times_ms;
}
