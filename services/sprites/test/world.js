// @ts-check
/**
 * A world without sockets and clocks: workers and a steward on a bus that hands on one text after the other, and clients
 * that read when they are told to. Every test of what workers say to each other steps through it.
 */

import { createOutbox, EVERY_WORKER, forEachLine, STEWARD } from '../src/bus/bus.js';
import { Clients } from '../src/clients/clients.js';
import { Steward } from '../src/steward/steward.js';
import { parseTicket } from '../src/ticket.js';

/** @import { Target } from '../src/sprite.js' */

export const PATIENCE = { settling_ticks: 2, silent_ticks: 3, grace_ticks: 4 };
const CAPACITY = 64;

/** @param {{ capacity?: number, mail?: number, grace_ticks?: number, random?: () => number }} [options] */
export function createWorld({ capacity = CAPACITY, mail = 4, grace_ticks = 6, random = Math.random } = {}) {
  /** @type {Map<string, { clients: Clients, flush: () => void }>} */
  const workers = new Map();
  /** @type {{ steward: Steward, flush: () => void } | undefined} */
  let keeping;
  /** @type {[string, string][]} */
  const queue = [];
  let names = 0;
  let secrets = 0;

  /** @param {string} to @param {string} text */
  function send(to, text) {
    queue.push([to, text]);
  }

  /** Hands on what is under way, until nothing is. */
  function settle() {
    for (;;) {
      keeping?.flush();
      for (const { flush } of workers.values()) flush();
      const next = queue.shift();
      if (next === undefined) return;
      const [to, text] = next;
      if (to === STEWARD) forEachLine(text, (from, fields) => keeping?.steward.receive(from, fields));
      for (const [name, { clients }] of workers) {
        if (to === name || to === EVERY_WORKER) {
          forEachLine(text, (from, fields) => clients.receive(from, fields));
        }
      }
    }
  }

  const world = {
    workers,
    settle,
    steward: () => /** @type {{ steward: Steward }} */ (keeping).steward,

    startSteward() {
      const outbox = createOutbox(STEWARD, send);
      const steward = new Steward({ post: outbox.post, patience: PATIENCE });
      keeping = { steward, flush: outbox.flush };
      steward.start();
      settle();
      for (let tick = 0; tick < PATIENCE.settling_ticks; tick += 1) world.tick();
      return steward;
    },

    killSteward() {
      keeping = undefined;
    },

    startWorker() {
      const name = `w${names++}`;
      const outbox = createOutbox(name, send);
      const clients = new Clients({
        name,
        limits: { capacity, mail, grace_ticks },
        post: outbox.post,
        secret: () => (++secrets).toString(16).padStart(16, '0'),
        random,
      });
      workers.set(name, { clients, flush: outbox.flush });
      clients.introduce(`http://${name}`, true);
      settle();
      return clients;
    },

    /** @param {string} name */
    killWorker(name) {
      workers.delete(name);
    },

    tick() {
      for (const { clients } of workers.values()) {
        clients.tick();
        clients.pulse();
      }
      settle();
      keeping?.steward.tick();
      settle();
    },
  };
  return world;
}

/** @typedef {ReturnType<typeof createWorld>} World */

/**
 * A client that reads at once, or only when told to.
 */
export class Reader {
  /** @type {any[]} */
  sprites = [];
  missed = 0;
  restarts = 0;
  ticket = '';
  after = 0;
  /** @type {any} */
  place;
  /** @type {string | undefined} why it has no client any more */
  ended;
  slot = -1;
  reads = true;
  moves = 0;

  /** @param {Clients} clients */
  constructor(clients) {
    this.clients = clients;
  }

  join() {
    this.slot = this.clients.join(this, 'changes');
    return this;
  }

  /** Comes back with its ticket, as a client does. @param {Clients} clients */
  comeBack(clients) {
    this.clients = clients;
    this.ended = undefined;
    const ticket = parseTicket(this.ticket);
    this.slot = clients.find(ticket);
    if (this.slot === -1) {
      this.slot = clients.claim(ticket, this.after, this, 'changes');
      return;
    }
    clients.attach(this.slot, this, 'now');
    clients.acknowledge(this.slot, this.after);
    this.wake();
  }

  /** The connection breaks. */
  drop() {
    if (this.slot !== -1) this.clients.detach(this.slot, this);
    this.slot = -1;
  }

  wake() {
    if (this.reads && this.slot !== -1 && this.clients.hasNews(this.slot)) this.read();
  }

  read() {
    const news = JSON.parse(this.clients.collect(this.slot));
    this.missed += news.missed ?? 0;
    this.restarts += news.restarted ? 1 : 0;
    this.moves += news.move ? 1 : 0;
    this.ticket = news.ticket ?? this.ticket;
    this.place = news.place ?? this.place;
    this.sprites.push(...news.sprites);
    this.after = news.next;
    this.clients.acknowledge(this.slot, this.after);
  }

  due() {
    return 5;
  }

  /** @param {number} _slot @param {string} reason */
  end(_slot, reason) {
    this.slot = -1;
    this.ended = reason;
  }

  /** @param {Target} to @param {number | string} name */
  throw(to, name) {
    return this.clients.throw(this.slot, to, JSON.stringify({ name: `${name}` }));
  }

  get names() {
    return this.sprites.map(({ name }) => name);
  }
}
