// @ts-check
/**
 * Keeps the lattice for all workers: seats clients, tells workers who is next to whom, notices workers that are gone. A
 * state machine without I/O: it is handed messages and ticks, and sends messages.
 *
 * Its state is a copy of what workers know. A steward that starts asks them, and for some ticks gives nobody a new seat;
 * sprites fly meanwhile, because workers send them to each other. It must not know sprites, sockets or the engine behind
 * the bus.
 */

import { EVERY_WORKER } from '../bus/bus.js';
import { mateText } from '../clients/crew.js';
import { Lattice, NOBODY } from '../lattice/lattice.js';
import { addressText } from '../ticket.js';
import { Members } from './members.js';

/** @import { Post } from '../bus/bus.js' */

/**
 * @typedef {object} Patience
 * @property {number} settling_ticks for workers to say whom they hold, after the start
 * @property {number} silent_ticks without a pulse, after which a worker counts as gone
 * @property {number} grace_ticks how long the seats of a worker that is gone are kept for its clients
 */

/** Seats that are given up in one tick, so that the end of a worker with 20,000 clients does not stop the rest. */
const RISES_PER_TICK = 5_000;

/**
 * @typedef {object} Worker
 * @property {string} name
 * @property {number} number that members have for it
 * @property {string} url where its clients go
 * @property {number} people
 * @property {number} room
 * @property {number} silent ticks since its last pulse
 * @property {boolean} gone
 * @property {number} slots
 * @property {Int32Array} members by slot, or -1
 */

export class Steward {
  #post;
  #patience;
  #lattice = new Lattice();
  #members = new Members();
  /** @type {Map<string, Worker>} */
  #workers = new Map();
  /** @type {Worker[]} by number; one that was forgotten leaves its number behind */
  #numbered = [];
  #settling;
  /** Until settled: cells that workers said, and what has to wait. @type {Map<number, number>} */
  #claimedCells = new Map();
  /** @type {[string, string[]][]} */
  #waiting = [];

  counts = { joined: 0, left: 0, moved: 0 };

  /** @param {{ post: Post, patience: Patience }} parts */
  constructor({ post, patience }) {
    this.#post = post;
    this.#patience = patience;
    this.#settling = patience.settling_ticks;
  }

  /** Asks who there is. */
  start() {
    this.#post(EVERY_WORKER, 'who');
  }

  get isSettled() {
    return this.#settling === 0;
  }

  get lattice() {
    return this.#lattice;
  }

  /** Of those that are alive. */
  get workers() {
    return [...this.#workers.values()].filter((worker) => !worker.gone);
  }

  /** @param {string} from @param {string[]} fields */
  receive(from, [kind, ...rest]) {
    if (kind === 'hello') return this.#welcome(from, rest);
    const worker = this.#workers.get(from);
    if (worker === undefined || worker.gone) {
      // It was taken for gone, or this steward is new: what it knows has to be compared.
      if (worker !== undefined) worker.gone = false;
      this.#post(from, 'who');
      return;
    }
    worker.silent = 0;
    if (kind === 'pulse') return this.#count(worker, Number(rest[0]), Number(rest[1]));
    if (kind === 'here')
      return this.#recognise(worker, Number(rest[0]), Number(rest[1]), rest[2], Number(rest[3]));
    if (kind === 'all') return;
    if (this.#settling > 0) {
      this.#waiting.push([from, [kind, ...rest]]);
      return;
    }
    const slot = Number(rest[0]);
    const stamp = Number(rest[1]);
    switch (kind) {
      case 'sit':
        return this.#seat(worker, slot, stamp, rest[2]);
      case 'claim':
        return this.#move(worker, slot, stamp, rest.slice(2));
      case 'rise':
        return this.#rise(worker, slot, stamp);
      default:
        throw new Error(`message of an unknown kind "${kind}" from ${from}`);
    }
  }

  tick() {
    if (this.#settling > 0) {
      this.#settling -= 1;
      if (this.#settling === 0) this.#settle();
    }
    for (const worker of this.#workers.values()) {
      worker.silent += 1;
      if (!worker.gone && worker.silent > this.#patience.silent_ticks) worker.gone = true;
      if (worker.gone && worker.silent > this.#patience.silent_ticks + this.#patience.grace_ticks) {
        this.#giveUp(worker);
      }
    }
    this.#tellCrew();
  }

  /** A worker has ended, as whoever started it knows. @param {string} name */
  bury(name) {
    const worker = this.#workers.get(name);
    if (worker === undefined) return;
    worker.gone = true;
    worker.silent = this.#patience.silent_ticks + 1;
    this.#tellCrew();
  }

  /** @param {string} name @param {string[]} fields */
  #welcome(name, [url, slots, people]) {
    let worker = this.#workers.get(name);
    if (worker === undefined) {
      const members = new Int32Array(Number(slots)).fill(NOBODY);
      const number = this.#numbered.length;
      worker = {
        name,
        number,
        url,
        people: 0,
        room: 0,
        silent: 0,
        gone: false,
        slots: members.length,
        members,
      };
      this.#workers.set(name, worker);
      this.#numbered.push(worker);
    }
    worker.silent = 0;
    worker.gone = false;
    worker.people = Number(people);
    worker.room = worker.slots - worker.people;
    this.#tellCrew();
  }

  /** @param {Worker} worker @param {number} people @param {number} room */
  #count(worker, people, room) {
    worker.people = people;
    worker.room = room;
  }

  /** Until settled there may be more than have said so, whom workers know from the steward before. */
  #tellCrew() {
    const holding = this.workers.filter((worker) => worker.slots > 0);
    this.#post(EVERY_WORKER, this.isSettled ? 'crew' : 'mates', ...holding.map(mateText));
  }

