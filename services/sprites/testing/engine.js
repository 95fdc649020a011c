// @ts-check
/** The engines behind the bus, as real servers on free ports. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exchange, findProgram, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';

/** @import { Server } from '@plimsoll/service-common/testing/programs.js' */

/** @type {Record<'redis' | 'nats', { args: (port: number, directory: string) => string[], greeting: string }>} */
const SERVERS = {
  redis: {
    args: (port, directory) =>
      ['--port', `${port}`, '--bind', '127.0.0.1'].concat(
        '--dir',
        directory,
        '--save',
        '',
        '--daemonize',
        'no',
      ),
    greeting: '+PONG',
  },
  nats: { args: (port) => ['-a', '127.0.0.1', '-p', `${port}`], greeting: 'INFO' },
};

/** What is missing to start one, in words. @param {'redis' | 'nats'} engine */
export function missing(engine) {
  const program = `${engine}-server`;
  if (findProgram(program) !== undefined || process.env.CI === 'true') return false;
  return `${program} not found; run scripts/setup/services`;
}

/**
 * @param {'redis' | 'nats'} engine
 * @param {number} [port] a free one if not given
 * @returns {Promise<Server>} whose directory goes with it
 */
export async function openEngine(engine, port) {
  const program = findProgram(`${engine}-server`);
  if (program === undefined) {
    throw new Error(`failed to start ${engine}: ${engine}-server not found; hint: scripts/setup/services`);
  }
  const directory = await mkdtemp(join(tmpdir(), `sprites-${engine}-`));
  const chosen = port ?? (await freePort());
  const { args, greeting } = SERVERS[engine];
  const server = await startServer({
    program,
    args: args(chosen, directory),
    log: join(directory, 'log'),
    port: chosen,
    url: `${engine}://127.0.0.1:${chosen}`,
    responds: (at) => exchange(at, 'PING\r\n', (response) => response.includes(greeting)),
  });
  return {
    ...server,
    async kill(signal) {
      await server.kill(signal);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
