// @ts-check
/**
 * Starts the simulated upstreams outside of the process tree of whoever runs this, prints their line, and ends. Who
 * measures the service that needed them does not count their CPU then, nor pins them to its cores. They end with the
 * last lease.
 *
 * OVERVIEW_SIMULATOR_CPUS names the cores they may use, as for `taskset -c`.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

// What is loaded into the service under test, such as a probe, has no business in its upstreams.
const { NODE_OPTIONS: _, OVERVIEW_SIMULATOR_CPUS: cpus, ...env } = process.env;
const command = [process.execPath, fileURLToPath(new URL('main.js', import.meta.url)), '--leased'];
const [program, ...args] = cpus ? ['taskset', '-c', cpus, ...command] : command;
const child = spawn(program, args, { env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
child.on('error', (error) => {
  process.stderr.write(`failed to start the simulated upstreams: ${error.message}\n`);
  process.exit(1);
});
child.on('exit', () => process.exit(1));
const [line] = await once(createInterface({ input: child.stdout }), 'line');
process.stdout.write(`${line}\n`, () => process.exit(0));
