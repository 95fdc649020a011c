// @ts-check
/**
 * The clients that one worker holds: who they are, what waits for them, who is next to them. A state machine without
 * I/O: it is handed requests of clients, messages and ticks of a clock, and sends messages and wakes outlets.
 *
 * A client is a slot in arrays; there is no object for it until something waits. It must not know sockets, HTTP or the
 * engine behind the bus.
 */

import { opposite, SIDES } from '../lattice/spiral.js';
import { addressText, parseAddress } from '../ticket.js';
import { Backlog, SEATING_TICKS } from './backlog.js';
import { Crew } from './crew.js';
import { DRAINING, MAIL_COMES, MOVED, RESTARTED, SEATED, WATCHING, WELCOME } from './flags.js';
import { Forwards } from './forwards.js';
import { Mail } from './mail.js';
import { Neighbours } from './neighbours.js';
import { arrivalText, newsText } from './news.js';
import { Registration } from './registration.js';
import { NOBODY, Slots } from './slots.js';
import { Wheel } from './wheel.js';

/** @import { Post } from '../bus/bus.js' */
/** @import { Target } from '../sprite.js' */
/** @import { Ticket } from '../ticket.js' */
/** @import { Limits, Outcome, Outlet, Watching } from './types.js' */

const SPAN_TICKS = 1024;
/** For another worker to hand over what waits for a client. Then the client goes without it. */
const HANDOVER_TICKS = 3;

export class Clients {
  #name;
  #limits;
  #post;
  #random;

  // By slot.
  #slots;
  #mail;
  #neighbours;
  #flags;
  /** @type {(Outlet | undefined)[]} */
  #outlets;
  #wheel;

  #registration;
  #backlog = new Backlog();
  #forwards = new Forwards();
  #draining = false;
  /** Who has been told to go elsewhere. @type {Set<number>} */
  #told = new Set();

