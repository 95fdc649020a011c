// @ts-check
/** Writes crates/report/assets/report.html: page, style and script in one file. The same sources give the same bytes. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = fileURLToPath(new URL('../../crates/report/assets/report.html', import.meta.url));

/** @param {string} entry */
async function bundled(entry) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'iife',
    legalComments: 'none',
    logLevel: 'warning',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    write: false,
  });
  const text = result.outputFiles[0]?.text.trim();
  if (!text) throw new Error(`nothing was built from ${entry}`);
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${entry} holds text that would end its element`);
  return text;
}

const script = await bundled('src/main.ts');
const style = await bundled('src/style.css');
// Only this one script may run: not even text that found its way into the page as markup could.
const hash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
let page = readFileSync(new URL('../src/page.html', import.meta.url), 'utf8');
const parts = { '/* STYLE */': style, '/* SCRIPT */': script, SCRIPT_HASH: hash };
for (const [place, text] of Object.entries(parts)) {
  if (page.split(place).length !== 2) throw new Error(`src/page.html has not exactly one ${place}`);
  page = page.replace(place, () => text);
}
writeFileSync(target, page);
console.log(`${target}: ${(page.length / 1024).toFixed(1)} KiB`);
