// @ts-check
/** The workers that hold clients, as the steward last said: where they are, how many clients and how much room each has. */

/** @typedef {{ name: string, url: string, people: number, room: number }} Mate */

export class Crew {
  #random;
  /** @type {Map<string, Mate>} */
  #mates = new Map();
  /** Every name that was ever heard, so that arrays can have a number in its place. @type {string[]} */
  #names = [];
  /** @type {Map<string, number>} */
  #indexes = new Map();
  people = 0;

  /** @param {() => number} random */
  constructor(random) {
    this.#random = random;
  }

  /** These are all. @param {string[]} texts of `mateText` */
  replace(texts) {
    this.#mates.clear();
    this.update(texts);
  }

  /** These are some of them. @param {string[]} texts of `mateText` */
  update(texts) {
    for (const text of texts) {
      const [name, people, room, url] = text.split(' ');
      this.#mates.set(name, { name, url, people: Number(people), room: Number(room) });
    }
    this.people = 0;
    for (const { people } of this.#mates.values()) this.people += people;
  }

  /** @param {string} name */
  has(name) {
    return this.#mates.has(name);
  }

  get mates() {
    return [...this.#mates.values()];
  }

  /** @param {string} name */
  indexOf(name) {
    let index = this.#indexes.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#indexes.set(name, index);
    }
    return index;
  }

  /** @param {number} index */
  nameOf(index) {
    return this.#names[index];
  }

  /** A worker, each as likely as it has people. */
  anyByPeople() {
    return this.#any(this.people, (mate) => mate.people)?.name;
  }

  /** A worker, each as likely as it has room: so clients that come at once spread until the next count. */
  anyByRoom() {
    let room = 0;
    for (const mate of this.#mates.values()) room += mate.room;
    return this.#any(room, (mate) => mate.room);
  }

  /** @param {number} sum @param {(mate: Mate) => number} weigh */
  #any(sum, weigh) {
    let left = this.#random() * sum;
    if (sum === 0) return undefined;
    for (const mate of this.#mates.values()) {
      left -= weigh(mate);
      if (left < 0) return mate;
    }
    return undefined;
  }
}

/** @param {Mate} mate */
export function mateText({ name, people, room, url }) {
  return `${name} ${people} ${room} ${url}`;
}
