// @ts-check
/** What only shows when the client is held still: one search for all, one deadline for all, and what is forgotten. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChannels } from '../src/ca/channels.js';
import { takeSnapshot } from '../src/snapshot.js';

/** A client whose connections come when the test says so. */
function createSlowClient() {
  /** @type {Map<string, { find: (connection: any) => void, lost: () => void }>} */
  const searching = new Map();
  /** @type {string[]} */
  const forgotten = [];
  return {
    searching,
    forgotten,
    /** @param {string} name @param {() => void} lost @returns {Promise<any>} */
    connect: (name, lost) => new Promise((find) => searching.set(name, { find, lost })),
    /** @param {string} name */
    forget(name) {
      forgotten.push(name);
      searching.get(name)?.find(undefined);
    },
    /** @param {string} name */
    find: (name) => searching.get(name)?.find(connection),
    isOpen: () => true,
    close() {},
  };
}

const reading = { value: 1, severity: /** @type {const} */ ('none'), time: '2026-11-22T00:00:00.000Z' };
const connection = { type: /** @type {const} */ ('double'), read: async () => reading };
const never = new Promise(() => {});

/** @param {ReturnType<typeof createChannels>} channels @param {string} name @returns {Promise<unknown>} */
function lend(channels, name) {
  return channels.lend(name, /** @type {Promise<void>} */ (never), async (connection) => connection);
}

/** @param {number} count */
function names(count) {
  return Array.from({ length: count }, (_, index) => ({ name: `PV${index}`, expected: undefined }));
}

for (const dead of [4, 15]) {
  test(`one deadline is enough for ${dead} dead ones`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const client = createSlowClient();
    const channels = createChannels({ client, limit: 1_000 });
    const taking = takeSnapshot({ channels, wanted: names(97 + dead), timeout_ms: 1_000 });
    for (let index = 0; index < 97; index += 1) client.find(`PV${index}`);
    t.mock.timers.tick(1_000);
    const { counts, pvs } = await taking;
    assert.deepEqual(counts, { ok: 97, disconnected: dead, unreadable: 0, wrong_type: 0 });
    assert.deepEqual(pvs.at(-1), { name: `PV${96 + dead}`, status: 'disconnected' });
    assert.deepEqual(channels.counts(), { connected: 97, searching: 0 });
    assert.equal(client.forgotten.length, dead);
  });
}

test('one that does not respond to its read is unreadable, and stays connected', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const client = createSlowClient();
  const channels = createChannels({ client, limit: 10 });
  const taking = takeSnapshot({ channels, wanted: names(1), timeout_ms: 1_000 });
  client.searching.get('PV0')?.find({ type: 'double', read: () => never });
  await lend(channels, 'PV0');
  t.mock.timers.tick(1_000);
  assert.deepEqual((await taking).pvs, [{ name: 'PV0', status: 'unreadable', type: 'double' }]);
  assert.equal(channels.counts().connected, 1);
});

test('requests share a search, and the last one that gives up ends it', async () => {
  const client = createSlowClient();
  const channels = createChannels({ client, limit: 10 });
  const wanted = names(1);
  const first = new AbortController();
  const second = new AbortController();
  const taking = [first, second].map(({ signal }) =>
    takeSnapshot({ channels, wanted, timeout_ms: 1_000_000, signal }),
  );
  first.abort();
  await taking[0];
  assert.deepEqual(client.forgotten, []);
  second.abort();
  await taking[1];
  assert.deepEqual(client.forgotten, ['PV0']);
});

test('a request that is over before it begins waits for nothing', async () => {
  const channels = createChannels({ client: createSlowClient(), limit: 10 });
  const { pvs } = await takeSnapshot({
    channels,
    wanted: names(1),
    timeout_ms: 1_000_000,
    signal: AbortSignal.abort(),
  });
  assert.equal(pvs[0].status, 'disconnected');
});

test('a lost channel is searched anew', async () => {
  const client = createSlowClient();
  const channels = createChannels({ client, limit: 10 });
  for (let round = 0; round < 2; round += 1) {
    const found = lend(channels, 'PV0');
    client.find('PV0');
    assert.equal(await found, connection);
    client.searching.get('PV0')?.lost();
    assert.deepEqual(channels.counts(), { connected: 0, searching: 0 });
  }
});

test('past the limit the least recently used channel goes', async () => {
  const client = createSlowClient();
  const channels = createChannels({ client, limit: 2 });
  for (const name of ['A', 'B', 'A', 'C']) {
    const found = lend(channels, name);
    client.find(name);
    await found;
  }
  assert.deepEqual(client.forgotten, ['B']);
  channels.clear();
  assert.deepEqual(client.forgotten, ['B', 'A', 'C']);
});

test('past the limit a channel in use stays until it is not', async () => {
  const client = createSlowClient();
  const channels = createChannels({ client, limit: 1 });
  const taking = takeSnapshot({ channels, wanted: names(3), timeout_ms: 1_000_000 });
  for (const { name } of names(3)) client.find(name);
  assert.equal((await taking).counts.ok, 3);
  assert.deepEqual(channels.counts(), { connected: 1, searching: 0 });
});

test('a client that fails fails the request, and the name is free again', async () => {
  let fails = true;
  const channels = createChannels({
    client: {
      connect: async () => {
        if (fails) throw new Error('broken');
        return connection;
      },
      forget() {},
      isOpen: () => true,
      close() {},
    },
    limit: 10,
  });
  await assert.rejects(takeSnapshot({ channels, wanted: names(1), timeout_ms: 1_000_000 }), /broken/);
  fails = false;
  const { counts } = await takeSnapshot({ channels, wanted: names(1), timeout_ms: 1_000_000 });
  assert.equal(counts.ok, 1);
});
