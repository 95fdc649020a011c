// @ts-check
/** Both layouts seat their clients, and a server with either says what its collections took. */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { LAYOUTS } from '../idle-gc/layouts.js';

const PLACES = 400;
const CLIENTS = 100;
const SIDES = [0, 1, 2, 3];

for (const [name, make] of Object.entries(LAYOUTS)) {
  test(`${name}_neighbours_are_symmetric_and_taken`, () => {
    const layout = make(PLACES, CLIENTS);
    let found = 0;
    for (let client = 0; client < CLIENTS; client += 1) {
      for (const side of SIDES) {
        const other = layout.neighbour(client, side);
        if (other === -1) continue;
        found += 1;
        assert.ok(other < CLIENTS, `${other} is no client`);
        assert.equal(layout.neighbour(other, (side + 2) % SIDES.length), client);
      }
      layout.keep(client, 'sprite');
      layout.renew(client);
    }
    assert.ok(found > CLIENTS, `only ${found} neighbours`);
  });

  test(`${name}_server_says_what_its_collections_took`, async (t) => {
    const server = new URL('../idle-gc/server.js', import.meta.url);
    // A young generation of a few pages, so that some is collected in no time.
    const child = fork(server, [name, '20000', '10000'], {
      execArgv: ['--expose-gc', '--max-semi-space-size=1'],
    });
    t.after(() => child.kill('SIGKILL'));
    assert.deepEqual((await once(child, 'message'))[0], { ready: true });
    child.send({ throws: true, lasts_ms: 1000 });
    const [busy] = await once(child, 'message');
    assert.ok(busy.longest_ms > 0, JSON.stringify(busy));
    assert.ok(busy.stopped_ms >= busy.longest_ms && busy.lasted_ms >= 1000 && busy.heap_bytes > 0);
    child.send({ collect: true });
    const [{ full_ms }] = await once(child, 'message');
    assert.ok(full_ms > 0);
  });
}
