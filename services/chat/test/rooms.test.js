// @ts-check
/** The chat as members see it, with right and wrong input. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start } from './support.js';

test('what_is_said_goes_to_the_others_in_the_room', async (t) => {
  const { join } = await start(t);
  const [ada, bob, eve] = [await join('ada'), await join('bob'), await join('eve', 'garden')];
  assert.deepEqual(await ada.next(), ['came', 'bob']);
  assert.deepEqual(await ada.ask('say', 'hello'), { ok: true, room: 'hall' });
  assert.deepEqual(await bob.next(), ['said', { from: 'ada', text: 'hello' }]);
  // Who says it is not told, nor is who is elsewhere.
  await Promise.all([ada.ask('who'), eve.ask('who')]);
  assert.deepEqual([ada.heard, eve.heard], [[], []]);
});

test('members_come_move_and_go', async (t) => {
  const { join } = await start(t);
  const [ada, bob] = [await join('ada'), await join('bob')];
  assert.deepEqual(await ada.next(), ['came', 'bob']);
  assert.deepEqual((await ada.ask('who')).members, ['ada', 'bob']);
  assert.deepEqual(await bob.ask('move', 'garden'), { ok: true, room: 'garden' });
  assert.deepEqual(await ada.next(), ['gone', 'bob']);
  assert.deepEqual((await bob.ask('who')).members, ['bob']);
  await bob.ask('move', 'hall');
  assert.deepEqual(await ada.next(), ['came', 'bob']);
  bob.socket.disconnect();
  assert.deepEqual(await ada.next(), ['gone', 'bob']);
  assert.deepEqual((await ada.ask('who')).members, ['ada']);
});

test('what_is_wrong_is_refused_in_words', async (t) => {
  const { join } = await start(t);
  const ada = await join('ada');
  for (const [event, said, code] of /** @type {[string, unknown, string][]} */ ([
    ['say', '', 'invalid_text'],
    ['say', 'x'.repeat(1001), 'invalid_text'],
    ['say', { text: 'x' }, 'invalid_text'],
    ['move', 'The Garden', 'invalid_room'],
    ['move', undefined, 'invalid_room'],
  ])) {
    assert.equal((await ada.ask(event, said)).code, code, `${event} ${said}`);
  }
  // Without an acknowledgement nobody is told.
  ada.socket.emit('say', '');
  ada.socket.emit('say');
  assert.equal((await ada.ask('say', 'x'.repeat(1000))).ok, true);
});

test('who_has_no_name_or_room_is_not_let_in', async (t) => {
  const { join } = await start(t);
  for (const [name, room] of [
    ['', 'hall'],
    ['Ada Lovelace', 'hall'],
    ['ada', ''],
  ]) {
    await assert.rejects(join(name, room), /expected `auth: \{ name, room \}`/);
  }
});

test('the_platform_sees_whether_it_is_ready_and_who_is_there', async (t) => {
  const { url, join } = await start(t);
  const ada = await join('ada');
  await ada.ask('say', 'hello');
  assert.equal(await (await fetch(`${url}/health/ready`)).text(), 'ready\n');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /^chat_clients 1$/m);
  assert.match(metrics, /^chat_replies_total\{result="done"\} 1$/m);
  assert.equal((await fetch(`${url}/socket.io/?EIO=4&transport=polling`)).status, 400);
});
