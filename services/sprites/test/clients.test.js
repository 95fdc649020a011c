// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEWARD } from '../src/bus/bus.js';
import { Steward } from '../src/steward/steward.js';
import { parseTicket } from '../src/ticket.js';
import { createWorld, PATIENCE, Reader } from './world.js';

/** A world with a steward and one worker. @param {Parameters<typeof createWorld>[0]} [options] */
function small(options) {
  const world = createWorld(options);
  world.startSteward();
  return { world, clients: world.startWorker() };
}

/** @param {ReturnType<typeof small>} parts @param {number} count */
function joined({ world, clients }, count) {
  const readers = Array.from({ length: count }, () => new Reader(clients).join());
  world.settle();
  return readers;
}

test('client_first_is_in_the_centre_and_alone', () => {
  const [one] = joined(small(), 1);
  assert.deepEqual([one.place.cell, one.place.neighbours], [[0, 0], {}]);
  assert.equal(one.throw('up', 'a'), 'nobody');
});

test('sprite_over_an_edge_comes_in_at_the_opposite_one', () => {
  const parts = small();
  const [one, two] = joined(parts, 2);
  assert.equal(one.throw('right', 'a'), 'thrown');
  parts.world.settle();
  assert.deepEqual(two.sprites, [{ from: 'left', name: 'a' }]);
  assert.equal(one.place.neighbours.right, two.place.you);
  assert.equal(two.place.neighbours.left, one.place.you);
});

test('sprite_to_anyone_reaches_a_client_that_the_steward_has_not_counted', () => {
  const { world, clients } = small();
  const one = new Reader(clients).join();
  assert.equal(clients.crew.people, 0);
  assert.equal(one.throw('anyone', 'a'), 'thrown');
  world.settle();
  assert.deepEqual(one.sprites, [{ from: 'anywhere', name: 'a' }]);
});

test('steward_that_starts_adds_to_those_who_are_known_until_all_have_spoken', () => {
  const { world, clients } = small();
  world.startWorker();
  world.tick();
  const names = () => clients.crew.mates.map(({ name }) => name).sort();
  assert.deepEqual(names(), ['w0', 'w1']);
  world.killSteward();
  /** @type {import('../src/bus/bus.js').Post} */
  const post = (_, ...fields) => clients.receive(STEWARD, fields.map(String));
  const steward = new Steward({ post, patience: PATIENCE });
  steward.receive('w2', ['hello', 'http://w2', '64', '3']);
  steward.tick();
  assert.deepEqual([names(), clients.crew.people], [['w0', 'w1', 'w2'], 3]);
  steward.tick();
  assert.deepEqual(names(), ['w2']);
});

test('sprite_to_anyone_goes_to_each_alike', () => {
  const numbers = [0.1, 0.1, 0.9, 0.6];
  const parts = small({ random: () => numbers.shift() ?? 0 });
  const [one, two] = joined(parts, 2);
  parts.world.tick();
  one.throw('anyone', 'a');
  one.throw('anyone', 'b');
  assert.deepEqual([one.names, two.names], [['a'], ['b']]);
  assert.equal(two.sprites[0].from, 'anywhere');
});

test('client_that_does_not_read_loses_the_oldest_and_is_told', () => {
  const parts = small({ mail: 4 });
  const [one, two] = joined(parts, 2);
  two.reads = false;
  for (let name = 1; name <= 10; name += 1) one.throw('right', name);
  two.read();
  assert.deepEqual([two.names, two.missed, two.after], [['7', '8', '9', '10'], 6, 10]);
});

test('client_that_comes_back_in_time_loses_and_doubles_nothing', () => {
  const parts = small();
  const [one, two] = joined(parts, 2);
  one.throw('right', 1);
  two.drop();
  one.throw('right', 2);
  two.comeBack(parts.clients);
  one.throw('right', 3);
  assert.deepEqual([two.names, two.missed], [['1', '2', '3'], 0]);
});

test('response_that_did_not_arrive_is_given_again', () => {
  const parts = small();
  const [one, two] = joined(parts, 2);
  two.reads = false;
  one.throw('right', 1);
  parts.clients.collect(two.slot);
  two.drop();
  two.reads = true;
  two.comeBack(parts.clients);
  assert.deepEqual(two.names, ['1']);
});

