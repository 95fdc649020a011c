// @ts-check
/**
 * node npm/pack.js DIRECTORY PLATFORM=PROGRAM…: packs `plimsoll` and a package with the program for each platform into DIRECTORY,
 * and prints what they are.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main, platform, platforms } from './manifests.js';

/** @import { Manifest } from './manifests.js' */

const [directory, ...pairs] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const staging = mkdtempSync(join(tmpdir(), 'plimsoll-npm-'));
process.on('exit', () => rmSync(staging, { recursive: true, force: true }));
mkdirSync(directory, { recursive: true });

const built = pairs.map((pair) => {
  const [name, program] = pair.split('=');
  const found = platforms.find((of) => of.package === `@plimsoll/${name}`);
  if (!found || !program)
    throw new Error(`found ${pair}, expected a platform of platforms.json and its program`);
  return { platform: found, program };
});

for (const { platform: of, program } of built) {
  const manifest = platform(of);
  pack(manifest, `# ${of.package}\n\n${manifest.description}. Install plimsoll instead.\n`, (package_) => {
    mkdirSync(join(package_, 'bin'));
    cpSync(program, join(package_, 'bin/plimsoll'));
    chmodSync(join(package_, 'bin/plimsoll'), 0o755);
    writeFileSync(join(package_, 'LICENSE-CRATES'), licencesFor(of.target));
  });
}
for (const script of ['vendor', 'declarations']) {
  execFileSync('npm', ['run', '--silent', script, '--workspace=plimsoll'], { cwd: root });
}
pack(main(built.map((of) => of.platform)), undefined, (package_) => {
  for (const name of ['bin', 'src', 'types', 'README.md']) {
    cpSync(join(root, 'npm/plimsoll', name), join(package_, name), { recursive: true });
  }
});

/**
 * @param {Manifest} manifest
 * @param {string | undefined} readme
 * @param {(directory: string) => void} fill
 */
function pack(manifest, readme, fill) {
  const package_ = join(staging, manifest.name.replace('/', '-'));
  mkdirSync(package_);
  writeFileSync(join(package_, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  if (readme) writeFileSync(join(package_, 'README.md'), readme);
  for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT'])
    cpSync(join(root, licence), join(package_, licence));
  fill(package_);
  const output = execFileSync('npm', ['pack', package_, '--json', '--pack-destination', directory], {
    encoding: 'utf8',
  });
  const { filename, unpackedSize } = JSON.parse(output)[0];
  const packed = statSync(join(directory, filename)).size;
  console.log(
    `${join(directory, filename)}  ${megabytes(packed)} MB, unpacked ${megabytes(unpackedSize)} MB`,
  );
}

/** Those of the crates in the program. @param {string} target */
function licencesFor(target) {
  return execFileSync(process.execPath, [join(root, 'npm/licences.js'), target], { maxBuffer: 1 << 24 });
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(2);
}
