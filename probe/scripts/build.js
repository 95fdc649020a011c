// @ts-check
// Writes probe.cjs: the modules of src as the one file that a service can load.
import { build } from 'esbuild';

await build({
  absWorkingDir: new URL('..', import.meta.url).pathname,
  entryPoints: ['src/probe.js'],
  outfile: 'probe.cjs',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  charset: 'utf8',
  banner: {
    js: '// Made of probe/src by `make generate`; edit there.\n"use strict";',
  },
});
