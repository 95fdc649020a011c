// @ts-check
/**
 * A connection of the port that holds clients, from its first byte on: requests are read off it, and a long poll waits on
 * it. It is one small object beside its socket, and has no listener, buffer or timer of its own while it is parked.
 */

import { pingText } from '../clients/news.js';
import { NOBODY } from '../clients/slots.js';
import { Problem, RETRY } from '../errors.js';
import { admit, wishOf } from './admit.js';
import { EventStream } from './events.js';
import { MOST_HEAD_BYTES, readRequest } from './request.js';
import { headResponse, newsResponse, problemResponse } from './response.js';

/** @import { Socket } from 'node:net' */
/** @import { Clients } from '../clients/clients.js' */
/** @import { Outlet } from '../clients/types.js' */
/** @import { Gate, Refusal, Tally } from '../guard/gate.js' */
/** @import { Guard } from '../guard/guard.js' */
/** @import { Request } from './request.js' */

/**
 * What all connections of a server have in common.
 * @typedef {object} Port
 * @property {Clients} clients
 * @property {Guard} guard
 * @property {Gate} gate
 * @property {number} ping_ticks from parking until the client is told that all is well
 * @property {number} idle_ticks a client may take until its next request
 * @property {(connection: Connection, request: Request, rest: Buffer | undefined) => void} upgrade to a WebSocket
 * @property {(socket: Socket) => void} expect a client on it soon, or it is cut
 * @property {(socket: Socket) => void} keep it, however long
 * @property {(socket: Socket) => void} ended its last response is written; it is cut if the client does not close it
 * @property {(path: string, status: number) => void} count a response
 */

/** @implements {Outlet} */
export class Connection {
  /** @type {Buffer | undefined} bytes that came and were not read yet */
  #rest;
  /** Whether a poll waits here for its response. */
  #parked = false;
  /** Whether the response that is next ends the connection. */
  #close = false;
  /** Whether bytes are no longer requests. */
  #taken = false;
  slot = NOBODY;

  /** @param {Port} port @param {Socket} socket @param {Tally} tally @param {Refusal} [refusal] what its first request is told */
  constructor(port, socket, tally, refusal) {
    this.port = port;
    this.socket = socket;
    this.tally = tally;
    this.refusal = refusal;
  }

