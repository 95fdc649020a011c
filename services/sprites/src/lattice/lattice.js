// @ts-check
/**
 * Who is next to whom: members on the cells of a spiral, which stays compact as they come and go. Each operation takes
 * the same time however many there are, and leaving moves at most two others. How and why is in the README.
 *
 * It must not know clients, workers or messages. A member is a whole number that the caller chose, from 0 and dense:
 * arrays are indexed by it.
 */

import { cellAt, STEP_X, STEP_Y, xOf, yOf } from './spiral.js';

/** For “no member”. */
export const NOBODY = -1;

const FIRST_CAPACITY = 1024;

export class Lattice {
  /** By cell below the extent: its member, or `~p` where it is the hole at position p of `#holes`. */
  #cells = new Int32Array(FIRST_CAPACITY);
  /** By member: its cell, or -1. */
  #places = new Int32Array(FIRST_CAPACITY).fill(-1);
  /** Cells below the extent that nobody has. No two of them touch, not even by a corner. */
  #holes = new Int32Array(FIRST_CAPACITY);
  #holeCount = 0;
  #extent = 0;

  /** Cells that the last operation filled or emptied. @type {number[]} */
  changed = [];

  /** How many members there are. */
  get size() {
    return this.#extent - this.#holeCount;
  }

  /** Members and holes: the cells below this number are in use. */
  get extent() {
    return this.#extent;
  }

  get holes() {
    return this.#holeCount;
  }

  /** @param {number} member @returns {number} its cell, or -1 */
  cellOf(member) {
    return member < this.#places.length ? this.#places[member] : -1;
  }

  /** @param {number} cell @returns {number} `NOBODY` for a hole, and beyond the extent */
  memberAt(cell) {
    return cell < this.#extent ? Math.max(this.#cells[cell], NOBODY) : NOBODY;
  }

  /**
   * The neighbour on a side: the next cell, or the one behind it if the next is a hole. Whose neighbour one is, that is
   * its own on the opposite side.
   * @param {number} member
   * @param {number} side
   */
  neighbour(member, side) {
    return this.#seenFrom(this.#places[member], side);
  }

  /** Seats a member that has no cell. @param {number} member @returns {number} its cell */
  join(member) {
    this.changed.length = 0;
    if (this.cellOf(member) !== -1) throw new RangeError(`member ${member} has a cell already`);
    let cell = this.#extent;
    if (this.#holeCount > 0) {
      this.#holeCount -= 1;
      cell = this.#holes[this.#holeCount];
    } else {
      if (cell === this.#cells.length) this.#cells = grown(this.#cells, cell + 1, 0);
      this.#extent += 1;
    }
    this.#put(member, cell);
    return cell;
  }

  /** Frees the cell of a member. @param {number} member */
  leave(member) {
    this.changed.length = 0;
    const cell = this.cellOf(member);
    if (cell === -1) throw new RangeError(`member ${member} has no cell`);
    this.#places[member] = -1;
    this.changed.push(cell);
    const last = this.#extent - 1;
    if (cell === last) this.#extent = last;
    else if (this.#touchesHole(cell)) this.#moveLastTo(cell);
    else this.#dig(cell);
    this.#settleEnd();
  }

  /**
   * Calls with each member whose neighbours the last operation may have changed; some more than once.
   * @param {(member: number) => void} visit
   */
  forTouched(visit) {
    for (const cell of this.changed) this.#forAround(cell, visit);
  }

  /** Calls with a member and each of its neighbours. @param {number} member @param {(member: number) => void} visit */
  forAround(member, visit) {
    this.#forAround(this.#places[member], visit);
  }

  /** Throws if what is promised does not hold. For tests: it looks at every cell. */
  check() {
    let holes = 0;
    for (let cell = 0; cell < this.#extent; cell += 1) {
      const content = this.#cells[cell];
      if (content >= 0) {
        if (this.#places[content] !== cell)
          throw new Error(`cell ${cell} has member ${content}, who is elsewhere`);
        continue;
      }
      holes += 1;
      if (this.#holes[~content] !== cell) throw new Error(`hole ${cell} is not among the holes`);
      if (this.#touchesHole(cell)) throw new Error(`hole ${cell} touches another`);
      if (cell >= this.#extent - 2) throw new Error(`hole ${cell} is at the end, ${this.#extent}`);
    }
    if (holes !== this.#holeCount) throw new Error(`${holes} holes, ${this.#holeCount} counted`);
  }

  /** @param {number} member @param {number} cell */
  #put(member, cell) {
    if (member >= this.#places.length) this.#places = grown(this.#places, member + 1, -1);
    this.#cells[cell] = member;
    this.#places[member] = cell;
    this.changed.push(cell);
  }

  /** @param {number} cell */
  #dig(cell) {
    if (this.#holeCount === this.#holes.length) this.#holes = grown(this.#holes, this.#holeCount + 1, 0);
    this.#holes[this.#holeCount] = cell;
    this.#cells[cell] = ~this.#holeCount;
    this.#holeCount += 1;
  }

  /** Takes a hole off the list of holes: the last one takes its position. @param {number} cell */
  #undig(cell) {
    const position = ~this.#cells[cell];
    this.#holeCount -= 1;
    const other = this.#holes[this.#holeCount];
    this.#holes[position] = other;
    this.#cells[other] = ~position;
  }

  /** Moves the member of the last cell, which gives up that cell. @param {number} cell */
  #moveLastTo(cell) {
    this.#extent -= 1;
    this.changed.push(this.#extent);
    this.#put(this.#cells[this.#extent], cell);
  }

  /** Holes do not touch, so what this leaves behind needs no second look. */
  #settleEnd() {
    if (this.#isHole(this.#extent - 1)) {
      this.#undig(this.#extent - 1);
      this.#extent -= 1;
    }
    if (this.#isHole(this.#extent - 2)) {
      const cell = this.#extent - 2;
      this.#undig(cell);
      this.#moveLastTo(cell);
    }
  }

  /** @param {number} cell */
  #isHole(cell) {
    return cell >= 0 && cell < this.#extent && this.#cells[cell] < 0;
  }

  /** Whether one of the eight cells around is a hole. @param {number} cell */
  #touchesHole(cell) {
    if (this.#holeCount === 0) return false;
    const x = xOf(cell);
    const y = yOf(cell);
    for (let dy = -1; dy <= 1; dy += 1) {
      for (let dx = -1; dx <= 1; dx += 1) {
        if ((dx !== 0 || dy !== 0) && this.#isHole(cellAt(x + dx, y + dy))) return true;
      }
    }
    return false;
  }

  /** @param {number} cell @param {(member: number) => void} visit */
  #forAround(cell, visit) {
    const member = this.memberAt(cell);
    if (member !== NOBODY) visit(member);
    for (let side = 0; side < 4; side += 1) {
      const neighbour = this.#seenFrom(cell, side);
      if (neighbour !== NOBODY) visit(neighbour);
    }
  }

  /** @param {number} cell @param {number} side */
  #seenFrom(cell, side) {
    const x = xOf(cell);
    const y = yOf(cell);
    const next = cellAt(x + STEP_X[side], y + STEP_Y[side]);
    if (!this.#isHole(next)) return this.memberAt(next);
    return this.memberAt(cellAt(x + 2 * STEP_X[side], y + 2 * STEP_Y[side]));
  }
}

/** A copy with room for `least`, and twice what there was. @param {Int32Array} from @param {number} least @param {number} rest */
function grown(from, least, rest) {
  const to = new Int32Array(Math.max(least, from.length * 2)).fill(rest, from.length);
  to.set(from);
  return to;
}
