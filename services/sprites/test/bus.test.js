// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { createBound } from '../src/bus/bound.js';
import { createOutbox, forEachLine } from '../src/bus/bus.js';
import { createNatsBus } from '../src/bus/nats.js';
import { createRedisBus } from '../src/bus/redis.js';
import { readConfig } from '../src/config.js';
import { startSteward } from '../src/steward/start.js';
import { startWorker } from '../src/worker.js';
import { missing, startBus, startEngine } from './engines.js';
import { openHeld, SPRITE } from './support.js';

/** @param {() => boolean} state */
async function until(state) {
  while (!state()) await setImmediate();
}

for (const engine of /** @type {const} */ (['local', 'redis', 'nats'])) {
  const skip = engine === 'local' ? false : missing(engine);

  test(`bus_${engine}_hands_on_to_one_to_the_steward_and_to_all_workers`, { skip }, async (t) => {
    const { open } = await startBus(t, engine);
    /** @type {Record<string, string[]>} */
    const got = { steward: [], a: [], b: [] };
    const ends = await Promise.all(
      Object.keys(got).map((name) => open({ name, receive: (text) => void got[name].push(text), lost() {} })),
    );
    for (let n = 0; n < 100; n += 1) ends[1].send('b', `${n} é`);
    ends[1].send('steward', 'k');
    ends[2].send('nobody', 'x');
    ends[0].send('all', 'all');
    await until(() => got.a.length === 1 && got.b.length === 101 && got.steward.length === 1);
    assert.deepEqual([got.steward, got.a], [['k'], ['all']]);
    assert.deepEqual(
      got.b.filter((text) => text !== 'all'),
      Array.from({ length: 100 }, (_, n) => `${n} é`),
    );
    await Promise.all(ends.map((end) => end.close()));
  });

  test(`workers_on_${engine}_share_the_lattice_and_the_deliveries`, { skip }, async (t) => {
    const { open, server } = await startBus(t, engine);
    const log = pino({ level: 'silent' });
    const config = {
      ...readConfig({ PORT: '0', SPRITES_HELD_PORT: '0', SPRITES_METRICS_PORT: '0', SPRITES_LIMITS: 'off' }),
      tick_ms: 50,
    };
    const steward = await startSteward(config, open);
    t.after(() => steward.stop());
    const [one, two] = await Promise.all(
      ['one', 'two'].map((name) =>
        startWorker({ ...config, name }, { holds: true, takes: false }, open, log),
      ),
    );
    const taker = await startWorker({ ...config, name: 'taker' }, { holds: false, takes: true }, open, log);
    for (const worker of [one, two, taker]) t.after(() => worker.stop());
    await until(() => taker.clients.crew.mates.length === 2);

    const left = await openHeld(/** @type {string} */ (one.heldUrl));
    left.get('/poll?watch');
    const { ticket } = (await left.response()).json;
    const right = await openHeld(/** @type {string} */ (two.heldUrl));
    right.get('/poll');
    await right.response();
    left.get('/poll');
    assert.equal((await left.response()).json.place.neighbours.right, 'two.0.0');
    right.get('/poll');
    /** @param {string} name */
    const post = async (name) => {
      const body = JSON.stringify({ ticket, to: 'right', sprite: { ...SPRITE, name } });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${taker.url}/throw`, { method: 'POST', headers, body })).status;
    };
    assert.equal(await post('a'), 202);
    assert.deepEqual((await right.response()).json.sprites, [{ from: 'left', ...SPRITE, name: 'a' }]);

    if (server === undefined) return;
    // The engine ends and begins again: nobody has to be started, and nobody loses a seat.
    const { lattice } = steward.steward;
    await server.kill();
    await startEngine(t, /** @type {'redis' | 'nats'} */ (engine), server.port);
    right.get('/poll');
    const { counts } = two.clients;
    while (counts.delivered < 2) {
      await post('b');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal((await right.response()).json.sprites[0].name, 'b');
    assert.equal(lattice.size, 2);
  });
}

test('bus_without_its_server_says_where_it_was_sought', async () => {
  const ends = { name: 'a', receive() {}, lost() {} };
  await assert.rejects(
    createRedisBus('redis://me:secret@127.0.0.1:1', 'x')(ends),
    /^Error: Redis at redis:\/\/127\.0\.0\.1:1 /,
  );
  await assert.rejects(
    createNatsBus('nats://me:secret@127.0.0.1:1', 'x')(ends),
    /^Error: NATS at nats:\/\/127\.0\.0\.1:1 /,
  );
});

test('outbox_lines_of_one_turn_travel_together', async () => {
  /** @type {[string, string][]} */
  const sent = [];
  const outbox = createOutbox('me', (to, text) => void sent.push([to, text]));
  outbox.post('a', 'give', 1);
  outbox.post('b', 'any');
  outbox.post('a', 'give', 2);
  await setImmediate();
  assert.deepEqual(sent, [
    ['a', 'me\ngive\t1\ngive\t2'],
    ['b', 'me\nany'],
  ]);
  outbox.post('a', 'x'.repeat(200_000));
  assert.equal(sent.length, 3);
  /** @type {unknown[]} */
  const lines = [];
  forEachLine(sent[0][1], (from, fields) => lines.push([from, ...fields]));
  assert.deepEqual(lines, [
    ['me', 'give', '1'],
    ['me', 'give', '2'],
  ]);
});

test('bound_drops_what_is_too_much_and_says_so_once_there_is_room', () => {
  let lost = 0;
  const bound = createBound(() => {
    lost += 1;
  }, 10);
  assert.deepEqual([bound.takes(6), bound.takes(6), bound.takes(4)], [true, false, true]);
  bound.left(6);
  assert.equal(lost, 0);
  bound.left(4);
  assert.equal(lost, 1);
  assert.equal(bound.takes(10), true);
  bound.left(10);
  assert.equal(lost, 1);
});
