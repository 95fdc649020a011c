// @ts-check
/** The crash matrix in short: the whole one is `node services/profile/crash/run.js`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingServers } from '../backing/servers.js';
import { runMatrix } from '../crash/matrix.js';
import { KINDS } from '../crash/world.js';

const missing = missingServers();
if (missing !== undefined && process.env.CI === 'true') throw new Error(missing);
const skip = missing ?? false;

/** @param {import('../crash/matrix.js').Row[]} rows */
const damage = (rows) => rows.map(({ kind, lost, duplicated }) => ({ kind, lost, duplicated }));

test('whatever is killed, no acknowledged turn is lost and none is taken twice', { skip }, async () => {
  const rows = await runMatrix({ kinds: KINDS, times: 2, users: 8, seed: 7 });
  assert.deepEqual(
    damage(rows),
    KINDS.map((kind) => ({ kind, lost: 0, duplicated: 0 })),
  );
});

test('the matrix sees what is lost: turns handed over by ZeroMQ to a persister that dies', {
  skip,
}, async () => {
  const [row] = await runMatrix({
    kinds: ['persister'],
    times: 1,
    users: 8,
    seed: 7,
    handover: 'zeromq',
    // The persister holds what it has for longer than the test takes.
    env: { PROFILE_FLUSH_INTERVAL_MS: '60000' },
  });
  assert.ok(row.lost > 0, 'nothing was lost');
  assert.equal(row.duplicated, 0);
});
