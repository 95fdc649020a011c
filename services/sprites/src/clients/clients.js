// @ts-check
/**
 * The clients that one worker holds: who they are, what waits for them, who is next to them. A state machine without
 * I/O: it is handed requests of clients, messages and ticks of a clock, and sends messages and wakes outlets.
 *
 * A client is a slot in arrays; there is no object for it until something waits. It must not know sockets, HTTP or the
 * engine behind the bus.
 */

import { STEWARD } from '../bus/bus.js';
import { opposite, SIDES, xOf, yOf } from '../lattice/spiral.js';
import { addressText, parseAddress } from '../ticket.js';
import { Crew } from './crew.js';
import { newsText } from './news.js';
import { Wheel } from './wheel.js';

/** @import { Post } from '../bus/bus.js' */
/** @import { Target } from '../sprite.js' */
/** @import { Address, Ticket } from '../ticket.js' */

/**
 * The way to a client. Whoever has the newest one has the client.
 * @typedef {object} Outlet
 * @property {(slot: number) => void} wake there is news; it may be collected now or later
 * @property {(slot: number) => number} due its time is over; returns the ticks until it is over again
 * @property {(slot: number, reason: 'replaced' | 'gone' | 'busy') => void} end it has no client any more: another
 *   outlet has it, or there is no such client, or it was not seated in time
 */

/**
 * Whether a client wants to know where it is and who is next to it: not at all, when that changes, or now as well.
 * @typedef {'no' | 'changes' | 'now'} Watching
 */

/**
 * @typedef {object} Limits
 * @property {number} capacity clients at most
 * @property {number} mail sprites that wait for a client at most; of more, the oldest go
 * @property {number} grace_ticks from the end of the last outlet until a client leaves
 */

/**
 * `thrown`: on its way. `nobody`: nobody is on that side, or there is nobody at all. `unknown`: no such client.
 * @typedef {'thrown' | 'nobody' | 'unknown'} Outcome
 */

const SPAN_TICKS = 1024;
/** For the steward to seat a client. Then the client is turned away and comes again. */
const SEATING_TICKS = 10;
/** For another worker to hand over what waits for a client. Then the client goes without it. */
const HANDOVER_TICKS = 3;
/** How long a worker sends on what comes for a client that it has handed over. */
const FORWARDING_TICKS = 10;

const NOBODY = -1;

const SEATED = 1;
/** What waits for it is still on its way from another worker. */
const MAIL_COMES = 2;
/** It has not been told its ticket. */
const WELCOME = 4;
/** It wants to know its neighbours. */
const WATCHING = 8;
/** It has neighbours that it was not told of. */
const MOVED = 16;
/** What waited for it is lost with the worker that it had before. */
const RESTARTED = 32;
const DRAINING = 64;

export class Clients {
  #name;
  #limits;
  #post;
  #random;
  #crew;

  // By slot.
  #stamps;
  #secrets;
  #flags;
  #cells;
  /** The number of the last sprite for it, and of the last one that its outlet has collected. */
  #last;
  #collected;
  #neighbourWorkers;
  #neighbourSlots;
  #neighbourStamps;
  /** @type {(string[] | undefined)[]} the newest sprites that it has not acknowledged; the last one is number `#last` */
  #mail;
  /** @type {(Outlet | undefined)[]} */
  #outlets;
  #wheel;

  /** Slots that are taken, without order, and where each is in that list. */
  #taken;
  #positions;
  #count = 0;
  #free;

  /** @type {Map<number, Ticket>} clients on their way from another worker, until the steward has seated them */
  #claims = new Map();
  /** Clients that are elsewhere now, by their address here. @type {Map<string, Address & { secret: string, ticks: number }>} */
  #forwards = new Map();
  #draining = false;

  /** What was counted since the start. */
  counts = { delivered: 0, missed: 0, forwarded: 0, undeliverable: 0, thrown: 0, nobody: 0, unknown: 0 };

