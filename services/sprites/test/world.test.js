// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { opposite, SIDES } from '../src/lattice/spiral.js';
import { createWorld, PATIENCE, Reader } from './world.js';

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('join'), share }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('throw'), share, side: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('leave'), share }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('reconnect'), share, to: share }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('tick') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart steward') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('start worker') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash worker'), share }) },
);

/** @template T @param {T[]} all @param {number} at @returns {T} */
function pick(all, at) {
  return all[Math.floor(at * all.length)];
}

/**
 * Whatever happens to workers and the steward, those who are there see each other from both sides, and each sprite that is
 * thrown at somebody who is there comes once.
 */
test('world_any_history_nothing_is_lost_or_doubled', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world = createWorld({ capacity: 128, mail: 1_000, grace_ticks: 1_000 });
      world.startSteward();
      world.startWorker();
      /** @type {Reader[]} */
      let readers = [];
      let thrown = 0;

      /** @param {number} at */
      const worker = (at) => pick([...world.workers.values()], at).clients;

      for (const { kind, share: at = 0, side = 0, to = 0 } of /** @type {any[]} */ (steps)) {
        if (kind === 'join') readers.push(new Reader(worker(at)).join());
        if (kind === 'tick') world.tick();
        if (kind === 'start worker') world.startWorker();
        if (kind === 'restart steward') {
          world.killSteward();
          world.startSteward();
        }
        if (kind === 'leave' && readers.length > 0) {
          const reader = pick(readers, at);
          readers = readers.filter((other) => other !== reader);
          reader.clients.leaveFor(ticketOf(reader));
        }
        if (kind === 'throw' && readers.length > 0) {
          const reader = pick(readers, at);
          const target = readers.find(({ place }) => place.you === reader.place.neighbours[SIDES[side]]);
          const before = target?.sprites.length;
          thrown += 1;
          const outcome = reader.throw(SIDES[side], thrown);
          world.settle();
          assert.equal(outcome, target === undefined ? 'nobody' : 'thrown');
          if (target !== undefined) {
            assert.deepEqual(target.sprites.slice(before), [
              { from: SIDES[opposite(side)], name: `${thrown}` },
            ]);
          }
        }
        if (kind === 'reconnect' && readers.length > 0) {
          const reader = pick(readers, at);
          reader.drop();
          reader.comeBack(worker(to));
        }
        if (kind === 'crash worker' && world.workers.size > 1) {
          const [name, { clients }] = pick([...world.workers], at);
          world.killWorker(name);
          for (let tick = 0; tick <= PATIENCE.silent_ticks; tick += 1) world.tick();
          for (const reader of readers.filter((other) => other.clients === clients)) {
            reader.slot = -1;
            reader.comeBack(worker(at));
          }
        }
        world.settle();
        inspect(readers, world);
      }
    }),
    { numRuns: 150 },
  );
});

/** @param {Reader} reader */
function ticketOf(reader) {
  const [worker, slot, stamp, secret] = reader.ticket.split('.');
  return { worker, slot: Number(slot), stamp: Number(stamp), secret };
}

/** @param {Reader[]} readers @param {import('./world.js').World} world */
function inspect(readers, world) {
  const { lattice } = world.steward();
  lattice.check();
  assert.equal(lattice.size, readers.length);
  const byAddress = new Map(readers.map((reader) => [reader.place.you, reader]));
  for (const reader of readers) {
    assert.equal(reader.missed, 0);
    for (const [side, address] of Object.entries(reader.place.neighbours)) {
      const back = SIDES[opposite(SIDES.indexOf(/** @type {any} */ (side)))];
      assert.equal(byAddress.get(address)?.place.neighbours[back], reader.place.you);
    }
  }
}
