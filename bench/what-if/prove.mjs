// @ts-check
// What leaving a cause out by the probe gives, beside what taking it out of the code gives: three processes of the same
// service, as it is, with the cause left out, and with the cause gone, are loaded in turn, a short slice each.
//
//   node bench/what-if/prove.mjs [CASE...]
//
// Two processes of the same program differ by some per cent for as long as they live, so they are started several times. A gain of one start
// is the mean of the middle half of the ratios within a block, on a scale of logarithms; the gain is the mean of those. Behind the ratio of
// both gains stands its range over the starts.
//
// PACKAGES is a directory with express-session and helmet in node_modules; PLIMSOLL the program that loads the services.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startService } from '../../probe/test/support.js';

const CASES = /** @type {Record<string, string>} */ ({
  morgan: 'middleware:logger',
  pino: 'log',
  winston: 'log',
  console: 'log',
  compression: 'compression',
  etag: 'etag',
  read: 'sync-read',
  intl: 'construction',
  regexp: 'construction',
  ajv: 'construction',
  ejs: 'construction',
  handlebars: 'construction',
  session: 'middleware:session',
  helmet: 'middleware:helmetMiddleware',
});
const REQUESTS = Number(process.env.REQUESTS ?? 500);
const BLOCKS = Number(process.env.BLOCKS ?? 8);
const STARTS = Number(process.env.STARTS ?? 4);
const WARM_UP = 6;
const [SERVICE_CPU, LOAD_CPU] = ['0', '1'];
const plimsoll =
  process.env.PLIMSOLL ?? fileURLToPath(new URL('../../target/release/plimsoll', import.meta.url));

/** CPU of a process so far, of all its threads, ns. @param {number} pid */
function cpu(pid) {
  const tasks = `/proc/${pid}/task`;
  let sum = 0;
  for (const task of readdirSync(tasks)) {
    sum += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return sum;
}

/** CPU of one request, µs. @param {{ url: string, child: import('node:child_process').ChildProcess }} service */
function slice({ url, child }) {
  const pid = /** @type {number} */ (child.pid);
  const from = cpu(pid);
  const args = ['-c', LOAD_CPU, plimsoll, 'bench', url, '-c', '4', '-n', `${REQUESTS}`, '--json', '--quiet'];
  const out = execFileSync('taskset', [...args, '-H', 'accept-encoding: gzip'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  });
  const { totals } = JSON.parse(out);
  if (totals.passed !== totals.completed || totals.completed === 0) throw new Error(`not all passed: ${url}`);
  return (cpu(pid) - from) / 1e3 / totals.completed;
}

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** What is in the middle half, on average. Values far out are of the machine. @param {number[]} values */
function middle(values) {
  const quarter = Math.floor(values.length / 4);
  const kept = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter);
  return kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

/** What leaving out and removing give: logarithms of factors. @param {number[][]} blocks of costs: as it is, left out, removed */
const gainsOf = (blocks) =>
  [1, 2].map((index) => middle(blocks.map((costs) => Math.log((costs[0] ?? 0) / (costs[index] ?? 0)))));

/** Costs of one start, by block. @param {string} name @param {string} without */
async function blocksOf(name, without) {
  /** @type {(() => unknown)[]} */
  const ends = [];
  const t = /** @type {any} */ ({ after: (/** @type {() => unknown} */ end) => ends.push(end) });
  const start = (/** @type {string[]} */ without, /** @type {Record<string, string>} */ env) =>
    startService(t, {
      node: process.execPath,
      file: fileURLToPath(new URL('service.cjs', import.meta.url)),
      settings: { mode: 'without', without },
      env: { CASE: name, NODE_ENV: 'production', ...env },
      stdout: 'output',
    });
  const services = [await start([], {}), await start([without], {}), await start([], { REMOVED: '1' })];
  for (const { child } of services) execFileSync('taskset', ['-a', '-p', '-c', SERVICE_CPU, `${child.pid}`]);
  /** @type {number[][]} */
  const seen = [];
  for (let block = 0; block < WARM_UP + BLOCKS; block += 1) {
    const order = block % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
    /** @type {number[]} */
    const costs = [];
    for (const index of order) costs[index] = slice(/** @type {any} */ (services[index]));
    if (block >= WARM_UP) seen.push(costs);
  }
  for (const end of ends.reverse()) await end();
  return seen;
}

/** @param {string} name */
async function prove(name) {
  const without = /** @type {string} */ (CASES[name]);
  /** @type {number[][][]} */
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await blocksOf(name, without));
  const gains = starts.map(gainsOf);
  const ratioOf = (/** @type {number[]} */ [left_out = 0, removed = 0]) =>
    Math.expm1(left_out) / Math.expm1(removed);
  const all = [0, 1].map((index) => gains.reduce((sum, gain) => sum + (gain[index] ?? 0), 0) / STARTS);
  const ratios = gains.map(ratioOf);
  const us = [0, 1, 2].map((index) => median(starts.flat().map((costs) => costs[index] ?? 0)).toFixed(0));
  const [left_out, removed] = all.map((gain) => `× ${Math.exp(gain).toFixed(2)}`);
  const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  console.log(
    `| ${name} | \`${without}\` | ${us.join(' | ')} | ${left_out} | ${removed} | ${ratioOf(all).toFixed(2)} | ${range} |`,
  );
}

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(CASES)) await prove(name);