  /**
   * @param {object} parts
   * @param {string} parts.name of this worker, which no other ever had
   * @param {Limits} parts.limits
   * @param {Post} parts.post
   * @param {() => string} parts.secret 16 hexadecimal digits that nobody can guess
   * @param {() => number} [parts.random] from 0 to 1
   */
  constructor({ name, limits, post, secret, random = Math.random }) {
    const { capacity } = limits;
    this.#name = name;
    this.#limits = limits;
    this.#post = post;
    this.#random = random;
    this.#secret = secret;
    this.#crew = new Crew(random);
    this.#stamps = new Uint32Array(capacity);
    this.#secrets = new Uint32Array(2 * capacity);
    this.#flags = new Uint8Array(capacity);
    this.#cells = new Int32Array(capacity);
    this.#last = new Uint32Array(capacity);
    this.#collected = new Uint32Array(capacity);
    this.#neighbourWorkers = new Int32Array(4 * capacity);
    this.#neighbourSlots = new Int32Array(4 * capacity);
    this.#neighbourStamps = new Uint32Array(4 * capacity);
    this.#mail = new Array(capacity).fill(undefined);
    this.#outlets = new Array(capacity).fill(undefined);
    this.#wheel = new Wheel(capacity, SPAN_TICKS);
    this.#taken = new Int32Array(capacity);
    this.#positions = new Int32Array(capacity);
    this.#free = new Int32Array(capacity).map((_, index) => capacity - 1 - index);
  }

  #secret;

  get count() {
    return this.#count;
  }

  get room() {
    return this.#draining ? 0 : this.#limits.capacity - this.#count;
  }

  /** Who else holds clients, as the steward last said. */
  get crew() {
    return this.#crew;
  }

  // What clients ask for.

  /** A new client. @param {Outlet} outlet @param {Watching} watching @returns {number} its slot, or -1: no room */
  join(outlet, watching) {
    const slot = this.#allocate(outlet, watching);
    if (slot !== NOBODY) this.#askForSeat(slot);
    return slot;
  }

  /**
   * A client that another worker holds, or held. It is the same client to everybody else; if nobody knows it, a new one.
   * @param {Ticket} ticket @param {number} after the last sprite that it has
   * @param {Outlet} outlet @param {Watching} watching @returns {number} its slot, or -1: no room
   */
  claim(ticket, after, outlet, watching) {
    const slot = this.#allocate(outlet, watching);
    if (slot === NOBODY) return NOBODY;
    this.#last[slot] = after;
    this.#collected[slot] = after;
    this.#claims.set(slot, ticket);
    this.#askForSeat(slot);
    return slot;
  }

