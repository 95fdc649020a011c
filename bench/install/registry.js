// @ts-check
/**
 * node bench/install/registry.js COMMAND…: runs a command beside a registry of npm on 127.0.0.1 that has the packages of npm/dist,
 * and every other one from the registry that npm uses here. npm_config_registry of the command names it. It is gone with the command.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [command, ...args] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'plimsoll-registry-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;

// JSON is YAML.
writeFileSync(
  join(directory, 'config.yaml'),
  JSON.stringify({
    storage: join(directory, 'storage'),
    auth: { htpasswd: { file: join(directory, 'htpasswd') } },
    uplinks: { upstream: { url: npm('config', 'get', 'registry').trim() } },
    packages: {
      plimsoll: { access: '$all', publish: '$authenticated' },
      '@plimsoll/*': { access: '$all', publish: '$authenticated' },
      '**': { access: '$all', proxy: 'upstream' },
    },
    // A package comes in base64, and more than 10 MB of that are refused by default.
    max_body_size: '64mb',
    web: { enable: false },
    log: { type: 'stdout', level: 'warn' },
  }),
);

const log = join(directory, 'log');
const out = openSync(log, 'a');
const server = spawn(
  process.execPath,
  [
    join(root, '.tools/registry/node_modules/verdaccio/bin/verdaccio'),
    '--config',
    join(directory, 'config.yaml'),
    '--listen',
    `127.0.0.1:${port}`,
  ],
  { stdio: ['ignore', out, out] },
);
try {
  await responds();
  await publish();
  const env = { ...process.env, npm_config_registry: url };
  // Ctrl-C reaches the command as well, which ends in its own way.
  process.on('SIGINT', () => {});
  const child = spawn(command, args, { stdio: 'inherit', env });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  process.exitCode = code ?? 1;
} finally {
  server.kill();
  rmSync(directory, { recursive: true, force: true });
}

/** @param {string[]} words */
function npm(...words) {
  return execFileSync('npm', words, { encoding: 'utf8', cwd: root });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = /** @type {import('node:net').AddressInfo} */ (probe.address());
  probe.close();
  return free;
}

/** Waits until the registry responds, for at most 30 s. */
async function responds() {
  for (let tries = 0; tries < 300; tries += 1) {
    const response = await fetch(`${url}-/ping`).catch(() => undefined);
    if (response?.ok) return;
    if (server.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`the registry does not respond; it said: ${readFileSync(log, 'utf8')}`);
}

async function publish() {
  const user = { name: 'publisher', password: 'on this machine only' };
  const response = await fetch(`${url}-/user/org.couchdb.user:${user.name}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { token } = /** @type {{ token: string }} */ (await response.json());
  const settings = join(directory, 'npmrc');
  writeFileSync(settings, `//127.0.0.1:${port}/:_authToken=${token}\n`);
  const dist = join(root, 'npm/dist');
  const packages = readdirSync(dist).filter((name) => name.endsWith('.tgz'));
  if (packages.length === 0) throw new Error('npm/dist has no packages: build them with npm/build');
  for (const name of packages) {
    execFileSync(
      'npm',
      [
        'publish',
        join(dist, name),
        '--registry',
        url,
        '--userconfig',
        settings,
        '--access',
        'public',
        '--loglevel',
        'error',
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
  }
}
