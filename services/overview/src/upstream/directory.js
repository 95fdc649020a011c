// @ts-check
/** Where the upstreams are: of a running fleet of simulators, or of one that is started for this service alone. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @import { ChildProcess } from 'node:child_process' */

const APART = fileURLToPath(new URL('../../simulators/apart.js', import.meta.url));
const WITHIN = fileURLToPath(new URL('../../simulators/main.js', import.meta.url));

/**
 * @param {string} where `embedded`: started outside of our process tree; `within`: as our child, whose CPU counts as
 *   ours; else the URL of a running one
 * @returns {Promise<{ control: string, origins: Map<string, string>, release: () => void }>} `release` lets those
 *   that were started end; a killed service releases them as well
 */
export async function findUpstreams(where) {
  const control =
    where === 'embedded'
      ? await start([APART])
      : where === 'within'
        ? await start([WITHIN, '--leased'])
        : where;
  const lease = where === control ? undefined : await takeLease(control);
  const response = await fetch(`${control}/origins`);
  if (!response.ok) throw new Error(`${control}/origins responded with ${response.status}, expected 200`);
  const origins = new Map(Object.entries(/** @type {Record<string, string>} */ (await response.json())));
  return { control, origins, release: () => lease?.destroy() };
}

/** @param {string[]} args @returns {Promise<string>} the URL that it prints */
async function start(args) {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await Promise.race([firstLine(child), ended(child)]);
  child.stdout?.destroy();
  child.unref();
  return JSON.parse(line).url;
}

/** @param {ChildProcess} child @returns {Promise<string>} */
async function firstLine({ stdout }) {
  const [line] = await once(
    createInterface({ input: /** @type {import('node:stream').Readable} */ (stdout) }),
    'line',
  );
  return line;
}

/** @param {ChildProcess} child @returns {Promise<never>} unless it ended well, which says nothing here */
function ended(child) {
  return new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code !== 0) reject(new Error(`the simulated upstreams ended with ${code}; their message is above`));
    });
  });
}

/** An open request, for as long as the upstreams are needed. @param {string} control */
async function takeLease(control) {
  const sent = request(`${control}/lease`, { agent: false }).end();
  const [res] = await once(sent, 'response');
  res.resume();
  res.on('error', () => {});
  sent.on('error', () => {});
  // It must not keep a process alive that has nothing else to do.
  res.socket.unref();
  return sent;
}
