// @ts-check
/** A client that is told by server-sent events (the WHATWG HTML standard, 9.2). */

import { NOBODY } from '../clients/slots.js';
import { admit } from './admit.js';
import { eventsHead } from './response.js';

/** @import { Socket } from 'node:net' */
/** @import { Outlet } from '../clients/types.js' */
/** @import { Wish } from './admit.js' */
/** @import { Port } from './connection.js' */

/** When a browser comes back after its connection broke. */
const RETRY_MS = 2_000;

/** @implements {Outlet} */
export class EventStream {
  #slot = NOBODY;
  /** Whether the last ping has not left this process. */
  #stalled = false;

  /** @param {Port} port @param {Socket} socket */
  constructor(port, socket) {
    this.port = port;
    this.socket = socket;
  }

  /** @param {Wish} wish */
  open(wish) {
    const { clients, ping_ticks, count } = this.port;
    this.#slot = admit(this.port, this.socket, this, wish);
    this.socket.write(`${eventsHead()}retry: ${RETRY_MS}\n\n`);
    count('/events', 200);
    clients.schedule(this.#slot, ping_ticks);
    this.wake();
  }

  /** At most one event is on its way to a slow reader; the rest waits in the mailbox, which is bounded. */
  wake() {
    const { clients, ping_ticks } = this.port;
    if (this.#slot === NOBODY || this.socket.writableLength > 0 || !clients.hasNews(this.#slot)) return;
    const text = clients.collect(this.#slot);
    const id = `${clients.ticket(this.#slot)}/${clients.collected(this.#slot)}`;
    this.socket.write(`id: ${id}\ndata: ${text}\n\n`);
    clients.schedule(this.#slot, ping_ticks);
  }

  due() {
    const waits = this.socket.writableLength > 0;
    if (waits && this.#stalled) this.socket.destroy();
    else if (!waits) this.socket.write(':\n\n');
    this.#stalled = waits;
    return this.port.ping_ticks;
  }

  /** @param {number} _slot @param {'replaced' | 'gone' | 'busy'} reason */
  end(_slot, reason) {
    this.#slot = NOBODY;
    this.socket.end(`event: end\ndata: {"${reason}":true}\n\n`);
    this.port.ended(this.socket);
  }

  drained() {
    this.wake();
  }

  closed() {
    if (this.#slot !== NOBODY) this.port.clients.detach(this.#slot, this);
  }
}
