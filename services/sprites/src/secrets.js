// @ts-check
/** Secrets of 16 hexadecimal digits in an array, so that a million of them are nothing that garbage collection looks at. */

/** Two numbers for each. */
const NUMBERS = 2;
const DIGITS = 8;

export class Secrets {
  #numbers;

  /** @param {number} count */
  constructor(count) {
    this.#numbers = new Uint32Array(NUMBERS * count);
  }

  /** @param {number} index @param {string} secret */
  set(index, secret) {
    this.#numbers[NUMBERS * index] = Number.parseInt(secret.slice(0, DIGITS), 16);
    this.#numbers[NUMBERS * index + 1] = Number.parseInt(secret.slice(DIGITS), 16);
  }

  /** @param {number} index */
  at(index) {
    return digits(this.#numbers[NUMBERS * index]) + digits(this.#numbers[NUMBERS * index + 1]);
  }

  /** Room for twice as many. */
  grow() {
    const numbers = new Uint32Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
}

/** @param {number} number */
function digits(number) {
  return number.toString(16).padStart(DIGITS, '0');
}
