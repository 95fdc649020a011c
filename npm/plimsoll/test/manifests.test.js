// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { main, platform, platforms, source, version } from '../../manifests.js';

test('versions_cargo_npm_and_lock_file_agree', () => {
  const lock = JSON.parse(readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8'));
  assert.match(version(), /^\d+\.\d+\.\d+/);
  assert.equal(source().version, version(), 'npm/plimsoll/package.json has the version of Cargo.toml');
  assert.equal(lock.packages['npm/plimsoll'].version, version(), 'npm install updates package-lock.json');
});

test('main_manifest_lists_each_platform_at_its_version', () => {
  assert.deepEqual(
    main(platforms).optionalDependencies,
    Object.fromEntries(platforms.map((of) => [of.package, platform(of).version])),
  );
  assert.equal(main(platforms).version, version());
});

test('main_manifest_runs_nothing_on_install', () => {
  assert.equal(main(platforms).scripts, undefined);
  assert.ok(platforms.every((of) => platform(of).scripts === undefined));
});

test('platforms_names_and_systems_agree', () => {
  for (const of of platforms) {
    const kind = of.libc === 'glibc' ? 'gnu' : 'static';
    assert.equal(of.package, `@plimsoll/${of.os}-${of.cpu}-${kind}`);
    const { os, cpu, libc } = platform(of);
    assert.deepEqual([os, cpu, libc], [[of.os], [of.cpu], [of.libc]]);
    assert.ok(of.target.startsWith({ x64: 'x86_64-', arm64: 'aarch64-' }[of.cpu] ?? '?'), of.target);
    assert.equal(of.glibc !== undefined, of.libc === 'glibc', 'the oldest glibc is named where there is one');
  }
  const names = platforms.map((of) => of.package);
  assert.equal(new Set(names).size, names.length);
});

test('licences_name_each_crate_once_and_have_its_text', () => {
  const printed = execFileSync(
    process.execPath,
    [fileURLToPath(new URL('../../licences.js', import.meta.url)), 'x86_64-unknown-linux-gnu'],
    { encoding: 'utf8' },
  );
  const [, ...parts] = printed.split(`\n${'-'.repeat(80)}\n`);
  assert.ok(parts.length > 30 && parts.every((part) => part.trim().split('\n').length > 2), printed);
  for (const crate of ['rustls', 'hdrhistogram', 'io-uring'])
    assert.match(printed, new RegExp(`^${crate} \\d`, 'm'));
  assert.doesNotMatch(printed, /^criterion|^proptest/m, 'crates of tests are not in the program');
});
