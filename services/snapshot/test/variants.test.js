// @ts-check
/** Every way to read reads everything that is alive, and waits for the dead as often as it says. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startIoc } from '../lab/ioc.js';
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

const LIVE = ['BL:M01', 'BL:C01', 'BL:T01'];
const DEAD = ['BL:GONE01', 'BL:GONE02'];

for (const variant of [oneAtATime, connectAllReadInTurn, connectAllReadInTurnByObjects, allAtOnce]) {
  test(`${variant.name} reads what is alive`, async () => {
    for (const name of LIVE) client.forget(name);
    assert.equal(await variant(client, LIVE, 10_000), LIVE.length);
  });
}

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
    assert.equal(await variant(nobody, DEAD, 5), 0);
    assert.equal(timeouts.mock.callCount(), waits);
  });
}
