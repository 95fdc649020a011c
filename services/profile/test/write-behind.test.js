// @ts-check
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openSqliteStore } from '../src/store/sqlite.js';
import { createWriteBehind } from '../src/write-behind.js';

/** @import { ProfileChange } from '../src/ports.js' */

/**
 * A queue before a real database, which notes the batches that reach it and fails when it is told to.
 * @param {import('node:test').TestContext} t
 * @param {Partial<Parameters<typeof createWriteBehind>[0]>} [options]
 */
async function queueBeforeStore(t, options = {}) {
  const store = await openSqliteStore(':memory:');
  t.after(() => store.close());
  const disk = { full: false, batches: /** @type {ProfileChange[][]} */ ([]), events: new EventTarget() };
  const errors = /** @type {unknown[]} */ ([]);
  const queue = createWriteBehind({
    store: {
      async writeProfiles(changes) {
        disk.batches.push(changes);
        if (disk.full) throw new Error('disk full');
        await store.writeProfiles(changes);
        disk.events.dispatchEvent(new Event('written'));
      },
    },
    interval_ms: 1,
    batch: 10,
    limit: 100,
    onError: (error) => {
      errors.push(error);
      disk.events.dispatchEvent(new Event('failed'));
    },
    ...options,
  });
  return { store, disk, errors, queue };
}

/** @param {number} number @param {number} [version] @returns {ProfileChange} */
const change = (number, version = 1) => ({ id: `p${number}`, version, text: `${number}.${version}` });

test('changes are stored on a later turn of the loop, in batches', async (t) => {
  const { store, disk, queue } = await queueBeforeStore(t);
  for (let number = 0; number < 25; number += 1) queue.add(change(number));
  assert.equal(disk.batches.length, 0, 'stored before the response could be sent');
  assert.equal(queue.size(), 25);
  await queue.drain();
  assert.deepEqual(
    disk.batches.map(({ length }) => length),
    [10, 10, 5],
  );
  assert.equal(await store.readProfile('p24'), '24.1');
  assert.equal(queue.size(), 0);
  assert.deepEqual(queue.counts, { batches: 3, profiles: 25, failures: 0 });
});

test('nobody has to ask for a flush', async (t) => {
  const { store, disk, queue } = await queueBeforeStore(t);
  queue.add(change(1));
  await once(disk.events, 'written');
  assert.equal(await store.readProfile('p1'), '1.1');
});

test('several changes of one profile become one write of the last', async (t) => {
  const { store, disk, queue } = await queueBeforeStore(t);
  for (let version = 1; version <= 5; version += 1) queue.add(change(7, version));
  await queue.drain();
  assert.deepEqual(disk.batches, [[change(7, 5)]]);
  assert.equal(await store.readProfile('p7'), '7.5');
});

test('a change is pending until it is stored, also while it is being written', async (t) => {
  const { queue } = await queueBeforeStore(t);
  queue.add(change(1));
  assert.deepEqual(queue.pending('p1'), change(1));
  const drained = queue.drain();
  assert.deepEqual(queue.pending('p1'), change(1));
  queue.add(change(1, 2));
  assert.deepEqual(queue.pending('p1'), change(1, 2));
  await drained;
  assert.equal(queue.pending('p1'), undefined);
});

test('what the store refuses is kept, under what came after it, and tried again', async (t) => {
  const { store, disk, errors, queue } = await queueBeforeStore(t);
  disk.full = true;
  queue.add(change(1));
  queue.add(change(2));
  await once(disk.events, 'failed');
  queue.add(change(1, 2));
  assert.equal(queue.size(), 2);
  assert.equal(/** @type {Error} */ (errors[0]).message, 'disk full');
  await assert.rejects(queue.drain(), /disk full/);
  disk.full = false;
  await queue.drain();
  assert.deepEqual([await store.readProfile('p1'), await store.readProfile('p2')], ['1.2', '2.1']);
  assert.ok(queue.counts.failures >= 2);
});

test('it is full at its limit', async (t) => {
  const { queue } = await queueBeforeStore(t, { limit: 2 });
  queue.add(change(1));
  assert.equal(queue.full(), false);
  queue.add(change(2));
  assert.equal(queue.full(), true);
  await queue.drain();
  assert.equal(queue.full(), false);
});
