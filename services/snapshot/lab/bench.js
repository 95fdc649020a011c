// @ts-check
/**
 * How long a snapshot of a beamline takes, read as published, by threads, and as this service reads it:
 * `node services/snapshot/lab/bench.js [--rounds N] [--timeout-ms N] [--json]`.
 */

import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { createChannels } from '../src/ca/channels.js';
import { openClient } from '../src/ca/client.js';
import { startIoc } from './ioc.js';
import { aProcessEach } from './processes.js';
import { aThreadEach, openPool } from './threads.js';
import {
  allAtOnce,
  connectAllReadInTurn,
  connectAllReadInTurnByObjects,
  oneAtATime,
  snapshotOf,
} from './variants.js';

/** @import { Client } from '../src/ca/client.js' */
/** @import { Variant } from './variants.js' */

/**
 * @typedef {object} Case
 * @property {string} how
 * @property {number} dead
 * @property {string} published
 * @property {Variant} variant
 * @property {boolean} [once] a single round is enough: it waits for timeouts more than for anything that varies
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    'timeout-ms': { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = wholeNumber('--rounds', options.rounds);
const timeout_ms = wholeNumber('--timeout-ms', options['timeout-ms']);

/** @type {Record<string, string[]>} */
const groups = JSON.parse(readFileSync(new URL('../groups.json', import.meta.url), 'utf8'));
const live = groups.beamline.map((entry) => entry.split('@')[0]);
const gone = groups['gone-15'];

const POOL_THREADS = 8;

const ioc = await startIoc();
const addresses = { ca_addresses: ['127.0.0.1'], ca_port: ioc.port };
const client = await openClient(addresses);
const pool = await openPool(addresses, POOL_THREADS);
try {
  const channels = createChannels({ client, limit: live.length + gone.length });
  const results = [];
  for (const one of cases(snapshotOf(channels))) results.push(await measure(client, one));
  if (options.json) process.stdout.write(`${JSON.stringify(report(results), undefined, 2)}\n`);
  else process.stdout.write(table(results));
} finally {
  await pool.close();
  client.close();
  await ioc.stop();
}

/** @param {Variant} warm @returns {Case[]} the warm ones last: they leave their connections open */
function cases(warm) {
  const inTurn = 'connect all, then read in turn';
  const objects = `${inTurn}, by objects`;
  const atOnce = 'all at once, one timeout, cold';
  const atOnceWarm = 'all at once, one timeout, warm';
  const processes = aProcessEach(ioc.env);
  const poolOf = `a pool of ${POOL_THREADS} threads`;
  return [
    { how: 'a process each', dead: 0, published: '~2,700', variant: processes, once: true },
    { how: 'a process each', dead: 4, published: '', variant: processes, once: true },
    { how: 'a process each', dead: 15, published: '', variant: processes, once: true },
    { how: 'a thread each', dead: 0, published: '', variant: aThreadEach(addresses), once: true },
    { how: poolOf, dead: 0, published: '', variant: pool.read },
    { how: poolOf, dead: 4, published: '', variant: pool.read },
    { how: poolOf, dead: 15, published: '', variant: pool.read },
    { how: 'one at a time', dead: 0, published: '', variant: oneAtATime, once: true },
    { how: inTurn, dead: 0, published: '~200', variant: connectAllReadInTurn },
    { how: inTurn, dead: 4, published: '+ 1 s each', variant: connectAllReadInTurn, once: true },
    { how: inTurn, dead: 15, published: '+ 1 s each', variant: connectAllReadInTurn, once: true },
    { how: objects, dead: 4, published: '+ 2 s each', variant: connectAllReadInTurnByObjects, once: true },
    { how: objects, dead: 15, published: '+ 2 s each', variant: connectAllReadInTurnByObjects, once: true },
    { how: atOnce, dead: 0, published: '', variant: allAtOnce },
    { how: atOnce, dead: 4, published: '+ 1 timeout in all', variant: allAtOnce },
    { how: atOnce, dead: 15, published: '+ 1 timeout in all', variant: allAtOnce },
    { how: atOnceWarm, dead: 0, published: '', variant: warm },
    { how: atOnceWarm, dead: 4, published: '+ 1 timeout in all', variant: warm },
    { how: atOnceWarm, dead: 15, published: '+ 1 timeout in all', variant: warm },
  ];
}

/** @param {Client} client @param {Case} one */
async function measure(client, { how, dead, published, variant, once }) {
  const names = [...live, ...gone.slice(0, dead)];
  const times_ms = [];
  const isWarm = how.endsWith('warm');
  if (isWarm) await variant(client, live, timeout_ms);
  for (let round = 0; round < (once ? 1 : rounds); round += 1) {
    if (!isWarm) for (const name of names) client.forget(name);
    const started_ms = performance.now();
    const read = await variant(client, names, timeout_ms);
    times_ms.push(performance.now() - started_ms);
    if (read.size !== live.length)
      throw new Error(`${how}, ${dead} dead: read ${read.size} instead of ${live.length}`);
  }
  times_ms.sort((a, b) => a - b);
  return {
    how,
    live: live.length,
    dead,
    published,
    rounds: times_ms.length,
    median_ms: (times_ms[(times_ms.length - 1) >> 1] + times_ms[times_ms.length >> 1]) / 2,
    least_ms: times_ms[0],
    most_ms: times_ms[times_ms.length - 1],
  };
}

/** @typedef {Awaited<ReturnType<typeof measure>>} Result */

/** @param {Result[]} results */
function report(results) {
  return {
    timeout_ms,
    node: process.version,
    processor: cpus()[0]?.model,
    cores: cpus().length,
    date: new Date().toISOString().slice(0, 10),
    results,
  };
}

/** @param {Result[]} results */
function table(results) {
  const rows = results.map(({ how, live, dead, published, median_ms, least_ms, most_ms, rounds }) => {
    const range = rounds === 1 ? '' : `${least_ms.toFixed(0)}–${most_ms.toFixed(0)}`;
    return `| ${how} | ${live} | ${dead} | ${published} | ${median_ms.toFixed(0)} | ${range} |`;
  });
  return [
    '| how | live | dead | published, ms | here, ms (median) | range |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `timeout ${timeout_ms} ms, Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, up to ${rounds} rounds`,
    '',
  ].join('\n');
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  process.stderr.write(`${name} must be a whole number from 1; found "${text}"\n`);
  process.exit(1);
}
