// @ts-check
import assert from 'node:assert/strict';
import test from 'node:test';
import { main, platforms } from '../../manifests.js';
import { binary, NoBinaryError } from '../src/binary.js';

/** @import { System, Manifest } from '../src/binary.js' */

const manifest = /** @type {Manifest} */ (main(platforms));
const glibc = { os: 'linux', cpu: 'x64', glibc: true };
const musl = { ...glibc, glibc: false };
const executable = process.execPath;

/**
 * Where the program is found, or the message and hint.
 * @param {{ system?: System, installed?: string[], env?: NodeJS.ProcessEnv, from?: Manifest, path?: string }} outside
 */
function look({ system = glibc, installed = [], env = {}, from = manifest, path = executable }) {
  /** @type {string[]} */
  const asked = [];
  const resolve = (/** @type {string} */ name) => {
    asked.push(name);
    if (installed.some((has) => name === `${has}/bin/plimsoll`)) return path;
    throw new Error(`Cannot find module '${name}'`);
  };
  try {
    return { found: binary({ env, system, manifest: from, resolve }), last: asked.at(-1) };
  } catch (error) {
    assert.ok(error instanceof NoBinaryError, String(error));
    return { message: error.message, hint: error.hint };
  }
}

test('binary_system_gets_its_package', () => {
  const [gnu, none] = ['@plimsoll/linux-x64-gnu', '@plimsoll/linux-x64-static'];
  for (const [system, installed, expected] of /** @type {[System, string[], string][]} */ ([
    [glibc, [gnu], gnu],
    [glibc, [gnu, none], gnu],
    [glibc, [none], none],
    [musl, [none], none],
    [musl, [gnu, none], none],
  ])) {
    assert.deepEqual(look({ system, installed }), { found: executable, last: `${expected}/bin/plimsoll` });
  }
});

test('binary_variable_goes_first', () => {
  assert.deepEqual(look({ env: { PLIMSOLL_BINARY: executable } }), { found: executable, last: undefined });
  const { message } = look({ env: { PLIMSOLL_BINARY: '/no/such' }, installed: ['@plimsoll/linux-x64-gnu'] });
  assert.equal(message, 'PLIMSOLL_BINARY names /no/such, which cannot be executed (ENOENT)');
});

test('binary_package_missing_says_why_and_what_to_do', () => {
  for (const [system, name] of /** @type {[System, string][]} */ ([
    [glibc, '@plimsoll/linux-x64-gnu'],
    [musl, '@plimsoll/linux-x64-static'],
  ])) {
    const { message, hint } = look({ system });
    assert.equal(
      message,
      `the package ${name}, which contains the program for this machine, is not installed`,
    );
    assert.match(
      hint ?? '',
      /--omit=optional, .* lock file from another system .* npm install @plimsoll\/\S+@\d+\./,
    );
  }
});

test('binary_system_without_package_names_container_and_source', () => {
  for (const [os, cpu] of [
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['linux', 'ppc64'],
  ]) {
    const { message, hint } = look({ system: { os, cpu, glibc: os === 'linux' } });
    assert.ok(message?.startsWith(`plimsoll has no program for ${os}-${cpu}, only for linux-x64`), message);
    assert.match(
      hint ?? '',
      /Linux container such as node:\d+, or build it from source: https:\S+install\.md$/,
    );
  }
});

test('binary_file_without_permission_is_named', () => {
  const { message } = look({ installed: ['@plimsoll/linux-x64-gnu'], path: '/etc/passwd' });
  assert.equal(message, '/etc/passwd cannot be executed (EACCES)');
});

test('binary_source_says_how_to_build', () => {
  const { hint } = look({ from: { version: '0.0.0' } });
  assert.match(hint ?? '', /make build .* PLIMSOLL_BINARY/);
});