test('client_that_stays_away_leaves_its_cell', () => {
  const parts = small({ grace_ticks: 2 });
  const [one, two] = joined(parts, 2);
  const ticket = parseTicket(two.ticket);
  two.drop();
  parts.world.tick();
  assert.notEqual(parts.clients.find(ticket), -1);
  parts.world.tick();
  assert.equal(parts.clients.find(ticket), -1);
  assert.deepEqual(one.place.neighbours, {});
  assert.equal(parts.world.steward().lattice.size, 1);
});

test('newest_outlet_has_the_client', () => {
  const parts = small();
  const [one] = joined(parts, 1);
  const other = new Reader(parts.clients);
  Object.assign(other, { ticket: one.ticket, after: 0 });
  other.comeBack(parts.clients);
  assert.deepEqual([one.ended, other.slot], ['replaced', 0]);
  one.drop();
  assert.equal(parts.clients.count, 1);
});

test('ticket_with_a_wrong_secret_finds_nobody', () => {
  const parts = small();
  const [one] = joined(parts, 1);
  const ticket = { ...parseTicket(one.ticket), secret: 'f'.repeat(16) };
  assert.equal(parts.clients.find(ticket), -1);
  assert.equal(parts.clients.throwFor(ticket, 'up', '{"name":"a"}'), 'unknown');
  assert.equal(parts.clients.leaveFor(ticket), 'unknown');
  assert.equal(parts.clients.throwFor({ ...ticket, worker: 'elsewhere' }, 'up', '{}'), 'unknown');
  assert.equal(parts.clients.leaveFor({ ...ticket, worker: 'elsewhere' }), 'unknown');
});

test('ticket_that_nobody_knows_makes_a_new_client_with_numbers_of_its_own', () => {
  const parts = small();
  const [one] = joined(parts, 1);
  const stranger = new Reader(parts.clients);
  Object.assign(stranger, { ticket: `gone.0.0.${'1'.repeat(16)}`, after: 50 });
  stranger.comeBack(parts.clients);
  parts.world.settle();
  assert.deepEqual([stranger.after, stranger.restarts], [0, 0]);
  one.throw('right', 'a');
  assert.deepEqual([stranger.names, stranger.missed, stranger.after], [['a'], 0, 1]);
});

test('worker_that_is_full_takes_nobody', () => {
  const parts = small({ capacity: 2 });
  joined(parts, 2);
  const third = new Reader(parts.clients).join();
  assert.deepEqual([third.slot, parts.clients.room], [-1, 0]);
});

test('client_that_is_not_seated_in_time_is_turned_away', () => {
  const parts = small();
  parts.world.killSteward();
  const [one] = joined(parts, 1);
  for (let tick = 0; tick < 10; tick += 1) parts.world.tick();
  assert.deepEqual([one.ended, parts.clients.count], ['busy', 0]);
});

test('while_a_client_waits_long_for_its_seat_no_other_is_taken', () => {
  const parts = small();
  parts.world.killSteward();
  const [one] = joined(parts, 1);
  for (let tick = 0; tick < 5; tick += 1) parts.world.tick();
  joined(parts, 1);
  parts.world.tick();
  const third = new Reader(parts.clients).join();
  assert.deepEqual([third.slot, parts.clients.room, parts.clients.count], [-1, 0, 2]);
  parts.world.startSteward();
  for (let tick = 0; tick < 3; tick += 1) parts.world.tick();
  assert.equal(one.ended, undefined);
  const [last] = joined(parts, 1);
  assert.deepEqual([last.ended, parts.clients.count], [undefined, 3]);
});

test('clients_that_are_turned_away_make_room_for_others', () => {
  const parts = small();
  parts.world.killSteward();
  joined(parts, 3);
  for (let tick = 0; tick < 10; tick += 1) parts.world.tick();
  assert.deepEqual([parts.clients.count, parts.clients.room > 0], [0, true]);
});

test('sprite_posted_at_another_worker_is_thrown_by_the_one_that_holds', () => {
  const parts = small();
  const taker = parts.world.startWorker();
  const [one, two] = joined(parts, 2);
  parts.world.tick();
  assert.equal(taker.throwFor(parseTicket(one.ticket), 'right', '{"name":"a"}'), 'thrown');
  parts.world.settle();
  assert.deepEqual(two.names, ['a']);
  assert.equal(taker.leaveFor(parseTicket(two.ticket)), 'thrown');
  parts.world.settle();
  assert.deepEqual([two.ended, one.place.neighbours], ['gone', {}]);
});

