// @ts-check
/**
 * The simulated upstreams as a process. Prints one line, `{"url": …}`, when they listen.
 *
 *   node simulators/main.js             until it is told to end
 *   node simulators/main.js --leased    until the last lease ends, or for 10 s if there never is one
 */

import { fileURLToPath } from 'node:url';
import { readFleet, startFleet } from './fleet.js';

const UNCLAIMED_MS = 10_000;

try {
  const leased = process.argv.includes('--leased');
  const text = process.env.OVERVIEW_SIMULATOR_PORT || (leased ? '0' : '3900');
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Error(`OVERVIEW_SIMULATOR_PORT must be a whole number from 0 to 65535; found "${text}"`);
  }
  const path =
    process.env.OVERVIEW_SIMULATOR_FILE || fileURLToPath(new URL('upstreams.json', import.meta.url));
  const fleet = await startFleet(readFleet(path), {
    port: Number(text),
    onUnused: () => leased && stop(),
  });
  const unclaimed = setTimeout(() => leased && fleet.leases() === 0 && stop(), UNCLAIMED_MS);
  unclaimed.unref();
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(signal, stop);
  process.stdout.write(`${JSON.stringify({ url: fleet.url })}\n`);

  function stop() {
    void fleet.stop();
  }
} catch (error) {
  process.stderr.write(
    `failed to start the simulated upstreams: ${error instanceof Error ? error.message : error}\n`,
  );
  process.exitCode = 1;
}
