// @ts-check
/**
 * `up`, `down` and `status` of the servers that the profile service runs on. What runs is written in a state file,
 * with the moment at which each process began: a process that has that number by chance is not stopped.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FSYNC, startRedis, startStore, storeName } from './servers.js';

/** @typedef {{ name: string, url: string, pid: number, began: string }} Running */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DIRECTORY = process.env.PROFILE_SERVICES_DIR ?? join(ROOT, '.services');
const STATE = join(DIRECTORY, 'state.json');
const POLL_MS = 20;

const commands = { up, down, status };

const [name = '', ...rest] = process.argv.slice(2);
if (!(name in commands) || rest.length > 0) {
  fail(`found "${[name, ...rest].join(' ')}", expected one of ${Object.keys(commands).join(', ')}`);
} else {
  await commands[/** @type {keyof typeof commands} */ (name)]().catch((error) => fail(error.message));
}

async function up() {
  const fsync = FSYNC.find((policy) => policy === (process.env.PROFILE_REDIS_FSYNC || 'always'));
  if (fsync === undefined)
    throw new Error(
      `PROFILE_REDIS_FSYNC must be one of ${FSYNC.join(', ')}; found "${process.env.PROFILE_REDIS_FSYNC}"`,
    );
  await mkdir(DIRECTORY, { recursive: true });
  const running = await readState();

  /** @param {string} server @param {() => Promise<{ url: string, pid: number }>} start */
  async function ensure(server, start) {
    if (running.some((known) => known.name === server)) return;
    const { url, pid } = await start();
    running.push({ name: server, url, pid, began: began(pid) });
    await writeFile(STATE, JSON.stringify(running, undefined, 2));
    process.stderr.write(
      `started ${server}, process ${pid}, data in ${relative(ROOT, DIRECTORY)}/${server}\n`,
    );
  }

  await ensure('redis', () => startRedis({ directory: join(DIRECTORY, 'redis'), detached: true, fsync }));
  // A store elsewhere is used as it is.
  if (!process.env.PROFILE_MONGODB_URL) {
    const store = storeName();
    await ensure(store, () => startStore({ directory: join(DIRECTORY, store), detached: true }));
  }
  print(running);
}

async function down() {
  for (const { name: server, pid } of await readState()) {
    process.kill(pid, 'SIGTERM');
    while (began(pid) !== '') await wait(POLL_MS);
    process.stderr.write(`stopped ${server}, process ${pid}\n`);
  }
  await rm(STATE, { force: true });
}

async function status() {
  const running = await readState();
  if (running.length === 0) process.stderr.write('nothing runs; hint: make services-up\n');
  else print(running);
}

/** The settings to use, as a shell reads them. @param {Running[]} running */
function print(running) {
  const store = running.find((server) => server.name !== 'redis')?.url ?? process.env.PROFILE_MONGODB_URL;
  const redis = running.find((server) => server.name === 'redis')?.url;
  process.stdout.write(
    `export PROFILE_STORE=real\nexport PROFILE_REDIS_URL='${redis}'\nexport PROFILE_MONGODB_URL='${store}'\n`,
  );
}

/** Those of the state file that still run. @returns {Promise<Running[]>} */
async function readState() {
  /** @type {Running[]} */
  let known = [];
  try {
    known = JSON.parse(await readFile(STATE, 'utf8'));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  return known.filter((server) => server.began !== '' && began(server.pid) === server.began);
}

/** When a process began, as the system words it; empty if it does not run. @param {number} pid */
function began(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`error: failed to run services ${name}: ${reason}\n`);
  process.exitCode = 1;
}
