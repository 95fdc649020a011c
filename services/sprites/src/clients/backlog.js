// @ts-check
/** How far behind the steward is with the seats that one worker asked for. */

/** From asking to a seat. A client asked for later would be turned away before its turn comes. */
const LATE_TICKS = 5;

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
