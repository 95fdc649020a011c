// @ts-check
/** Every way to read reads the same of everything that is alive, and waits for the dead as often as it says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startIoc } from '../lab/ioc.js';
import { aProcessEach } from '../lab/processes.js';
import { aThreadEach, openPool } from '../lab/threads.js';
import {
  allAtOnce,
  connectAllReadInTurn,
  connectAllReadInTurnByObjects,
  oneAtATime,
} from '../lab/variants.js';
import { openClient } from '../src/ca/client.js';

/** @type {import('../lab/ioc.js').Ioc} */
let ioc;
/** @type {import('../src/ca/client.js').Client} */
let client;
before(async () => {
  ioc = await startIoc();
  client = await openClient({ ca_addresses: ['127.0.0.1'], ca_port: ioc.port });
});
after(async () => {
  client.close();
  await ioc.stop();
});

const LIVE = ['BL:M01', 'BL:C01', 'BL:T01', 'BL:S01', 'BL:W01'];
const DEAD = ['BL:GONE01', 'BL:GONE02'];

/** @typedef {import('../lab/variants.js').Variant} Variant */

/** What every way knows of a process variable. @param {Awaited<ReturnType<Variant>>} read */
const seen = (read) =>
  [...read].map(([name, { value, severity, time }]) => ({ name, value, severity, time }));

/** @param {Variant} variant */
async function readsTheSame(variant) {
  for (const name of LIVE) client.forget(name);
  const expected = seen(await oneAtATime(client, LIVE, 10_000));
  assert.deepEqual(
    expected.map(({ name }) => name),
    LIVE,
  );
  for (const name of LIVE) client.forget(name);
  const found = seen(await variant(client, LIVE, 10_000));
  assert.deepEqual(
    found.toSorted((a, b) => LIVE.indexOf(a.name) - LIVE.indexOf(b.name)),
    expected,
  );
}

const addresses = () => ({ ca_addresses: ['127.0.0.1'], ca_port: ioc.port });

for (const variant of [connectAllReadInTurn, connectAllReadInTurnByObjects, allAtOnce]) {
  test(`${variant.name} reads what one at a time reads`, () => readsTheSame(variant));
}

test('a process each reads what one at a time reads', () => readsTheSame(aProcessEach(ioc.env)));

test('a thread each reads what one at a time reads', () => readsTheSame(aThreadEach(addresses())));

test('a pool of threads reads what one at a time reads, again and again', async () => {
  const pool = await openPool(addresses(), 2);
  try {
    await readsTheSame(pool.read);
    await readsTheSame(pool.read);
  } finally {
    await pool.close();
  }
});

test('processes and threads read nothing of the dead', async () => {
  assert.equal((await aProcessEach(ioc.env)(client, DEAD, 50)).size, 0);
  assert.equal((await aThreadEach(addresses())(client, DEAD, 50)).size, 0);
});

test('a value that changes is seen by a process each', async () => {
  const read = aProcessEach(ioc.env);
  ioc.set('BL:T02', 'a "quoted" text\\');
  let reading;
  do reading = (await read(client, ['BL:T02'], 10_000)).get('BL:T02');
  while (reading?.value !== 'a "quoted" text\\');
});

for (const [variant, waits] of /** @type {[typeof allAtOnce, number][]} */ ([
  [oneAtATime, 2],
  [connectAllReadInTurn, 2],
  [connectAllReadInTurnByObjects, 4],
  [allAtOnce, 1],
])) {
  test(`${variant.name} waits ${waits} timeouts for two dead ones`, async (t) => {
    const timeouts = t.mock.method(globalThis, 'setTimeout');
    /** @type {import('../src/ca/client.js').Client} */
    const nobody = { connect: () => new Promise(() => {}), forget() {}, isOpen: () => true, close() {} };
    assert.equal((await variant(nobody, DEAD, 5)).size, 0);
    assert.equal(timeouts.mock.callCount(), waits);
  });
}
