// @ts-check
/** Where the program is: what PLIMSOLL_BINARY names, else in the package for this platform. */

import { accessSync, constants, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve as absolute } from 'node:path';

/** @typedef {{ os: string, cpu: string, glibc: boolean }} System */
/** @typedef {{ version: string, optionalDependencies?: { [name: string]: string } }} Manifest */

const require = createRequire(import.meta.url);
const GUIDE = 'https://github.com/plimsoll-load/plimsoll/blob/main/docs/guides/install.md';

/** No program here; `message` and `hint` are for users. */
export class NoBinaryError extends Error {
  /** @param {string} message @param {string} hint */
  constructor(message, hint) {
    super(message);
    this.name = 'NoBinaryError';
    this.hint = hint;
  }
}

/**
 * @param {{ env?: NodeJS.ProcessEnv, system?: System, manifest?: Manifest, resolve?: (path: string) => string }} [outside]
 * @returns {string} the path of a program that can be executed
 * @throws {NoBinaryError}
 */
export function binary({
  env = process.env,
  system = here(),
  manifest = own(),
  resolve = require.resolve,
} = {}) {
  if (env.PLIMSOLL_BINARY) {
    const path = absolute(env.PLIMSOLL_BINARY);
    const why = refusal(path);
    if (!why) return path;
    throw new NoBinaryError(
      `PLIMSOLL_BINARY names ${path}, which cannot be executed (${why})`,
      'name the plimsoll program with it, or unset it',
    );
  }
  const published = Object.keys(manifest.optionalDependencies ?? {});
  const packages = candidates(system).filter((name) => published.includes(name));
  for (const name of packages) {
    const path = found(() => resolve(`${name}/bin/plimsoll`));
    if (!path) continue;
    const why = refusal(path);
    if (!why) return path;
    throw new NoBinaryError(`${path} cannot be executed (${why})`, `install ${name} again`);
  }
  throw missing(system, packages[0], published, manifest.version);
}

/** The packages that have a program for a system, the best first. @param {System} system */
function candidates({ os, cpu, glibc }) {
  const package_ = (/** @type {string} */ kind) => `@plimsoll/${os}-${cpu}-${kind}`;
  // The static program runs with any C library, and with none.
  return glibc ? [package_('gnu'), package_('static')] : [package_('static')];
}

/** @param {System} system @param {string | undefined} name @param {string[]} published @param {string} version */
function missing({ os, cpu }, name, published, version) {
  if (published.length === 0) {
    return new NoBinaryError(
      'this is the source of the package plimsoll, which contains no program',
      'build it with make build and name target/release/plimsoll with PLIMSOLL_BINARY, or build packages with npm/build',
    );
  }
  if (name) {
    return new NoBinaryError(
      `the package ${name}, which contains the program for this machine, is not installed`,
      `npm leaves it out with --omit=optional, or with a lock file from another system (npm/cli issue 4828): npm install ${name}@${version}, ` +
        'or remove node_modules and package-lock.json and install again',
    );
  }
  const known = new Set(published.map((name) => name.replace(/^@plimsoll\/(.*)-\w+$/, '$1')));
  return new NoBinaryError(
    `plimsoll has no program for ${os}-${cpu}, only for ${[...known].join(', ')}`,
    `run it in a Linux container such as node:22, or build it from source: ${GUIDE}`,
  );
}

/** Why a file cannot be executed. @param {string} path */
function refusal(path) {
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code;
  }
}

/** @param {() => string} resolve */
function found(resolve) {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}

/** @returns {Manifest} */
function own() {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
}

/** @returns {System} */
function here() {
  return { os: process.platform, cpu: process.arch, glibc: process.platform === 'linux' && hasGlibc() };
}

function hasGlibc() {
  // Node.js looks up the names of its peers for a report, unless told not to.
  const { report } = process;
  if ('excludeNetwork' in report) report.excludeNetwork = true;
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (
    /** @type {unknown} */ (report.getReport())
  );
  return header.glibcVersionRuntime !== undefined;
}
