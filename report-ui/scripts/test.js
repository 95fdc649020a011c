// @ts-check
/** Bundles each test and runs them all by node:test, so that they need no loader on any Node version. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const tests = readdirSync(new URL('../test/', import.meta.url)).filter((name) => name.endsWith('.test.ts'));

rmSync(new URL('../dist/', import.meta.url), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const files = tests.map((name) => `dist/${name.replace(/\.ts$/, '.js')}`);
const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = run.status ?? 1;