  /** @param {Worker} worker @param {number} slot @param {number} stamp @param {string} secret */
  #seat(worker, slot, stamp, secret) {
    if (this.#memberOf(worker, slot, stamp) !== NOBODY) return;
    this.#vacate(worker, slot);
    const member = this.#members.add(worker.number, slot, stamp, secret);
    worker.members[slot] = member;
    this.#lattice.join(member);
    this.counts.joined += 1;
    this.#tellTouched();
    this.#post(worker.name, 'seat', slot, stamp, 'new');
  }

  /** Somebody has come to a worker with the ticket of another. @param {Worker} worker @param {number} slot @param {number} stamp @param {string[]} fields */
  #move(worker, slot, stamp, [secret, fromName, fromSlot, fromStamp, fromSecret]) {
    const from = this.#workers.get(fromName);
    const member = from === undefined ? NOBODY : this.#memberOf(from, Number(fromSlot), Number(fromStamp));
    if (from === undefined || member === NOBODY || this.#members.secret(member) !== fromSecret) {
      this.#seat(worker, slot, stamp, secret);
      return;
    }
    this.#vacate(worker, slot);
    from.members[Number(fromSlot)] = NOBODY;
    worker.members[slot] = member;
    this.#members.set(member, worker.number, slot, stamp, secret);
    this.counts.moved += 1;
    this.#lattice.forAround(member, (touched) => this.#tell(touched));
    this.#post(worker.name, 'seat', slot, stamp, from.gone ? 'kept' : 'moved');
    if (!from.gone) {
      const successor = addressText(worker.name, slot, stamp);
      this.#post(from.name, 'yield', Number(fromSlot), Number(fromStamp), successor);
    }
  }

  /** @param {Worker} worker @param {number} slot @param {number} stamp */
  #rise(worker, slot, stamp) {
    if (this.#memberOf(worker, slot, stamp) !== NOBODY) this.#vacate(worker, slot);
  }

  /** @param {Worker} worker @param {number} slot */
  #vacate(worker, slot) {
    const member = worker.members[slot];
    if (member === NOBODY) return;
    worker.members[slot] = NOBODY;
    this.#lattice.leave(member);
    this.#members.remove(member);
    this.counts.left += 1;
    this.#tellTouched();
  }

  /** The seats of a worker that did not come back, some at a time. @param {Worker} worker */
  #giveUp(worker) {
    let left = RISES_PER_TICK;
    for (let slot = 0; slot < worker.slots && left > 0; slot += 1) {
      if (worker.members[slot] === NOBODY) continue;
      this.#vacate(worker, slot);
      left -= 1;
    }
    if (left > 0) this.#workers.delete(worker.name);
  }

  /** What a worker says of a client that it holds. @param {Worker} worker @param {number} slot @param {number} stamp @param {string} secret @param {number} cell */
  #recognise(worker, slot, stamp, secret, cell) {
    if (this.#settling > 0) {
      // Two cannot have one cell: the second one gets another.
      if (this.#claimedCells.has(cell) || !(cell >= 0)) {
        this.#waiting.push([worker.name, ['sit', `${slot}`, `${stamp}`, secret]]);
        return;
      }
      const member = this.#members.add(worker.number, slot, stamp, secret);
      worker.members[slot] = member;
      this.#claimedCells.set(cell, member);
      return;
    }
    const member = this.#memberOf(worker, slot, stamp);
    if (member !== NOBODY && this.#members.secret(member) === secret) this.#tell(member);
    else this.#seat(worker, slot, stamp, secret);
  }

  /** Everyone is where the workers said, and what that leaves empty below the last cell is left once, one by one. */
  #settle() {
    const cells = [...this.#claimedCells.keys()];
    const extent = cells.reduce((most, cell) => Math.max(most, cell + 1), 0);
    /** @type {number[]} */
    const absent = [];
    for (let cell = 0; cell < extent; cell += 1) {
      let member = this.#claimedCells.get(cell);
      if (member === undefined) {
        member = this.#members.add(NOBODY, 0, 0, '');
        absent.push(member);
      }
      this.#lattice.join(member);
    }
    this.#claimedCells.clear();
    for (const member of absent) {
      this.#lattice.leave(member);
      this.#members.remove(member);
      this.#tellTouched();
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const [from, fields] of waiting) this.receive(from, fields);
  }

  /** @param {Worker} worker @param {number} slot @param {number} stamp @returns {number} */
  #memberOf(worker, slot, stamp) {
    const member = worker.members[slot] ?? NOBODY;
    return member !== NOBODY && this.#members.stamp(member) === stamp ? member : NOBODY;
  }

  #tellTouched() {
    this.#lattice.forTouched((member) => this.#tell(member));
  }

  /** Tells the worker of a member where that is, and who is next to it. @param {number} member */
  #tell(member) {
    const number = this.#members.worker(member);
    if (number === NOBODY) return;
    const neighbours = [0, 1, 2, 3].map((side) => {
      const neighbour = this.#lattice.neighbour(member, side);
      return neighbour === NOBODY ? '-' : this.#address(neighbour);
    });
    this.#post(
      this.#numbered[number].name,
      'next',
      this.#members.slot(member),
      this.#members.stamp(member),
      this.#lattice.cellOf(member),
      ...neighbours,
    );
  }

  /** @param {number} member */
  #address(member) {
    const number = this.#members.worker(member);
    if (number === NOBODY) return '-';
    return addressText(this.#numbered[number].name, this.#members.slot(member), this.#members.stamp(member));
  }
}
