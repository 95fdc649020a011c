// @ts-check
/**
 * Writes what the package needs of the SDK of the Model Context Protocol into one file, with the licences of what is in it. Who installs
 * plimsoll gets these 400 kB, and not the hundred packages that the whole SDK needs for its servers and clients over HTTP. What it writes is not kept in the repository.
 */

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const directory = fileURLToPath(new URL('..', import.meta.url));

const { metafile } = await build({
  absWorkingDir: directory,
  stdin: {
    contents: `
      export { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
      export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
      export { array, enum, number, object, record, string, union, unknown } from 'zod';
    `,
    resolveDir: directory,
  },
  outfile: 'src/vendor/mcp-sdk.js',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minify: true,
  legalComments: 'none',
  metafile: true,
  banner: {
    js: "// Written by scripts/vendor.js from @modelcontextprotocol/sdk and what it needs; see mcp-sdk.LICENSES.\nimport{createRequire}from'node:module';const require=createRequire(import.meta.url);",
  },
});

const packages = new Map();
for (const input of Object.keys(metafile.inputs)) {
  const [, path] = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//) ?? [];
  if (path) packages.set(path.replace(/.*node_modules\//, ''), path);
}
const licences = [];
for (const [name, path] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const { version, license } = JSON.parse(
    await readFile(new URL(`../${path}/package.json`, import.meta.url), 'utf8'),
  );
  licences.push(`${name} ${version}, ${license}\n\n${(await textOf(path)).trim()}\n`);
}
await writeFile(
  new URL('../src/vendor/mcp-sdk.LICENSES', import.meta.url),
  licences.join(`\n${'-'.repeat(80)}\n\n`),
);

/** The licence of a package. @param {string} path */
async function textOf(path) {
  const directory = new URL(`../${path}/`, import.meta.url);
  const name = (await readdir(directory)).find((name) => /^licen[cs]e/i.test(name));
  if (name === undefined) throw new Error(`${path} has no licence`);
  return readFile(new URL(name, directory), 'utf8');
}
