// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Lattice, NOBODY } from '../src/lattice/lattice.js';
import { cellAt, opposite, STEP_X, STEP_Y, xOf, yOf } from '../src/lattice/spiral.js';

const FARTHEST = 2 ** 30;
const anyCell = fc.integer({ min: 0, max: FARTHEST });

/** Joins, and leaves of one of those who are there: which one is a share of their number, so that a run can be shortened. */
const comings = fc.array(fc.option(fc.double({ min: 0, max: 0.999, noNaN: true })), { maxLength: 300 });

/**
 * Plays joins and leaves, and looks at the lattice after each.
 * @param {(number | null)[]} steps null: a join
 * @param {(lattice: Lattice, members: number[], before: Map<number, number[]>) => void} look
 */
function play(steps, look) {
  const lattice = new Lattice();
  /** @type {number[]} */
  const members = [];
  let next = 0;
  for (const share of steps) {
    const before = new Map(members.map((member) => [member, view(lattice, member)]));
    if (share === null || members.length === 0) {
      members.push(next);
      lattice.join(next);
      next += 1;
    } else {
      const [gone] = members.splice(Math.floor(share * members.length), 1);
      lattice.leave(gone);
    }
    look(lattice, members, before);
  }
}

/** @param {Lattice} lattice @param {number} member */
function view(lattice, member) {
  return [0, 1, 2, 3].map((side) => lattice.neighbour(member, side));
}

/** @param {(lattice: Lattice, members: number[], before: Map<number, number[]>) => void} look */
function holds(look) {
  fc.assert(fc.property(comings, (steps) => play(steps, look)));
}

test('spiral_any_cell_has_coordinates_of_its_own', () => {
  fc.assert(fc.property(anyCell, (cell) => assert.equal(cellAt(xOf(cell), yOf(cell)), cell)));
});

test('spiral_successive_cells_touch', () => {
  fc.assert(
    fc.property(anyCell, (cell) => {
      const distance = Math.abs(xOf(cell + 1) - xOf(cell)) + Math.abs(yOf(cell + 1) - yOf(cell));
      assert.equal(distance, 1);
    }),
  );
});

test('spiral_opposite_sides_undo_each_other', () => {
  for (let side = 0; side < 4; side += 1) {
    assert.deepEqual([STEP_X[side] + STEP_X[opposite(side)], STEP_Y[side] + STEP_Y[opposite(side)]], [0, 0]);
  }
});

test('lattice_any_history_keeps_its_promises', () => {
  holds((lattice, members) => {
    lattice.check();
    assert.equal(lattice.size, members.length);
    for (const member of members) assert.equal(lattice.memberAt(lattice.cellOf(member)), member);
  });
});

test('lattice_any_history_neighbours_are_symmetric', () => {
  holds((lattice, members) => {
    for (const member of members) {
      for (let side = 0; side < 4; side += 1) {
        const neighbour = lattice.neighbour(member, side);
        if (neighbour !== NOBODY) assert.equal(lattice.neighbour(neighbour, opposite(side)), member);
      }
    }
  });
});

test('lattice_any_history_everybody_can_be_reached', () => {
  holds((lattice, members) => {
    const reached = new Set(members.slice(0, 1));
    for (const member of reached) {
      for (const neighbour of view(lattice, member)) if (neighbour !== NOBODY) reached.add(neighbour);
    }
    assert.equal(reached.size, members.length);
  });
});

test('lattice_any_history_holes_are_at_most_a_quarter', () => {
  holds((lattice) => {
    const side = Math.ceil(Math.sqrt(lattice.extent));
    assert.ok(lattice.holes <= ((side + 1) / 2) ** 2, `${lattice.holes} of ${lattice.extent}`);
  });
});

test('lattice_any_operation_moves_at_most_two_others', () => {
  fc.assert(
    fc.property(comings, (steps) => {
      const cells = new Map();
      play(steps, (lattice, members) => {
        const moved = members.filter(
          (member) => cells.has(member) && cells.get(member) !== lattice.cellOf(member),
        );
        assert.ok(moved.length <= 2, `${moved.length} moved`);
        for (const member of members) cells.set(member, lattice.cellOf(member));
      });
    }),
  );
});

test('lattice_any_operation_names_all_whose_neighbours_changed', () => {
  holds((lattice, members, before) => {
    const touched = new Set();
    lattice.forTouched((member) => touched.add(member));
    for (const member of members) {
      const same = before.get(member)?.every((other, side) => other === lattice.neighbour(member, side));
      if (same !== true) assert.ok(touched.has(member), `member ${member} is not told`);
    }
  });
});

test('lattice_leave_then_join_fills_the_hole', () => {
  const lattice = new Lattice();
  for (let member = 0; member < 25; member += 1) lattice.join(member);
  lattice.leave(8);
  assert.equal(lattice.holes, 1);
  assert.equal(lattice.join(100), 8);
  assert.equal(lattice.holes, 0);
});

test('lattice_neighbour_behind_a_hole_is_seen_over_it', () => {
  const lattice = new Lattice();
  for (let member = 0; member < 25; member += 1) lattice.join(member);
  lattice.leave(0);
  assert.deepEqual([lattice.neighbour(5, 1), lattice.neighbour(1, 3)], [1, 5]);
});

test('lattice_around_a_member_are_itself_and_its_neighbours', () => {
  const lattice = new Lattice();
  for (let member = 0; member < 4; member += 1) lattice.join(member);
  /** @type {number[]} */
  const around = [];
  lattice.forAround(0, (member) => around.push(member));
  assert.deepEqual(around, [0, 3, 1]);
});

test('lattice_wrong_member_is_refused', () => {
  const lattice = new Lattice();
  lattice.join(0);
  assert.throws(() => lattice.join(0), /member 0 has a cell already/);
  assert.throws(() => lattice.leave(1), /member 1 has no cell/);
  assert.equal(lattice.neighbour(0, 2), NOBODY);
});

test('lattice_thousands_come_and_go_and_it_stays_compact', () => {
  const lattice = new Lattice();
  const members = Array.from({ length: 5_000 }, (_, member) => member);
  for (const member of members) lattice.join(member);
  while (members.length > 3) lattice.leave(/** @type {number} */ (members.shift()));
  lattice.check();
  assert.ok(lattice.extent <= 5, `${lattice.extent} cells for 3 members`);
});
