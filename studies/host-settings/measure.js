// @ts-check
/**
 * What the published settings of the kernel change for a push server, as JSON for `plimsoll study`: none of them, each alone, and all
 * together, in turn. Those that a network namespace has for itself are set in one; the others on this machine, and put back after each round.
 */

import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { examine } from '../lib/doctor.js';
import { createFigures, sizeOf } from '../lib/figures.js';
import { createKeeper } from './kept.js';
import { VARIANTS } from './settings.js';

/** @import { Round } from '../../services/sprites/testing/thrown.js' */

const ROUND = fileURLToPath(new URL('round.js', import.meta.url));
const ROUNDS = 6;
/** The memory that comes with each of fewer cannot be told. */
const FEWEST_CLIENTS = 1_000;
const ROUND_MS = 120_000;
const run = promisify(execFile);

const clients = sizeOf({ fallback: 2_000, least: FEWEST_CLIENTS });
examine({ connections: clients });
const keeper = createKeeper();
const { add, print } = createFigures();
const names = Object.keys(VARIANTS);
/** What cannot be set here is left out, and said. @type {Set<string>} */
const impossible = new Set();

for (let round = 0; round < ROUNDS; round += 1) {
  // Each round begins with another one, so that none is always the first.
  for (const name of [...names.slice(round), ...names.slice(0, round)]) {
    if (impossible.has(name)) continue;
    process.stderr.write(`round ${round + 1} of ${ROUNDS}, ${name}\n`);
    try {
      keeper.change(VARIANTS[name].filter(({ own }) => !own));
    } catch (error) {
      impossible.add(name);
      process.stderr.write(`left out ${name}: ${/** @type {Error} */ (error).message}\n`);
      keeper.restore();
      continue;
    }
    try {
      note(name, await measure(name));
    } finally {
      keeper.restore();
    }
  }
}
print();

/** @param {string} name @returns {Promise<Round>} */
async function measure(name) {
  const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const args = [
    ...own,
    '--net',
    process.execPath,
    ROUND,
    `${clients}`,
    name,
    readlinkSync('/proc/self/ns/net'),
  ];
  const running = run('unshare', args, { timeout: ROUND_MS });
  const end = () => void running.child.kill();
  process.once('exit', end);
  try {
    return JSON.parse((await running).stdout);
  } finally {
    process.off('exit', end);
  }
}

/** @param {string} name @param {Round} round */
function note(name, round) {
  add(`${name}_held`, 'share', round.held / clients);
  add(`${name}_arrived`, 'share', round.delivered / round.thrown);
  add(`${name}_p99`, 'ms', round.p99_ms);
  add(`${name}_cpu`, 'us', round.cpu_us_per_sprite);
  add(`${name}_kernel`, 'bytes', round.kernel_bytes_per_client);
}
