// @ts-check
/** How far behind the steward is with the seats that one worker asked for. */

/** For the steward to seat a client. Then the client is turned away and comes again. */
export const SEATING_TICKS = 10;
/** From asking to a seat, when nobody else is asked for: whose turn would come later than that is turned away before. */
const LATE_TICKS = SEATING_TICKS / 2;

export class Backlog {
  #waiting = 0;
  /** Seats that were asked for in each of the last ticks, the current one first. */
  #asked = new Array(LATE_TICKS + 1).fill(0);

  ask() {
    this.#waiting += 1;
    this.#asked[0] += 1;
  }

  /** One has its seat, or wants it no more. */
  settle() {
    this.#waiting -= 1;
  }

  tick() {
    this.#asked.pop();
    this.#asked.unshift(0);
  }

  /** Whether one has waited too long: more are waiting than have asked lately. */
  get isLate() {
    return this.#waiting > this.#asked.reduce((sum, count) => sum + count);
  }
}
