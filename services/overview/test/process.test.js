// @ts-check
/** The service as a process, with upstreams that it starts itself. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describePage, temporaryJson } from './support.js';

const SERVER = fileURLToPath(new URL('../src/server.js', import.meta.url));
const SIMULATORS = fileURLToPath(new URL('../simulators/main.js', import.meta.url));

/** @param {string} program @param {Record<string, string>} env @param {string[]} args */
function start(program, env, ...args) {
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** @param {import('node:child_process').ChildProcess} child */
async function firstLine({ stdout }) {
  const [line] = await once(
    createInterface({ input: /** @type {import('node:stream').Readable} */ (stdout) }),
    'line',
  );
  return JSON.parse(line);
}

/** Waits until nobody listens there any more. @param {string} url */
async function untilGone(url) {
  for (;;) {
    try {
      await (await fetch(`${url}/origins`)).text();
    } catch {
      return;
    }
  }
}

/** The process that listens on the control port, by what it says of itself. @param {string} control */
async function parentOf(control) {
  const { pid } = await (await fetch(`${control}/process`)).json();
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // After the name, which is in parentheses: state, parent, group.
  const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(parent), group: Number(group) };
}

for (const [upstreams, inside] of /** @type {[string, boolean][]} */ ([
  ['embedded', false],
  ['within', true],
])) {
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGKILL'])) {
    test(`upstreams that are ${upstreams} end with the service on ${signal}`, async (t) => {
      const OVERVIEW_DESCRIPTION = await temporaryJson(t, describePage());
      const env = { PORT: '0', LOG_LEVEL: 'info', OVERVIEW_UPSTREAMS: upstreams, OVERVIEW_DESCRIPTION };
      const child = start(SERVER, env);
      t.after(() => child.kill('SIGKILL'));
      const { url, control } = await firstLine(child);
      assert.equal((await (await fetch(`${url}/overview/a1`)).json()).complete, true);
      const { pid, parent, group } = await parentOf(control);
      // What is outside of the tree has neither the service for a parent nor its group.
      assert.deepEqual([parent === child.pid, group === pid], [inside, !inside]);
      child.kill(signal);
      const [code] = await once(child, 'exit');
      assert.equal(code, signal === 'SIGKILL' ? null : 0);
      await untilGone(control);
    });
  }
}

test('upstreams that nobody leased end on a signal', async (t) => {
  const child = start(SIMULATORS, { OVERVIEW_SIMULATOR_PORT: '0' });
  t.after(() => child.kill('SIGKILL'));
  await firstLine(child);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('what cannot be used ends the process with 1 and says why', async (t) => {
  const squatter = createServer().listen(0, '127.0.0.1');
  t.after(() => squatter.close());
  await once(squatter, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (squatter.address());
  const described = { OVERVIEW_DESCRIPTION: await temporaryJson(t, { deadline_ms: 10, blocks: [] }) };
  const hurried = { OVERVIEW_DESCRIPTION: await temporaryJson(t, describePage({ deadline_ms: 100 })) };
  const simulated = {
    OVERVIEW_SIMULATOR_FILE: await temporaryJson(t, { seed: 1, upstreams: { a: { kind: 'uniform' } } }),
  };
  const other = {
    OVERVIEW_SIMULATOR_FILE: await temporaryJson(t, {
      seed: 1,
      upstreams: { a: { kind: 'constant', ms: 1 } },
    }),
  };
  for (const [program, env, reason] of /** @type {[string, Record<string, string>, RegExp][]} */ ([
    [SERVER, { PORT: 'x' }, /^failed to start: PORT must be .*; found "x"\n$/],
    [SERVER, { PORT: `${port}` }, /^failed to start: listen EADDRINUSE: .*\n$/],
    [SERVER, { OVERVIEW_DESCRIPTION: '/nowhere' }, /^failed to start: \/nowhere: ENOENT.*\n$/],
    [SERVER, described, /^failed to start: .*: \/blocks must NOT have fewer than 3 items\n$/],
    [
      SERVER,
      { ...hurried, OVERVIEW_COMPOSITION: 'flow' },
      /in a flow, deadline_ms must be at least 30150, .*; found 100\n$/,
    ],
    [SERVER, other, /there is no upstream "identity"; there are a\n$/],
    [
      SERVER,
      simulated,
      /^failed to start the simulated upstreams: .*upstreams\/a.*\nfailed to start: .*ended with 1/,
    ],
    [SERVER, { OVERVIEW_SIMULATOR_CPUS: 'none' }, /failed to start: .*ended with 1/],
    [SERVER, { OVERVIEW_UPSTREAMS: 'http://127.0.0.1:1' }, /^failed to start: fetch failed\n$/],
    [SIMULATORS, { OVERVIEW_SIMULATOR_PORT: '-1' }, /OVERVIEW_SIMULATOR_PORT must be .*; found "-1"\n$/],
  ])) {
    const child = start(program, { PORT: '0', ...env });
    const stderr = child.stderr.toArray();
    const [code] = await once(child, 'close');
    const text = Buffer.concat(await stderr).toString();
    assert.equal(code, 1, text);
    assert.match(text, reason);
  }
});