  /** @param {Ticket} ticket of this worker @returns {number} its slot, or -1: it has left, or never was */
  find({ slot, stamp, secret }) {
    if (!this.#has(slot, stamp)) return NOBODY;
    return this.#secretText(slot) === secret ? slot : NOBODY;
  }

  /** Another outlet for a client; the one before loses it. @param {number} slot @param {Outlet} outlet @param {Watching} watching */
  attach(slot, outlet, watching) {
    const before = this.#outlets[slot];
    if (before !== undefined && before !== outlet) before.end(slot, 'replaced');
    this.#outlets[slot] = outlet;
    this.#setFlag(slot, WATCHING, watching !== 'no');
    if (watching === 'now') this.#setFlag(slot, MOVED, true);
    // It was sent here by somebody who did not know yet.
    if (this.#draining) this.#setFlag(slot, DRAINING, true);
  }

  /** The outlet is gone; the client may come back within the grace. @param {number} slot @param {Outlet} outlet */
  detach(slot, outlet) {
    if (this.#outlets[slot] !== outlet) return;
    this.#outlets[slot] = undefined;
    this.#wheel.set(slot, this.#limits.grace_ticks);
  }

  /** Calls `due` of the outlet in so many ticks, unless the client is still waiting for its seat. @param {number} slot @param {number} ticks */
  schedule(slot, ticks) {
    if (this.#isReady(slot)) this.#wheel.set(slot, ticks);
  }

  /** The client has all sprites up to a number, and wants what follows. @param {number} slot @param {number} after */
  acknowledge(slot, after) {
    const upTo = Math.min(after, this.#last[slot]);
    this.#collected[slot] = upTo;
    const mail = this.#mail[slot];
    if (mail === undefined) return;
    const left = this.#last[slot] - upTo;
    if (left === 0) this.#mail[slot] = undefined;
    else if (left < mail.length) mail.splice(0, mail.length - left);
  }

  /** All that was collected. @param {number} slot */
  acknowledgeCollected(slot) {
    this.acknowledge(slot, this.#collected[slot]);
  }

  /** The number of the last sprite that was collected. @param {number} slot */
  collected(slot) {
    return this.#collected[slot];
  }

  /** @param {number} slot */
  hasNews(slot) {
    const flags = this.#flags[slot];
    if (!this.#isReady(slot)) return false;
    const moved = MOVED | WATCHING;
    return (
      this.#collected[slot] !== this.#last[slot] ||
      (flags & (WELCOME | DRAINING)) !== 0 ||
      (flags & moved) === moved
    );
  }

  /** What the client does not know yet, as text; from now on it counts as collected. @param {number} slot */
  collect(slot) {
    const flags = this.#flags[slot];
    const mail = this.#mail[slot] ?? [];
    const last = this.#last[slot];
    const fresh = Math.min(last - this.#collected[slot], mail.length);
    const missed = last - this.#collected[slot] - fresh;
    this.#collected[slot] = last;
    this.#flags[slot] &= ~(WELCOME | MOVED | RESTARTED | DRAINING);
    this.counts.delivered += fresh;
    this.counts.missed += missed;
    return newsText({
      next: last,
      sprites: fresh === mail.length ? mail : mail.slice(mail.length - fresh),
      missed,
      ticket: flags & WELCOME ? this.ticket(slot) : undefined,
      restarted: (flags & RESTARTED) !== 0,
      place: flags & WATCHING && flags & (WELCOME | MOVED) ? this.#place(slot) : undefined,
      move: (flags & DRAINING) !== 0,
    });
  }

  /** @param {number} slot */
  ticket(slot) {
    return `${addressText(this.#name, slot, this.#stamps[slot])}.${this.#secretText(slot)}`;
  }

  /** @param {number} slot of the thrower @param {Target} to @param {string} text @returns {Outcome} */
  throw(slot, to, text) {
    const outcome =
      to === 'anyone' ? this.#throwAnywhere(text) : this.#throwOver(slot, SIDES.indexOf(to), text);
    this.counts[outcome] += 1;
    return outcome;
  }

  /**
   * For a client wherever it is held: what has come in on the port that all workers share.
   * @param {Ticket} ticket @param {Target} to @param {string} text
   * @returns {Outcome} `thrown` where only the worker that holds the client can know
   */
  throwFor(ticket, to, text) {
    if (ticket.worker === this.#name) {
      const slot = this.find(ticket);
      if (slot !== NOBODY) return this.throw(slot, to, text);
    } else if (this.#crew.has(ticket.worker)) {
      this.#post(ticket.worker, 'toss', ticket.slot, ticket.stamp, ticket.secret, to, text);
      return 'thrown';
    }
    this.counts.unknown += 1;
    return 'unknown';
  }

  /** To somebody, from nobody. @param {string} text @returns {Outcome} */
  throwAnywhere(text) {
    const outcome = this.#throwAnywhere(text);
    this.counts[outcome] += 1;
    return outcome;
  }

  /** @param {Ticket} ticket wherever it is held @returns {Outcome} */
  leaveFor(ticket) {
    if (ticket.worker === this.#name) {
      const slot = this.find(ticket);
      if (slot === NOBODY) return 'unknown';
      this.#leave(slot);
      return 'thrown';
    }
    if (!this.#crew.has(ticket.worker)) return 'unknown';
    this.#post(ticket.worker, 'leave', ticket.slot, ticket.stamp, ticket.secret);
    return 'thrown';
  }

  // What comes by the clock.

  tick() {
    this.#wheel.tick((slot) => this.#due(slot));
    for (const [address, forward] of this.#forwards) {
      forward.ticks -= 1;
      if (forward.ticks === 0) this.#forwards.delete(address);
    }
  }

  /**
   * Tells some clients to go elsewhere, and takes no new ones. They take what waits for them along.
   * @param {number} most how many are told now
   * @returns {number} how many are left
   */
  drain(most) {
    this.#draining = true;
    let told = 0;
    for (let index = 0; index < this.#count && told < most; index += 1) {
      const slot = this.#taken[index];
      if (!this.#isReady(slot) || this.#told.has(slot)) continue;
      this.#told.add(slot);
      told += 1;
      this.#setFlag(slot, DRAINING, true);
      this.#outlets[slot]?.wake(slot);
    }
    return this.#count;
  }

  #told = new Set();

  /** Says who is held here, because the steward is new or messages were lost. @param {string} url @param {boolean} holds */
  introduce(url, holds) {
    this.#url = url;
    this.#holds = holds;
    this.#post(STEWARD, 'hello', url, holds ? this.#limits.capacity : 0, this.#count);
    for (let index = 0; index < this.#count; index += 1) {
      const slot = this.#taken[index];
      if ((this.#flags[slot] & SEATED) === 0) this.#askForSeat(slot);
      else this.#post(STEWARD, 'here', slot, this.#stamps[slot], this.#secretText(slot), this.#cells[slot]);
    }
    this.#post(STEWARD, 'all');
  }

  #url = '';
  #holds = false;

  /** Shows the steward that this worker is alive. */
  pulse() {
    this.#post(STEWARD, 'pulse', this.#count, this.#holds ? this.room : 0);
  }

  // What comes over the bus.

  /** @param {string} from @param {string[]} fields */
  receive(from, [kind, ...rest]) {
    switch (kind) {
      case 'give':
        return this.#give(Number(rest[0]), Number(rest[1]), rest[2]);
      case 'any':
        return this.#giveAnybody(rest[0]);
      case 'toss':
        return this.#toss(rest);
      case 'throw':
        if (this.#has(Number(rest[0]), Number(rest[1])))
          this.throw(Number(rest[0]), /** @type {Target} */ (rest[2]), rest[3]);
        return;
      case 'next':
        return this.#meet(Number(rest[0]), Number(rest[1]), Number(rest[2]), rest.slice(3));
      case 'seat':
        return this.#sit(Number(rest[0]), Number(rest[1]), rest[2]);
      case 'yield':
        return this.#yield(Number(rest[0]), Number(rest[1]), rest[2]);
      case 'mail':
        return this.#takeMail(Number(rest[0]), Number(rest[1]), Number(rest[2]), rest.slice(3));
      case 'leave':
        return this.#leaveBy(rest);
      case 'crew':
        return this.#crew.update(rest);
      case 'who':
        return this.introduce(this.#url, this.#holds);
      default:
        throw new Error(`message of an unknown kind "${kind}" from ${from}`);
    }
  }

  /** @param {number} slot @param {number} stamp @param {string} text */
  #give(slot, stamp, text) {
    if (!this.#has(slot, stamp)) {
      const forward = this.#forwards.get(addressText('', slot, stamp));
      if (forward === undefined) {
        this.counts.undeliverable += 1;
        return;
      }
      this.counts.forwarded += 1;
      this.#post(forward.worker, 'give', forward.slot, forward.stamp, text);
      return;
    }
    this.#keep(slot, text);
    this.#wake(slot);
  }

  /** @param {number} slot @param {string} text */
  #keep(slot, text) {
    this.#last[slot] += 1;
    const mail = this.#mail[slot];
    if (mail === undefined) {
      this.#mail[slot] = [text];
      return;
    }
    if (mail.length === this.#limits.mail) mail.shift();
    mail.push(text);
  }

  /** @param {string} text */
  #giveAnybody(text) {
    if (this.#count === 0) {
      this.counts.undeliverable += 1;
      return;
    }
    const slot = this.#taken[Math.floor(this.#random() * this.#count)];
    this.#give(slot, this.#stamps[slot], text);
  }

  /** @param {string[]} fields */
  #toss([slot, stamp, secret, to, text]) {
    const found = this.find({ worker: this.#name, slot: Number(slot), stamp: Number(stamp), secret });
    if (found !== NOBODY) {
      this.throw(found, /** @type {Target} */ (to), text);
      return;
    }
    // Thrown with the ticket from before it went elsewhere, which it may not have heard of yet.
    const forward = this.#forwards.get(addressText('', Number(slot), Number(stamp)));
    if (forward === undefined || forward.secret !== secret) {
      this.counts.unknown += 1;
      return;
    }
    this.counts.forwarded += 1;
    this.#post(forward.worker, 'throw', forward.slot, forward.stamp, to, text);
  }

  /** @param {string[]} fields */
  #leaveBy([slot, stamp, secret]) {
    const found = this.find({ worker: this.#name, slot: Number(slot), stamp: Number(stamp), secret });
    if (found !== NOBODY) this.#leave(found);
  }

  /** @param {number} slot @param {number} stamp @param {number} cell @param {string[]} neighbours one for each side */
  #meet(slot, stamp, cell, neighbours) {
    if (!this.#has(slot, stamp)) return;
    this.#cells[slot] = cell;
    for (const [side, text] of neighbours.entries()) {
      const at = 4 * slot + side;
      if (text === '-') {
        this.#neighbourWorkers[at] = NOBODY;
        continue;
      }
      const address = parseAddress(text);
      this.#neighbourWorkers[at] = this.#crew.indexOf(address.worker);
      this.#neighbourSlots[at] = address.slot;
      this.#neighbourStamps[at] = address.stamp;
    }
    this.#setFlag(slot, MOVED, true);
    if (this.#flags[slot] & WATCHING) this.#wake(slot);
  }

  /** The steward has a cell for it. @param {number} slot @param {number} stamp @param {string} how */
  #sit(slot, stamp, how) {
    if (!this.#has(slot, stamp) || this.#flags[slot] & SEATED) return;
    const claimed = this.#claims.delete(slot);
    this.#setFlag(slot, SEATED, true);
    if (how === 'new' && claimed) {
      this.#last[slot] = this.#mail[slot]?.length ?? 0;
      this.#collected[slot] = 0;
    }
    if (how === 'kept') this.#setFlag(slot, RESTARTED, true);
    if (how === 'moved') {
      if (this.#flags[slot] & MAIL_COMES) this.#wheel.set(slot, HANDOVER_TICKS);
    } else {
      this.#setFlag(slot, MAIL_COMES, false);
    }
    this.#begin(slot);
  }

  /** Another worker has the client now, and gets what waits for it. @param {number} slot @param {number} stamp @param {string} successor */
  #yield(slot, stamp, successor) {
    const { worker, slot: toSlot, stamp: toStamp } = parseAddress(successor);
    if (!this.#has(slot, stamp)) {
      this.#post(worker, 'mail', toSlot, toStamp, 0);
      return;
    }
    this.#post(worker, 'mail', toSlot, toStamp, this.#last[slot], ...(this.#mail[slot] ?? []));
    this.#forwards.set(addressText('', slot, stamp), {
      worker,
      slot: toSlot,
      stamp: toStamp,
      secret: this.#secretText(slot),
      ticks: FORWARDING_TICKS,
    });
    this.#release(slot, 'replaced');
  }

  /** What waited for it where it was before. @param {number} slot @param {number} stamp @param {number} last @param {string[]} texts */
  #takeMail(slot, stamp, last, texts) {
    if (!this.#has(slot, stamp) || (this.#flags[slot] & MAIL_COMES) === 0) return;
    this.#setFlag(slot, MAIL_COMES, false);
    // What has come here already follows what had come there.
    const come = this.#mail[slot] ?? [];
    const all = [...texts, ...come].slice(-this.#limits.mail);
    const after = this.#collected[slot];
    this.#last[slot] = Math.max(last, after) + come.length;
    this.#mail[slot] = all.length === 0 ? undefined : all;
    this.acknowledge(slot, after);
    this.#begin(slot);
  }

  /** If nothing is missing any more, the client is welcomed. @param {number} slot */
  #begin(slot) {
    if (!this.#isReady(slot)) return;
    if (this.#outlets[slot] === undefined) this.#wheel.set(slot, this.#limits.grace_ticks);
    else this.#outlets[slot].wake(slot);
  }

  // Inside.

  /** @param {number} slot @param {number} stamp */
  #has(slot, stamp) {
    return (
      this.#stamps[slot] === stamp &&
      this.#positions[slot] < this.#count &&
      this.#taken[this.#positions[slot]] === slot
    );
  }

  /** @param {number} slot */
  #isReady(slot) {
    return (this.#flags[slot] & (SEATED | MAIL_COMES)) === SEATED;
  }

  /** @param {number} slot @param {number} flag @param {boolean} on */
  #setFlag(slot, flag, on) {
    if (on) this.#flags[slot] |= flag;
    else this.#flags[slot] &= ~flag;
  }

  /** @param {number} slot */
  #secretText(slot) {
    const high = this.#secrets[2 * slot].toString(16).padStart(8, '0');
    return high + this.#secrets[2 * slot + 1].toString(16).padStart(8, '0');
  }

  /** @param {Outlet} outlet @param {Watching} watching */
  #allocate(outlet, watching) {
    if (this.room === 0) return NOBODY;
    const slot = this.#free[this.#free.length - 1 - this.#count];
    const secret = this.#secret();
    this.#secrets[2 * slot] = Number.parseInt(secret.slice(0, 8), 16);
    this.#secrets[2 * slot + 1] = Number.parseInt(secret.slice(8), 16);
    this.#flags[slot] = WELCOME | (watching === 'no' ? 0 : WATCHING);
    this.#last[slot] = 0;
    this.#collected[slot] = 0;
    this.#neighbourWorkers.fill(NOBODY, 4 * slot, 4 * slot + 4);
    this.#outlets[slot] = outlet;
    this.#taken[this.#count] = slot;
    this.#positions[slot] = this.#count;
    this.#count += 1;
    return slot;
  }

  /** @param {number} slot */
  #askForSeat(slot) {
    const claim = this.#claims.get(slot);
    const who = [slot, this.#stamps[slot], this.#secretText(slot)];
    this.#wheel.set(slot, SEATING_TICKS);
    if (claim === undefined) {
      this.#post(STEWARD, 'sit', ...who);
      return;
    }
    this.#setFlag(slot, MAIL_COMES, true);
    this.#post(STEWARD, 'claim', ...who, claim.worker, claim.slot, claim.stamp, claim.secret);
  }

  /** @param {number} slot */
  #leave(slot) {
    this.#post(STEWARD, 'rise', slot, this.#stamps[slot]);
    this.#release(slot, 'gone');
  }

  /** @param {number} slot @param {'replaced' | 'gone' | 'busy'} reason */
  #release(slot, reason) {
    const outlet = this.#outlets[slot];
    this.#outlets[slot] = undefined;
    this.#mail[slot] = undefined;
    this.#flags[slot] = 0;
    this.#wheel.clear(slot);
    this.#claims.delete(slot);
    this.#told.delete(slot);
    this.#stamps[slot] += 1;
    this.#count -= 1;
    const last = this.#taken[this.#count];
    this.#taken[this.#positions[slot]] = last;
    this.#positions[last] = this.#positions[slot];
    this.#free[this.#free.length - 1 - this.#count] = slot;
    outlet?.end(slot, reason);
  }

  /** @param {number} slot */
  #wake(slot) {
    if (this.#isReady(slot)) this.#outlets[slot]?.wake(slot);
  }

  /** @param {number} slot */
  #due(slot) {
    if ((this.#flags[slot] & SEATED) === 0) {
      this.#post(STEWARD, 'rise', slot, this.#stamps[slot]);
      this.#release(slot, 'busy');
      return;
    }
    if (this.#flags[slot] & MAIL_COMES) {
      this.#setFlag(slot, MAIL_COMES, false);
      this.#setFlag(slot, RESTARTED, true);
      this.#begin(slot);
      return;
    }
    const outlet = this.#outlets[slot];
    if (outlet === undefined) this.#leave(slot);
    else this.#wheel.set(slot, outlet.due(slot));
  }

  /** @param {number} slot @param {number} side @param {string} text @returns {Outcome} */
  #throwOver(slot, side, text) {
    const at = 4 * slot + side;
    const worker = this.#neighbourWorkers[at];
    if (worker === NOBODY) return 'nobody';
    this.#send(
      this.#crew.nameOf(worker),
      text,
      this.#neighbourSlots[at],
      this.#neighbourStamps[at],
      opposite(side),
    );
    return 'thrown';
  }

  /** To somebody, each as likely as any other. @param {string} text @returns {Outcome} */
  #throwAnywhere(text) {
    const name = this.#crew.anyByPeople();
    if (name === undefined) return 'nobody';
    const arrival = arrivalText(text, 'anywhere');
    if (name === this.#name) this.#giveAnybody(arrival);
    else this.#post(name, 'any', arrival);
    return 'thrown';
  }

  /** @param {string} worker @param {string} text @param {number} slot @param {number} stamp @param {number} side by which it comes in */
  #send(worker, text, slot, stamp, side) {
    const arrival = arrivalText(text, SIDES[side]);
    if (worker === this.#name) this.#give(slot, stamp, arrival);
    else this.#post(worker, 'give', slot, stamp, arrival);
  }

  /** @param {number} slot */
  #place(slot) {
    /** @type {Record<string, string>} */
    const neighbours = {};
    for (const [side, name] of SIDES.entries()) {
      const at = 4 * slot + side;
      const worker = this.#neighbourWorkers[at];
      if (worker === NOBODY) continue;
      neighbours[name] = addressText(
        this.#crew.nameOf(worker),
        this.#neighbourSlots[at],
        this.#neighbourStamps[at],
      );
    }
    return {
      you: addressText(this.#name, slot, this.#stamps[slot]),
      cell: [xOf(this.#cells[slot]), yOf(this.#cells[slot])],
      neighbours,
      people: this.#crew.people,
    };
  }
}

/** A sprite with where it came in. @param {string} text a JSON object with members @param {string} from */
function arrivalText(text, from) {
  return `{"from":"${from}",${text.slice(1)}`;
}
