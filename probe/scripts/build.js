// @ts-check
// Writes probe.cjs, the modules of src as the one file that a service can load, and memory.cjs and origins.cjs, what a running service is asked by its inspector.
import { build } from 'esbuild';

/** @type {[string, string][]} */
const bundles = [
  ['src/probe.js', 'probe.cjs'],
  ['src/memory.js', 'memory.cjs'],
  ['src/origins.js', 'origins.cjs'],
];

for (const [entry, outfile] of bundles) {
  await build({
    absWorkingDir: new URL('..', import.meta.url).pathname,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    charset: 'utf8',
    banner: {
      js: '// Made of probe/src by `make generate`; edit there.\n"use strict";',
    },
  });
}