  /** Who else holds clients, as the steward last said. @type {Crew} */
  crew;

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
    this.crew = new Crew(random);
    this.#slots = new Slots(capacity, secret);
    this.#registration = new Registration(post, this.#slots);
    this.#mail = new Mail(capacity, limits.mail);
    this.#neighbours = new Neighbours(capacity, this.crew);
    this.#flags = new Uint8Array(capacity);
    this.#outlets = new Array(capacity).fill(undefined);
    this.#wheel = new Wheel(capacity, SPAN_TICKS);
  }

  get count() {
    return this.#slots.count;
  }

  /** For new clients. While the steward is far behind there is none: it would seat clients that have been turned away. */
  get room() {
    return this.#draining || this.#backlog.isLate ? 0 : this.#slots.capacity - this.count;
  }

  // What clients ask for.

  /** A new client. @param {Outlet} outlet @param {Watching} watching @returns {number} its slot, or -1: no room */
  join(outlet, watching) {
    const slot = this.#allocate(outlet, watching);
    if (slot !== NOBODY) this.#registration.ask(slot);
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
    this.#mail.reset(slot, after);
    this.#setFlag(slot, MAIL_COMES, true);
    this.#registration.ask(slot, ticket);
    return slot;
  }

  /** @param {Ticket} ticket of this worker @returns {number} its slot, or -1: it has left, or never was */
  find({ slot, stamp, secret }) {
    return this.#slots.has(slot, stamp) && this.#slots.secret(slot) === secret ? slot : NOBODY;
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

  /** The client has all sprites up to a number, or all that were collected, and wants what follows. @param {number} slot @param {number} [after] */
  acknowledge(slot, after = this.#mail.collected(slot)) {
    this.#mail.acknowledge(slot, after);
  }

  /** The number of the last sprite that was collected. @param {number} slot */
  collected(slot) {
    return this.#mail.collected(slot);
  }

  /** @param {number} slot */
  hasNews(slot) {
    const flags = this.#flags[slot];
    if (!this.#isReady(slot)) return false;
    const moved = MOVED | WATCHING;
    return !this.#mail.isCollected(slot) || (flags & (WELCOME | DRAINING)) !== 0 || (flags & moved) === moved;
  }

  /** What the client does not know yet, as text; from now on it counts as collected. @param {number} slot */
  collect(slot) {
    const flags = this.#flags[slot];
    this.#flags[slot] &= ~(WELCOME | MOVED | RESTARTED | DRAINING);
    const news = this.#mail.collect(slot);
    this.counts.delivered += news.sprites.length;
    this.counts.missed += news.missed;
    const isPlaceNew = (flags & WATCHING) !== 0 && (flags & (WELCOME | MOVED)) !== 0;
    return newsText({
      ...news,
      ticket: flags & WELCOME ? this.ticket(slot) : undefined,
      restarted: (flags & RESTARTED) !== 0,
      place: isPlaceNew ? { you: this.#address(slot), ...this.#neighbours.describe(slot) } : undefined,
      move: (flags & DRAINING) !== 0,
    });
  }

  /** @param {number} slot */
  ticket(slot) {
    return `${this.#address(slot)}.${this.#slots.secret(slot)}`;
  }

  /** @param {number} slot of the thrower @param {Target} to @param {string} text @returns {Outcome} */
  throw(slot, to, text) {
    if (to === 'anyone') return this.throwAnywhere(text);
    const outcome = this.#throwOver(slot, SIDES.indexOf(to), text);
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
    } else if (this.crew.has(ticket.worker)) {
      this.#post(ticket.worker, 'toss', ticket.slot, ticket.stamp, ticket.secret, to, text);
      return 'thrown';
    }
    this.counts.unknown += 1;
    return 'unknown';
  }

  /** To somebody, each as likely as any other. @param {string} text @returns {Outcome} */
  throwAnywhere(text) {
    // Until the steward has counted its clients, a worker knows of no others.
    const name = this.crew.anyByPeople() ?? (this.count > 0 ? this.#name : undefined);
    if (name === undefined) {
      this.counts.nobody += 1;
      return 'nobody';
    }
    this.counts.thrown += 1;
    const arrival = arrivalText(text, 'anywhere');
    if (name === this.#name) this.#giveAnybody(arrival);
    else this.#post(name, 'any', arrival);
    return 'thrown';
  }

  /** @param {Ticket} ticket wherever it is held @returns {Outcome} */
  leaveFor(ticket) {
    if (ticket.worker === this.#name) {
      const slot = this.find(ticket);
      if (slot === NOBODY) return 'unknown';
      this.#leave(slot);
      return 'thrown';
    }
    if (!this.crew.has(ticket.worker)) return 'unknown';
    this.#post(ticket.worker, 'leave', ticket.slot, ticket.stamp, ticket.secret);
    return 'thrown';
  }

  // What comes by the clock.

  tick() {
    this.#backlog.tick();
    this.#wheel.tick((slot) => this.#due(slot));
    this.#forwards.tick();
  }

  /**
   * Tells some clients to go elsewhere, and takes no new ones. They take what waits for them along.
   * @param {number} most how many are told now
   * @returns {number} how many are left
   */
  drain(most) {
    this.#draining = true;
    let told = 0;
    for (let index = 0; index < this.count && told < most; index += 1) {
      const slot = this.#slots.at(index);
      if (!this.#isReady(slot) || this.#told.has(slot)) continue;
      this.#told.add(slot);
      told += 1;
      this.#setFlag(slot, DRAINING, true);
      this.#outlets[slot]?.wake(slot);
    }
    return this.count;
  }

  /** Says who is held here. @param {string} url where clients come to @param {boolean} holds whether they may */
  introduce(url, holds) {
    this.#registration.name(url, holds);
    this.#introduce();
  }

  /** Shows the steward that this worker is alive. */
  pulse() {
    this.#registration.pulse(this.room);
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
        if (this.#slots.has(Number(rest[0]), Number(rest[1])))
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
        return this.crew.replace(rest);
      case 'mates':
        return this.crew.update(rest);
      case 'who':
        return this.#introduce();
      default:
        throw new Error(`message of an unknown kind "${kind}" from ${from}`);
    }
  }

  /** @param {number} slot @param {number} stamp @param {string} text */
  #give(slot, stamp, text) {
    if (!this.#slots.has(slot, stamp)) {
      const forward = this.#forwards.get(slot, stamp);
      if (forward === undefined) {
        this.counts.undeliverable += 1;
        return;
      }
      this.counts.forwarded += 1;
      this.#post(forward.worker, 'give', forward.slot, forward.stamp, text);
      return;
    }
    this.#mail.keep(slot, text);
    this.#wake(slot);
  }

  /** @param {string} text */
  #giveAnybody(text) {
    if (this.count === 0) {
      this.counts.undeliverable += 1;
      return;
    }
    const slot = this.#slots.at(Math.floor(this.#random() * this.count));
    this.#give(slot, this.#slots.stamp(slot), text);
  }

  /** @param {string[]} fields */
  #toss([slot, stamp, secret, to, text]) {
    const found = this.find({ worker: this.#name, slot: Number(slot), stamp: Number(stamp), secret });
    if (found !== NOBODY) {
      this.throw(found, /** @type {Target} */ (to), text);
      return;
    }
    // Thrown with the ticket from before it went elsewhere, which it may not have heard of yet.
    const forward = this.#forwards.get(Number(slot), Number(stamp));
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

  /** @param {number} slot @param {number} stamp @param {number} cell @param {string[]} addresses */
  #meet(slot, stamp, cell, addresses) {
    if (!this.#slots.has(slot, stamp)) return;
    this.#neighbours.set(slot, cell, addresses);
    this.#setFlag(slot, MOVED, true);
    if (this.#flags[slot] & WATCHING) this.#wake(slot);
  }

  /** The steward has a cell for it. @param {number} slot @param {number} stamp @param {string} how */
  #sit(slot, stamp, how) {
    if (!this.#slots.has(slot, stamp) || this.#flags[slot] & SEATED) return;
    const claimed = this.#registration.settle(slot);
    this.#backlog.settle();
    this.#setFlag(slot, SEATED, true);
    if (how === 'new' && claimed) this.#mail.renumber(slot);
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
    if (!this.#slots.has(slot, stamp)) {
      this.#post(worker, 'mail', toSlot, toStamp, 0);
      return;
    }
    this.#post(worker, 'mail', toSlot, toStamp, ...this.#mail.handOver(slot));
    this.#forwards.add(slot, stamp, parseAddress(successor), this.#slots.secret(slot));
    this.#release(slot, 'replaced');
  }

  /** What waited for it where it was before. @param {number} slot @param {number} stamp @param {number} last @param {string[]} texts */
  #takeMail(slot, stamp, last, texts) {
    if (!this.#slots.has(slot, stamp) || (this.#flags[slot] & MAIL_COMES) === 0) return;
    this.#setFlag(slot, MAIL_COMES, false);
    this.#mail.takeOver(slot, last, texts);
    this.#begin(slot);
  }

  /** If nothing is missing any more, the client is welcomed. @param {number} slot */
  #begin(slot) {
    if (!this.#isReady(slot)) return;
    if (this.#outlets[slot] === undefined) this.#wheel.set(slot, this.#limits.grace_ticks);
    else this.#outlets[slot].wake(slot);
  }

  // Inside.

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
  #address(slot) {
    return addressText(this.#name, slot, this.#slots.stamp(slot));
  }

  /** @param {Outlet} outlet @param {Watching} watching */
  #allocate(outlet, watching) {
    if (this.room === 0) return NOBODY;
    const slot = this.#slots.take();
    this.#backlog.ask();
    this.#flags[slot] = WELCOME | (watching === 'no' ? 0 : WATCHING);
    this.#mail.reset(slot, 0);
    this.#neighbours.clear(slot);
    this.#outlets[slot] = outlet;
    this.#wheel.set(slot, SEATING_TICKS);
    return slot;
  }

  #introduce() {
    this.#registration.introduce((slot) =>
      this.#flags[slot] & SEATED ? this.#neighbours.cell(slot) : NOBODY,
    );
  }

  /** @param {number} slot */
  #leave(slot) {
    this.#registration.rise(slot);
    this.#release(slot, 'gone');
  }

  /** @param {number} slot @param {'replaced' | 'gone' | 'busy'} reason */
  #release(slot, reason) {
    const outlet = this.#outlets[slot];
    if ((this.#flags[slot] & SEATED) === 0) this.#backlog.settle();
    this.#outlets[slot] = undefined;
    this.#mail.reset(slot, 0);
    this.#flags[slot] = 0;
    this.#wheel.clear(slot);
    this.#registration.settle(slot);
    this.#told.delete(slot);
    this.#slots.release(slot);
    outlet?.end(slot, reason);
  }

  /** @param {number} slot */
  #wake(slot) {
    if (this.#isReady(slot)) this.#outlets[slot]?.wake(slot);
  }

  /** @param {number} slot */
  #due(slot) {
    if ((this.#flags[slot] & SEATED) === 0) {
      this.#registration.rise(slot);
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
    const to = this.#neighbours.at(slot, side);
    if (to === undefined) return 'nobody';
    const arrival = arrivalText(text, SIDES[opposite(side)]);
    if (to.worker === this.#name) this.#give(to.slot, to.stamp, arrival);
    else this.#post(to.worker, 'give', to.slot, to.stamp, arrival);
    return 'thrown';
  }
}