test('client_that_moves_keeps_its_cell_and_what_waits_for_it', () => {
  const parts = small();
  const [one, two, three] = joined(parts, 3);
  const other = parts.world.startWorker();
  two.reads = false;
  one.throw('right', 1);
  two.drop();
  two.reads = true;
  const { cell } = two.place;
  two.comeBack(other);
  one.throw('right', 2);
  parts.world.settle();
  one.throw('right', 3);
  parts.world.settle();
  assert.deepEqual([two.names, two.missed, two.restarts], [['1', '2', '3'], 0, 0]);
  assert.deepEqual(two.place.cell, cell);
  assert.equal(parts.clients.count, 2);
  assert.equal(three.place.neighbours.down, two.place.you);
  two.throw('left', 'back');
  parts.world.settle();
  assert.deepEqual(one.names, ['back']);
});

test('sprite_thrown_with_the_ticket_from_before_a_move_is_sent_on', () => {
  const parts = small();
  const [one, two] = joined(parts, 2);
  const taker = parts.world.startWorker();
  const before = parseTicket(two.ticket);
  parts.world.tick();
  two.drop();
  two.comeBack(parts.world.startWorker());
  parts.world.settle();
  taker.throwFor(before, 'left', '{"name":"a"}');
  taker.throwFor({ ...before, secret: 'f'.repeat(16) }, 'left', '{"name":"b"}');
  parts.world.settle();
  assert.deepEqual([one.names, parts.clients.counts.unknown], [['a'], 1]);
});

test('worker_that_drains_sends_everyone_elsewhere', () => {
  const parts = small();
  const readers = joined(parts, 3);
  const other = parts.world.startWorker();
  assert.equal(parts.clients.drain(2), 3);
  assert.deepEqual(
    readers.map(({ moves }) => moves),
    [1, 1, 0],
  );
  parts.clients.drain(2);
  assert.deepEqual(
    readers.map(({ moves }) => moves),
    [1, 1, 1],
  );
  for (const reader of readers) {
    reader.drop();
    reader.comeBack(other);
  }
  parts.world.settle();
  assert.deepEqual([parts.clients.drain(2), parts.clients.room, other.count], [0, 0, 3]);
  readers[0].throw('right', 'a');
  assert.deepEqual(readers[1].names, ['a']);
});

test('worker_that_crashes_costs_its_own_clients_a_reconnect_and_others_nothing', () => {
  const parts = small();
  const other = parts.world.startWorker();
  const [one] = joined(parts, 1);
  const two = new Reader(other).join();
  parts.world.settle();
  const seen = two.place;
  parts.world.killWorker('w0');
  for (let tick = 0; tick <= PATIENCE.silent_ticks; tick += 1) parts.world.tick();
  two.throw('left', 'into the void');
  one.drop();
  one.comeBack(other);
  parts.world.settle();
  two.throw('left', 'again');
  assert.deepEqual([one.restarts, one.place.cell, one.names], [1, [0, 0], ['again']]);
  assert.deepEqual([two.place.cell, two.ended, two.slot], [seen.cell, undefined, 0]);
});

test('worker_that_crashes_gives_up_its_seats_after_the_grace', () => {
  const parts = small();
  const other = parts.world.startWorker();
  joined(parts, 5);
  const late = new Reader(other).join();
  parts.world.settle();
  parts.world.killWorker('w0');
  parts.world.steward().bury('w0');
  for (let tick = 0; tick < PATIENCE.grace_ticks + 1; tick += 1) parts.world.tick();
  assert.deepEqual([parts.world.steward().lattice.size, late.place.neighbours], [1, {}]);
});

test('worker_that_was_taken_for_dead_is_known_again', () => {
  const parts = small();
  const other = parts.world.startWorker();
  const [one] = joined(parts, 1);
  parts.world.steward().bury('w0');
  assert.equal(parts.world.steward().workers.length, 1);
  parts.world.tick();
  parts.world.tick();
  assert.equal(parts.world.steward().workers.length, 2);
  const two = new Reader(other).join();
  parts.world.settle();
  two.throw('left', 'a');
  parts.world.settle();
  assert.deepEqual(one.names, ['a']);
});

test('message_of_an_unknown_kind_is_an_error', () => {
  const { world, clients } = small();
  assert.throws(() => clients.receive('steward', ['sing']), /unknown kind "sing" from steward/);
  assert.throws(() => world.steward().receive('w0', ['sing']), /unknown kind "sing" from w0/);
});
