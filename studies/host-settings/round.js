// @ts-check
/**
 * One round in a network namespace of its own: `unshare --net node studies/host-settings/round.js CLIENTS VARIANT`. Sets what the
 * namespace has for itself, holds and throws, and prints what it came to.
 */

import { execFileSync } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFleet, throwSprites } from '../../services/sprites/testing/thrown.js';
import { VARIANTS } from './settings.js';

const LASTS_S = 4;
const HOLDERS = 2;
const MOST_CLIENTS_OF_A_HOLDER = 15_000;

const [clients, variant, outside] = process.argv.slice(2);
if (readlinkSync('/proc/self/ns/net') === outside) {
  throw new Error(
    'this is the network namespace of the machine; hint: measure.js starts rounds in their own',
  );
}
execFileSync('ip', ['link', 'set', 'lo', 'up']);
for (const { path, value, own } of VARIANTS[variant]) {
  if (own) writeFileSync(join('/proc/sys', path), `${value}\n`);
}
// The fleet ends with this process.
process.once('SIGTERM', () => process.exit(1));
const connections = Number(clients);
const fleet = await openFleet({
  connections,
  holders: Math.max(HOLDERS, Math.ceil(connections / MOST_CLIENTS_OF_A_HOLDER)),
});
try {
  const round = await throwSprites(fleet, { lasts_s: LASTS_S });
  process.stdout.write(JSON.stringify(round));
} finally {
  await fleet.stop();
}
