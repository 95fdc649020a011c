// @ts-check
/**
 * What players stop at, as JSON for `plimsoll study`: the share of the CPU that the first cause of `plimsoll diagnose` has, and that of the
 * store, of which reading a profile alone needs nothing. Standard error has the causes by name.
 */

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { createFigures } from '../lib/figures.js';

/** @typedef {{ kind: string, title: string, cpu_share: number | null, place: { text: string } | null, via: string | null, what: { code: string, name?: string } }} Cause */

const PLAN = 'services/profile/plan-journey.yaml';
const STORE = 'libsql';

const child = spawn(process.env.PLIMSOLL ?? 'plimsoll', ['diagnose', PLAN, '--budget', '30s', '--json'], {
  stdio: ['ignore', 'pipe', 'ignore'],
});
// An interrupted study takes the diagnosis with it, and that the service.
process.once('SIGTERM', () => child.kill('SIGTERM'));
/** @type {{ headline: { text: string }, diagnosis: { causes: Cause[] } }} */
const { headline, diagnosis } = JSON.parse(await text(child.stdout));
const causes = diagnosis.causes.filter(({ cpu_share }) => cpu_share !== null);
process.stderr.write(`${headline.text}\n`);
for (const { title, cpu_share, place } of causes) {
  process.stderr.write(`${(100 * (cpu_share ?? 0)).toFixed(1)} % ${title} ${place?.text ?? ''}\n`);
}
// What it asks of the store is a package's own code, or native functions that the package calls.
const of_store = causes.filter(
  ({ what, via }) => via === STORE || (what.code === 'package' && what.name === STORE),
);
const { add, print } = createFigures();
add('first_cause', 'share', causes[0]?.cpu_share ?? 0);
add(
  'store',
  'share',
  of_store.reduce((sum, { cpu_share }) => sum + (cpu_share ?? 0), 0),
);
print();
