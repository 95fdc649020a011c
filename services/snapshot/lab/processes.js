// @ts-check
/** The way to read that was published first: a command for each process variable, one after the other. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Reading } from '../src/ca/client.js' */
/** @import { Variant } from './variants.js' */

/** get.c, as scripts/setup/epics builds it: what caget does, over the library that caget is made of. */
const GET = fileURLToPath(new URL('../../../.tools/epics/bin/get', import.meta.url));

/**
 * Runs the command for one, then for the next. It finds, connects and reads anew each time.
 * @param {Record<string, string>} env with the address of the controller
 * @returns {Variant}
 */
export function aProcessEach(env) {
  if (!existsSync(GET)) throw new Error(`${GET} does not exist; hint: scripts/setup/epics`);
  return async (_client, names, timeout_ms) => {
    /** @type {Map<string, Reading>} */
    const read = new Map();
    for (const name of names) {
      const reading = await get(env, name, timeout_ms);
      if (reading !== undefined) read.set(name, reading);
    }
    return read;
  };
}

/**
 * @param {Record<string, string>} env
 * @param {string} name
 * @param {number} timeout_ms
 * @returns {Promise<Reading | undefined>} undefined: no value in time
 */
function get(env, name, timeout_ms) {
  // Without a PATH the library finds no repeater of beacons to start, which would outlive the command.
  const settings = { PATH: '/nonexistent', EPICS_CA_AUTO_ADDR_LIST: 'NO', ...env };
  return new Promise((resolve, reject) => {
    execFile(GET, [name, `${timeout_ms / 1_000}`], { env: settings }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else if (error.code === 1) resolve(undefined);
      else reject(error);
    });
  });
}