  /** @param {Buffer} bytes */
  receive(bytes) {
    if (this.#taken) return;
    this.#rest = this.#rest === undefined ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#rest.length > MOST_HEAD_BYTES) this.#stem();
    this.#read();
  }

  /** Requests may be sent ahead, but not without end. */
  #stem() {
    if (this.#parked) this.socket.destroy();
    else if (this.socket.writableLength > 0) this.socket.pause();
  }

  /** What was written has left this process. */
  drained() {
    if (this.#taken) return;
    if (this.socket.isPaused()) this.socket.resume();
    this.#read();
  }

  /** The socket is gone. */
  closed() {
    this.#taken = true;
    this.#rest = undefined;
    this.port.gate.leave(this.tally);
    if (this.slot !== NOBODY) this.port.clients.detach(this.slot, this);
  }

  // As the outlet of a client.

  wake() {
    if (this.#parked) this.#respond();
  }

  /** @param {number} slot */
  due(slot) {
    const { clients, idle_ticks } = this.port;
    if (this.#parked) this.#write(pingText(clients.collected(slot)));
    else this.socket.destroy();
    return idle_ticks;
  }

  /** @param {number} _slot @param {'replaced' | 'gone' | 'busy'} reason */
  end(_slot, reason) {
    this.slot = NOBODY;
    if (reason === 'busy') {
      this.#refuse(new Problem('no_room', 'the steward of the lattice does not respond', RETRY), true);
    } else if (this.#parked) {
      this.#close = true;
      this.#write(`{"next":0,"${reason}":true,"sprites":[]}`);
    } else {
      // Between two requests: the next one may be for another client.
      this.port.expect(this.socket);
    }
  }

  // Requests.

  #read() {
    // A response that was not taken yet keeps the next request waiting, so that a slow reader costs one response.
    while (!this.#parked && !this.#taken && this.#rest !== undefined && this.socket.writableLength === 0) {
      let request;
      try {
        request = readRequest(this.#rest);
        if (request === undefined) return;
        this.#rest = this.#rest.length === request.end ? undefined : this.#rest.subarray(request.end);
        this.#close = request.close;
        this.#serve(request);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const close = request === undefined || request.close || this.refusal !== undefined;
        this.#refuse(error, close, request?.method !== 'HEAD');
      }
    }
  }

  /** @param {Request} request */
  #serve(request) {
    const { method, path, headers } = request;
    if (this.refusal !== undefined) throw this.port.gate.problem(this.refusal);
    this.port.guard.checkOrigin(headers.origin);
    if (path !== '/poll' && path !== '/events' && path !== '/socket') throw new Problem('path_not_found');
    if (method === 'HEAD') {
      this.#end(headResponse(request.close), request.close);
      return;
    }
    if (method !== 'GET') {
      throw new Problem('method_not_allowed', `found ${method}, expected GET, HEAD`, {
        headers: ['allow', 'GET, HEAD'],
      });
    }
    if (path === '/socket') this.port.upgrade(this, request, this.#takeOver());
    else if (path === '/events') this.#stream(request);
    else this.#poll(request);
  }

  /** @param {Request} request */
  #poll({ query }) {
    const { clients, ping_ticks } = this.port;
    if (query === undefined && this.slot !== NOBODY) {
      // The next request says that the response before it has arrived.
      clients.acknowledge(this.slot);
    } else {
      const slot = admit(this.port, this.socket, this, wishOf(query));
      if (this.slot !== NOBODY && this.slot !== slot) clients.detach(this.slot, this);
      this.slot = slot;
      this.port.keep(this.socket);
    }
    this.#parked = true;
    if (clients.hasNews(this.slot)) this.#respond();
    else clients.schedule(this.slot, ping_ticks);
  }

  /** @param {Request} request */
  #stream({ query, headers }) {
    this.#letGo();
    const stream = new EventStream(this.port, this.socket);
    // A browser that comes back by itself sends the id of the last event.
    stream.open(wishOf(query, headers['last-event-id'] || undefined));
    this.#takeOver();
    this.socket.on('drain', () => stream.drained());
    this.socket.on('close', () => stream.closed());
  }

  /** From now on the socket is somebody else's. @returns {Buffer | undefined} what has come already */
  #takeOver() {
    const rest = this.#rest;
    this.#letGo();
    this.#rest = undefined;
    this.#taken = true;
    this.port.keep(this.socket);
    return rest;
  }

  /** The client that it had, if any, may have another outlet. */
  #letGo() {
    if (this.slot !== NOBODY) this.port.clients.detach(this.slot, this);
    this.slot = NOBODY;
  }

  #respond() {
    this.#write(this.port.clients.collect(this.slot));
    this.port.clients.schedule(this.slot, this.port.idle_ticks);
  }

  /** Responds to the poll that waits. @param {string} body */
  #write(body) {
    this.#parked = false;
    this.port.count('/poll', 200);
    this.#end(newsResponse(body, this.#close), this.#close);
    if (this.#rest !== undefined) setImmediate(() => this.drained());
  }

  /** @param {Problem} problem @param {boolean} close @param {boolean} [body] */
  #refuse(problem, close, body = true) {
    this.#parked = false;
    this.port.count('none', problem.status);
    this.#end(problemResponse(problem, { close, body }), close);
  }

  /** @param {string} bytes @param {boolean} close */
  #end(bytes, close) {
    if (close) {
      this.#taken = true;
      this.#rest = undefined;
      this.socket.end(bytes);
      this.port.ended(this.socket);
    } else {
      this.socket.write(bytes);
    }
  }
}
