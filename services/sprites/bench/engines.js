// @ts-check
/**
 * What a sprite costs with each engine of the bus, and with each set of flags of Node.js: fleets take turns, round by round, so that
 * a change of the machine falls on all alike. In each round all clients are connected, and throw at anyone every few seconds. `plimsoll` (or
 * PLIMSOLL=PATH) holds, throws and counts.
 *
 * `node services/sprites/bench/engines.js --help`
 */

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { openFleet, throwSprites } from '../testing/thrown.js';

/** @import { Engine, Round } from '../testing/thrown.js' */

const HELP = `Usage: node services/sprites/bench/engines.js [OPTIONS]

Options:
  --connections <N>  Hold this many clients [default: 2000]
  --rounds <N>       Measure each fleet this often [default: 6]
  --seconds <N>      Let clients throw for this long in each round [default: 6]
  --every <SECONDS>  Let each client throw this often [default: 2]
  --engines <NAMES>  Compare these [default: primary,redis,nats]
  --flags <FLAGS>    Compare processes with these flags of Node.js, '' for none; repeatable [default: the fleet's own]
  --write <FILE>     Write every round there, as JSON
  --help             Print this
`;
const HOLDERS = 2;

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '6' },
    every: { type: 'string', default: '2' },
    engines: { type: 'string', default: 'primary,redis,nats' },
    flags: { type: 'string', multiple: true },
    write: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(HELP);
else await compare();

async function compare() {
  const engines = /** @type {Engine[]} */ (values.engines.split(','));
  const fleets = engines.flatMap((engine) =>
    (values.flags ?? [undefined]).map((flags) => ({
      name: flags === undefined ? engine : `${engine} ${flags || 'without flags'}`,
      engine,
      flags,
      rounds: /** @type {Round[]} */ ([]),
    })),
  );
  const count = Number(values.rounds);
  for (let round = 0; round < count; round += 1) {
    // Each round begins with another one, so that none is always the first.
    const first = round % fleets.length;
    for (const one of [...fleets.slice(first), ...fleets.slice(0, first)]) {
      process.stderr.write(`round ${round + 1} of ${count}: ${one.name}\n`);
      one.rounds.push(await measure(one));
    }
  }
  process.stdout.write(
    `${values.connections} clients, each throws every ${values.every} s; ${count} rounds of ${values.seconds} s, medians (least to most); ` +
      `node ${process.version}, ${cpus().length} cores\n\n${table(fleets)}`,
  );
  if (values.write !== undefined) writeFileSync(values.write, `${JSON.stringify(fleets, undefined, 2)}\n`);
}

/** @param {{ engine: Engine, flags: string | undefined }} of */
async function measure({ engine, flags }) {
  const fleet = await openFleet({ connections: Number(values.connections), holders: HOLDERS, engine, flags });
  try {
    return await throwSprites(fleet, { lasts_s: Number(values.seconds), every_s: Number(values.every) });
  } finally {
    await fleet.stop();
  }
}

/** @param {{ name: string, rounds: Round[] }[]} fleets */
function table(fleets) {
  /** @type {[string, (round: Round) => number][]} */
  const columns = [
    ['CPU of a sprite, µs', (round) => round.cpu_us_per_sprite],
    ['cores: primary', (round) => round.cores.primary + round.cores.steward],
    ['workers', (round) => round.cores.holders + round.cores.takers],
    ['engine', (round) => round.cores.engine],
    ['delivery p50, ms', (round) => round.p50_ms],
    ['p99, ms', (round) => round.p99_ms],
    ['longest pause, ms', (round) => round.longest_pause_ms],
    ['bytes of a client', (round) => round.fleet_bytes_per_client],
  ];
  const head = ['', ...columns.map(([name]) => name), 'lost', 'doubled'];
  const rows = fleets.map(({ name, rounds }) => [
    name,
    ...columns.map(([, of]) => spread(rounds.map(of))),
    `${sum(rounds.map((round) => round.undelivered + round.lost))}`,
    `${sum(rounds.map((round) => round.doubled))}`,
  ]);
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map((_, at) => (at === 0 ? '---' : '--:'))) + rows.map(line).join('');
}

/** @param {number[]} values */
function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const shown = [sorted[sorted.length >> 1], sorted[0], /** @type {number} */ (sorted.at(-1))].map((value) =>
    value >= 100 ? value.toFixed(0) : value.toPrecision(3),
  );
  return `${shown[0]} (${shown[1]} to ${shown[2]})`;
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}
