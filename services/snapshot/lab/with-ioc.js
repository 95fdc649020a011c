// @ts-check
/**
 * Runs a command beside a beamline: `node services/snapshot/lab/with-ioc.js COMMAND…`. The command finds the
 * controller by its environment, and the controller ends with the command.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startIoc } from './ioc.js';

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) {
  process.stderr.write('usage: with-ioc.js COMMAND…\n');
  process.exit(1);
}

try {
  const ioc = await startIoc();
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...process.env, ...ioc.env } });
  // Ctrl-C reaches the command by the terminal; it decides when to end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  try {
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } finally {
    await ioc.stop();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
