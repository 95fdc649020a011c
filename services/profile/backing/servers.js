// @ts-check
/** The two servers that the profile service runs on, for tests, crash runs and `make services-up`. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange, findProgram, freePort, startServer } from '@plimsoll/service-common/testing/programs.js';

/** @import { Server } from '@plimsoll/service-common/testing/programs.js' */

const TOOLS = fileURLToPath(new URL('../../../.tools/python/bin', import.meta.url));

/**
 * @typedef {object} Place
 * @property {string} directory for data and logs; made if absent
 * @property {number} [port] a free one if not given
 * @property {boolean} [detached]
 */

/** When Redis hands its log of writes to the disk: see the README for what each can lose. */
export const FSYNC = /** @type {const} */ (['always', 'everysec', 'no']);

/** What is missing to start both, in words; undefined where nothing is. */
export function missingServers() {
  const missing = [];
  if (findProgram('redis-server') === undefined) missing.push('redis-server');
  if (storeProgram() === undefined) missing.push('mongod or nx-27017');
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not found; run scripts/setup/services`;
}

/**
 * @param {Place & { fsync?: typeof FSYNC[number], env?: Record<string, string> }} options
 * @returns {Promise<Server>}
 */
export async function startRedis({ directory, port, detached, fsync = 'always', env }) {
  const program = findProgram('redis-server');
  if (program === undefined)
    throw new Error('failed to find redis-server; hint: scripts/setup/services installs it');
  await mkdir(directory, { recursive: true });
  const chosen = port ?? (await freePort());
  const settings = {
    port: `${chosen}`,
    bind: '127.0.0.1',
    dir: directory,
    unixsocket: join(directory, 'redis.sock'),
    save: '',
    appendonly: 'yes',
    appendfsync: fsync,
    // What waits to be stored has no time to live, and so is never put out.
    'maxmemory-policy': 'volatile-ttl',
    daemonize: 'no',
  };
  return startServer({
    program,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    log: join(directory, 'redis.log'),
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    detached,
    env,
    responds: (at) => exchange(at, 'PING\r\n', (response) => response.startsWith('+PONG')),
  });
}

/**
 * MongoDB where it is installed, else nx-27017, which speaks its protocol on top of SQLite.
 * @param {Place} options
 * @returns {Promise<Server>}
 */
export async function startStore({ directory, port, detached }) {
  const program = storeProgram();
  if (program === undefined)
    throw new Error('failed to find mongod or nx-27017; hint: scripts/setup/services installs one');
  await mkdir(directory, { recursive: true });
  const chosen = port ?? (await freePort());
  const log = join(directory, 'store.log');
  const args = program.endsWith('mongod')
    ? ['--dbpath', directory, '--bind_ip', '127.0.0.1', '--port', `${chosen}`, '--quiet']
    : ['--data-dir', directory, '--host', '127.0.0.1', '-p', `${chosen}`].concat(
        '--log-file',
        log,
        '--pid-file',
        join(directory, 'store.pid'),
      );
  return startServer({
    program,
    args,
    log,
    port: chosen,
    url: `mongodb://127.0.0.1:${chosen}/profile`,
    detached,
  });
}

/** The name of what `startStore` starts. */
export function storeName() {
  return storeProgram()?.endsWith('mongod') ? 'mongod' : 'nx-27017';
}

function storeProgram() {
  return findProgram('mongod') ?? findProgram('nx-27017', [TOOLS]);
}
