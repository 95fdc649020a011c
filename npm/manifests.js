// @ts-check
/** What the published packages say of themselves: all of it follows from platforms.json, Cargo.toml and npm/plimsoll. */

import { readFileSync } from 'node:fs';

/**
 * A system that has a package with the program: for npm (`os`, `cpu`, `libc`), and for cargo (`target`, `glibc`, which is the
 * oldest version that the program runs with).
 * @typedef {{ package: string, os: string, cpu: string, libc: 'glibc' | 'musl', target: string, glibc?: string }} Platform
 */
/** @typedef {{ [key: string]: any }} Manifest */

const read = (/** @type {string} */ path) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** @type {Platform[]} */
export const platforms = JSON.parse(read('platforms.json'));

/** The version of everything that is released. */
export function version() {
  const found = read('../Cargo.toml').match(/^\[workspace\.package\]\nversion = "(.*)"$/m);
  if (!found) throw new Error('Cargo.toml has no version below [workspace.package]');
  return found[1];
}

/** Of the package with the command, as it is in the source. @returns {Manifest} */
export const source = () => JSON.parse(read('plimsoll/package.json'));

/**
 * Of the package with the command: npm installs the one of the listed packages that fits the machine.
 * @param {Platform[]} published
 * @returns {Manifest}
 */
export function main(published) {
  const { scripts: _, devDependencies: __, ...manifest } = source();
  const exact = version();
  return {
    ...manifest,
    version: exact,
    optionalDependencies: Object.fromEntries(published.map((platform) => [platform.package, exact])),
  };
}

/** Of a package with the program. @param {Platform} platform @returns {Manifest} */
export function platform({ package: name, os, cpu, libc, glibc }) {
  const { license, repository, engines } = source();
  const needs = glibc ? `glibc ${glibc} or newer` : 'any C library or none';
  return {
    name,
    version: version(),
    description: `The program of the package plimsoll for ${os} on ${cpu} with ${needs}`,
    license,
    repository,
    engines,
    os: [os],
    cpu: [cpu],
    libc: [libc],
    files: ['bin', 'LICENSE-*'],
    // Yarn would keep it in an archive, where nothing can be executed.
    preferUnplugged: true,
  };
}
