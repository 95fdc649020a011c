// @ts-check
/**
 * node services/profile/crash/run.js [--times 20] [--users 32] [--seed 1] [--kinds service,persister,redis,store]
 *   [--fsync always|everysec|no] [--sync-ms 1500] [--handover list|zeromq] [--json]
 *
 * Ends with 1 if an acknowledged turn was lost or a turn was taken twice.
 */

import { parseArgs } from 'node:util';
import { FSYNC } from '../backing/servers.js';
import { runMatrix } from './matrix.js';
import { KINDS } from './world.js';

const COLUMNS = /** @type {const} */ (['kind', 'kills', 'acknowledged', 'unknown', 'lost', 'duplicated']);

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

try {
  const options = readOptions();
  const { times, users, seed, fsync, sync_ms = 0, handover } = options;
  process.stderr.write(
    `${times} kills of each, ${users} players, seed ${seed}, appendfsync ${fsync}, syncs ${sync_ms} ms slower, hand-over by ${handover}\n`,
  );
  const rows = await runMatrix({
    ...options,
    onRow: (row) =>
      process.stderr.write(`${row.kind}: ${row.kills} kills, ${row.lost} lost, ${row.duplicated} twice\n`),
  });
  process.stdout.write(options.json ? `${JSON.stringify(rows)}\n` : table(rows));
  if (rows.some(({ lost, duplicated }) => lost + duplicated > 0)) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`failed to run the crash matrix: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 2;
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      times: { type: 'string', default: '20' },
      users: { type: 'string', default: '32' },
      seed: { type: 'string', default: '1' },
      kinds: { type: 'string', default: KINDS.join(',') },
      fsync: { type: 'string', default: 'always' },
      'sync-ms': { type: 'string' },
      handover: { type: 'string', default: 'list' },
      json: { type: 'boolean', default: false },
    },
  });
  return {
    times: wholeNumber('times', values.times),
    users: wholeNumber('users', values.users),
    seed: wholeNumber('seed', values.seed),
    kinds: values.kinds.split(',').map((kind) => oneOf('kinds', kind, KINDS)),
    fsync: oneOf('fsync', values.fsync, FSYNC),
    sync_ms: values['sync-ms'] === undefined ? undefined : wholeNumber('sync-ms', values['sync-ms']),
    handover: oneOf('handover', values.handover, /** @type {const} */ (['list', 'zeromq'])),
    json: values.json,
  };
}

/** @param {string} name @param {string} text */
function wholeNumber(name, text) {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number from 1; found "${text}"`);
}

/** @template {string} T @param {string} name @param {string} text @param {readonly T[]} choices @returns {T} */
function oneOf(name, text, choices) {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error(`--${name} takes ${choices.join(', ')}; found "${text}"`);
  return found;
}

/** @param {import('./matrix.js').Row[]} rows */
function table(rows) {
  const lines = [
    COLUMNS,
    COLUMNS.map(() => '---'),
    ...rows.map((row) => COLUMNS.map((column) => row[column])),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
