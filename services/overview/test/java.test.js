// @ts-check
/** The service in Java: the same contract. Without a Java that is new enough, the tests are skipped. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { open } from '@plimsoll/service-common/testing/client.js';
import { pageContract, serverContract } from './contract.js';
import { describePage, startHere, startPage, temporaryJson } from './support.js';

/** @import { Start } from './support.js' */

const RUN = fileURLToPath(new URL('../java/run', import.meta.url));

/** @param {Record<string, string>} env */
function spawnJava(env) {
  return spawn(RUN, {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @type {Start} */
async function startJava(t, env) {
  const child = spawnJava(env);
  t.after(() => child.kill('SIGKILL'));
  /** @type {string[]} */
  const lines = [];
  const output = createInterface({ input: child.stdout });
  output.on('line', (line) => lines.push(line));
  child.stderr.pipe(process.stderr);
  await once(output, 'line');
  async function stop() {
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  }
  return { url: JSON.parse(lines[0]).url, stop, lines };
}

/** @param {'platform' | 'virtual'} threads @param {number} least version of Java */
function has(threads, least) {
  const { stdout } = spawnSync(RUN, ['--version'], { env: { ...process.env, OVERVIEW_THREADS: threads } });
  if (Number(stdout) >= least) return true;
  if (process.env.CI === 'true') throw new Error(`there is no Java ${least}, which CI must not do without`);
  test(`java, ${threads} threads`, { skip: `there is no Java ${least}; scripts/setup/java installs one` });
  return false;
}

if (has('platform', 17)) {
  pageContract('java, hub', startJava, { OVERVIEW_COMPOSITION: 'hub' });
  pageContract('java, flow', startJava, { OVERVIEW_COMPOSITION: 'flow' });
  serverContract('java', startJava, { strict: false });

  for (const composition of ['hub', 'flow']) {
    test(`java, ${composition}: the page is that of Node.js`, async (t) => {
      const env = { OVERVIEW_COMPOSITION: composition };
      const [java, node] = await Promise.all([
        startPage(t, startJava, { env }),
        startPage(t, startHere, { env }),
      ]);
      for (const { upstreams } of [java, node]) await upstreams.set('cards', { mode: 'failing' });
      assert.deepEqual(await java.page('a7'), await node.page('a7'));
    });
  }

  test('java: no more threads than pages times six', async (t) => {
    const { ask, page } = await startPage(t, startJava, { env: { OVERVIEW_PAGES: '3' } });
    const [, before] = /^jvm_threads (\d+)$/m.exec((await ask('/metrics')).text) ?? [];
    await Promise.all(Array.from({ length: 40 }, (_, number) => page(`a${number}`)));
    const [, peak] = /^jvm_threads_peak (\d+)$/m.exec((await ask('/metrics')).text) ?? [];
    // Beside them are those of the JVM, such as compilers, which come and go.
    assert.ok(Number(peak) - Number(before) <= 3 * 6 + 5, `${before} threads before, ${peak} at most`);
  });

  test('java: stopping finishes the page that is in flight', async (t) => {
    const { url, stop, upstreams } = await startPage(t, startJava);
    await upstreams.set('cards', { mode: 'dead' });
    const socket = open(url, 'GET /overview/a1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await upstreams.until(({ cards }) => cards.requests === 1);
    const stopped = stop();
    await upstreams.set('cards', { mode: 'refusing' });
    const [response] = await once(socket, 'data');
    assert.match(response.toString(), /^HTTP\/1\.1 200 /);
    await stopped;
  });

  test('java: what cannot be used ends the process with 1 and says why', async (t) => {
    const page = describePage();
    page.blocks[0].calls.pop();
    for (const [env, reason] of /** @type {[Record<string, string>, RegExp][]} */ ([
      [{ PORT: 'x' }, /^failed to start: PORT must be .*; found "x"\n$/],
      [
        { OVERVIEW_COMPOSITION: 'star' },
        /^failed to start: OVERVIEW_COMPOSITION must be .*; found "star"\n$/,
      ],
      [{ OVERVIEW_DESCRIPTION: '/nowhere' }, /^failed to start: \/nowhere cannot be read: .*\n$/],
      [
        { OVERVIEW_DESCRIPTION: await temporaryJson(t, page) },
        /expected a list of 2 to 5; found .*identity.*\n$/,
      ],
      [{ OVERVIEW_UPSTREAMS: 'elsewhere' }, /OVERVIEW_UPSTREAMS must be .*; found "elsewhere"\n$/],
    ])) {
      const child = spawnJava(env);
      const stderr = child.stderr.toArray();
      const [code] = await once(child, 'close');
      const text = Buffer.concat(await stderr).toString();
      assert.equal(code, 1, text);
      assert.match(text, reason);
    }
  });

  for (const upstreams of ['embedded', 'within']) {
    test(`java: upstreams that are ${upstreams} end with the service`, async (t) => {
      const OVERVIEW_DESCRIPTION = await temporaryJson(t, describePage());
      const { url, stop, lines } = await startJava(t, {
        OVERVIEW_UPSTREAMS: upstreams,
        OVERVIEW_DESCRIPTION,
      });
      assert.equal((await (await fetch(`${url}/overview/a1`)).json()).complete, true);
      const { control } = JSON.parse(lines[0]);
      await stop();
      while (
        await fetch(`${control}/origins`).then(
          (response) => response.text(),
          () => undefined,
        )
      );
    });
  }
}

if (has('virtual', 21)) pageContract('java, virtual threads', startJava, { OVERVIEW_THREADS: 'virtual' });
