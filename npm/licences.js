// @ts-check
/**
 * node npm/licences.js TARGET: prints the licences of the crates that the program for that target of Rust contains, each text once.
 * Who passes the program on passes them on as well. Where a crate may be used by one of several, that of MIT is taken, which is short.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const RULE = '-'.repeat(80);

/**
 * @typedef {object} Crate
 * @property {string} name
 * @property {string} version
 * @property {string | null} license as an SPDX expression
 * @property {string | null} repository
 * @property {string} manifest_path
 */

/** @type {Map<string, { text: string, crates: string[] }>} */
const texts = new Map();
for (const crate of crates(process.argv[2])) {
  for (const text of textsOf(crate)) {
    const words = text.replace(/\s+/g, ' ').trim();
    const known = texts.get(words) ?? { text: text.replace(/\s+$/gm, '\n').trim(), crates: [] };
    known.crates.push(`${crate.name} ${crate.version}, ${crate.license}`);
    texts.set(words, known);
  }
}
const parts = [
  'The program contains these crates, and the standard library of Rust (MIT or Apache-2.0, https://www.rust-lang.org).\n',
  ...[...texts.values()].map(({ text, crates }) => `${crates.join('\n')}\n\n${text}\n`),
];
process.stdout.write(parts.join(`\n${RULE}\n\n`));

/** @param {string} target @returns {Crate[]} */
function crates(target) {
  const tree = cargo(
    ...['tree', '--package', 'plimsoll', '--edges', 'normal', '--target', target],
    ...['--prefix', 'none', '--format', '{p}'],
  );
  const used = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ')));
  /** @type {(Crate & { source: string | null })[]} */
  const all = JSON.parse(cargo('metadata', '--format-version', '1')).packages;
  return all.filter(({ name, version, source }) => source !== null && used.has(`${name} v${version}`));
}

/** @param {Crate} crate @returns {string[]} */
function textsOf(crate) {
  const directory = dirname(crate.manifest_path);
  const all = readdirSync(directory).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const mit = /\bOR\b/.test(crate.license ?? '') && all.filter((name) => /mit/i.test(name));
  const names = mit && mit.length > 0 ? mit : all;
  if (names.length === 0)
    return [`The crate comes without the text of its licence. Its source: ${crate.repository}`];
  return names.map((name) => readFileSync(join(directory, name), 'utf8'));
}

/** @param {string[]} options */
function cargo(...options) {
  return execFileSync('cargo', [...options, '--locked'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
}
