// @ts-check
/** The chat as users see it: over Socket.IO, several of them, with right and wrong input. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { test } from 'node:test';
import { start } from './support.js';

test('bookmarks_are_added_found_and_removed', async (t) => {
  const { join } = await start(t);
  const { say } = await join('ada');
  const added = await say('add https://nodejs.org/api/ Node.js API #docs #js');
  assert.equal(added.ok, true);
  assert.equal(added.text, 'added 1 Node.js API https://nodejs.org/api/ #docs #js');
  await say('add https://sqlite.org/ SQLite #docs');
  for (const [line, ids] of /** @type {[string, number[]][]} */ ([
    ['search #docs', [2, 1]],
    ['search NODE', [1]],
    ['search node #docs', [1]],
    ['search sqlite.org', [2]],
    ['search #doc', []],
    ['search %', []],
    ['search _ode', []],
  ])) {
    const found = await say(line);
    assert.deepEqual(
      found.bookmarks.map((/** @type {{ id: number }} */ { id }) => id),
      ids,
      line,
    );
  }
  assert.equal((await say('search nothing')).text, 'nothing found');
  assert.equal((await say('remove 1')).text, 'removed 1');
  assert.equal((await say('remove 1')).code, 'no_such_bookmark');
  assert.match((await say('help')).text, /^add URL/);
});

test('a_second_bookmark_of_the_same_url_replaces_the_first', async (t) => {
  const { join } = await start(t);
  const { say } = await join('ada');
  await say('add https://a.test/ old #x');
  const again = await say('add https://a.test/ new');
  assert.deepEqual(
    [again.bookmarks[0].id, again.bookmarks[0].title, again.bookmarks[0].tags],
    [1, 'new', []],
  );
});

test('users_see_their_own_bookmarks_alone', async (t) => {
  const { join } = await start(t);
  const [ada, bob] = [await join('ada'), await join('bob')];
  await ada.say('add https://a.test/');
  assert.deepEqual((await bob.say('search a.test')).bookmarks, []);
  assert.equal((await bob.say('remove 1')).code, 'no_such_bookmark');
  assert.equal((await bob.say('export')).text, '0 bookmarks in bookmarks.json');
  assert.equal((await ada.say('search a.test')).bookmarks.length, 1);
});

test('other_devices_of_a_user_are_told_of_changes', async (t) => {
  const { join } = await start(t);
  const [phone, laptop, bob] = [await join('ada'), await join('ada'), await join('bob')];
  bob.socket.on('changed', () => assert.fail('that is for ada'));
  const told = laptop.next('changed');
  await phone.say('add https://a.test/');
  assert.deepEqual(await told, { text: 'added 1 https://a.test/' });
  await bob.say('help');
});

test('a_line_without_acknowledgement_is_replied_to_by_an_event', async (t) => {
  const { join } = await start(t);
  const { socket, next } = await join('ada');
  const said = next('said');
  socket.emit('say', 'remove 9');
  assert.equal((await said).code, 'no_such_bookmark');
});

test('exports_are_json_and_what_browsers_import', async (t) => {
  const { join } = await start(t);
  const { say } = await join('ada');
  await say('add https://a.test/?x=1&y=2 <b>"bold"</b> & more #one #two');
  await say('add https://b.test/');
  const json = (await say('export')).file;
  assert.equal(json.type, 'application/json');
  const { bookmarks } = JSON.parse(json.content);
  assert.deepEqual(
    bookmarks.map((/** @type {{ url: string }} */ { url }) => url),
    ['https://a.test/?x=1&y=2', 'https://b.test/'],
  );
  const html = (await say('export html')).file;
  assert.equal(html.name, 'bookmarks.html');
  assert.match(html.content, /^<!DOCTYPE NETSCAPE-Bookmark-file-1>\n/);
  const lines = html.content.split('\n').filter((/** @type {string} */ line) => line.includes('<DT>'));
  const added_s = Math.floor(bookmarks[0].added_ms / 1000);
  assert.equal(
    lines[0],
    `    <DT><A HREF="https://a.test/?x=1&amp;y=2" ADD_DATE="${added_s}" TAGS="one,two">&lt;b&gt;&quot;bold&quot;&lt;/b&gt; &amp; more</A>`,
  );
  assert.match(lines[1], />https:\/\/b\.test\/<\/A>$/);
});

test('wrong_users_are_not_connected', async (t) => {
  const { client } = await start(t);
  for (const user of [undefined, '', 'Ada', 'a'.repeat(33), 7, { toString: 'ada' }]) {
    const error = await new Promise((resolve, reject) => {
      const socket = client(user);
      socket.once('connect', () => reject(new Error(`${user} was let in`)));
      socket.once('connect_error', resolve);
    });
    assert.match(error.message, /expected `auth: \{ user \}`/);
  }
});

test('wrong_lines_leave_the_connection_as_it_is', async (t) => {
  const { join } = await start(t);
  const { say } = await join('ada');
  for (const line of [undefined, null, 7, [], { name: 'add' }, Buffer.from('help'), 'x'.repeat(5000)]) {
    assert.equal((await say(line)).code, 'invalid_line');
  }
  assert.equal((await say('nonsense')).code, 'unknown_command');
  assert.equal((await say("add https://a.test/ '); DROP TABLE bookmarks; --")).ok, true);
  assert.equal((await say("search ');")).bookmarks.length, 1);
});

test('a_user_keeps_no_more_than_is_allowed', async (t) => {
  const { join } = await start(t, { BOOKMARKS_MOST: '2' });
  const { say } = await join('ada');
  await say('add https://a.test/');
  await say('add https://b.test/');
  assert.equal((await say('add https://c.test/')).code, 'too_many_bookmarks');
  assert.equal((await say('add https://b.test/ again')).ok, true);
});

test('bookmarks_are_there_after_a_restart', async (t) => {
  const directory = await mkdtemp(pathOf(tmpdir(), 'bookmarks-test-'));
  t.after(() => rm(directory, { recursive: true }));
  const env = { BOOKMARKS_FILE: pathOf(directory, 'bookmarks.db') };
  const first = await start(t, env);
  const ada = await first.join('ada');
  await ada.say('add https://a.test/ kept');
  await first.stop();
  const second = await start(t, env);
  const again = await second.join('ada');
  assert.equal((await again.say('search kept')).bookmarks.length, 1);
});

test('the_platform_sees_health_and_metrics', async (t) => {
  const { url, join } = await start(t);
  const { say } = await join('ada');
  await say('help');
  await say('nonsense');
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${url}/nothing`)).status, 404);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /bookmarks_clients 1\n/);
  assert.match(metrics, /bookmarks_replies_total\{result="done"\} 1\n/);
  assert.match(metrics, /bookmarks_replies_total\{result="refused"\} 1\n/);
});
