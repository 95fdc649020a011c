// @ts-check
/** A client on a WebSocket (RFC 6455, by ws): it is told news, and throws and acknowledges on the same connection. */

import { parseJson } from '@plimsoll/service-common/json.js';
import { WebSocketServer } from 'ws';
import { NOBODY } from '../clients/slots.js';
import { Problem } from '../errors.js';
import { spriteText, validThrow } from '../sprite.js';
import { admit, wishOf } from './admit.js';

/** @import { WebSocket } from 'ws' */
/** @import { Outlet } from '../clients/types.js' */
/** @import { Connection, Port } from './connection.js' */
/** @import { Request } from './request.js' */

const GOING_AWAY = 1001;
const MALFORMED = 1007;
const AGAINST_POLICY = 1008;
const TRY_AGAIN = 1013;
const REPLACED = 4000;
/** Messages in a row that are refused until the connection is closed. */
const MOST_REFUSALS = 64;

/**
 * @param {() => Port} port
 * @param {number} message_bytes that a client may send at once
 * @returns {Port['upgrade']}
 */
export function createUpgrade(port, message_bytes) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: message_bytes,
  });

  return function upgrade({ socket }, request, rest) {
    const parts = { headers: request.headers, method: request.method, url: request.url };
    server.handleUpgrade(/** @type {any} */ (parts), socket, rest ?? Buffer.alloc(0), (webSocket) => {
      port().count('/socket', 101);
      new WebSocketClient(port(), webSocket, socket).open(request);
    });
  };
}

/** @implements {Outlet} */
class WebSocketClient {
  #slot = NOBODY;
  /** Whether the client has said something since the last ping. */
  #alive = true;
  /** Messages refused since the last one that was taken. */
  #refusals = 0;

  /** @param {Port} port @param {WebSocket} webSocket @param {import('node:net').Socket} socket under it */
  constructor(port, webSocket, socket) {
    this.port = port;
    this.webSocket = webSocket;
    this.socket = socket;
    webSocket.on('message', (data, isBinary) => this.#receive(`${data}`, isBinary));
    webSocket.on('pong', () => {
      this.#alive = true;
    });
    webSocket.on('close', () => this.#closed());
    // What is not a frame closes the connection, and that is all there is to do.
    webSocket.on('error', () => {});
    socket.on('drain', () => this.wake());
  }

  /** @param {Request} request */
  open({ query }) {
    const { clients, ping_ticks } = this.port;
    try {
      this.#slot = admit(this.port, this.socket, this, wishOf(query));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.webSocket.send(`{"problem":${error.toText()}}`);
      const again = error.status === 503 || error.status === 429;
      this.webSocket.close(again ? TRY_AGAIN : MALFORMED, error.code);
      return;
    }
    clients.schedule(this.#slot, ping_ticks);
    this.wake();
  }

  /** At most one message is on its way to a slow reader; the rest waits in the mailbox, which is bounded. */
  wake() {
    const { clients, ping_ticks } = this.port;
    if (this.#slot === NOBODY || this.socket.writableLength > 0 || !clients.hasNews(this.#slot)) return;
    this.webSocket.send(clients.collect(this.#slot));
    clients.schedule(this.#slot, ping_ticks);
  }

  due() {
    if (!this.#alive) this.webSocket.terminate();
    else if (this.socket.writableLength === 0) this.webSocket.ping();
    this.#alive = false;
    return this.port.ping_ticks;
  }

  /** @param {number} _slot @param {'replaced' | 'gone' | 'busy'} reason */
  end(_slot, reason) {
    this.#slot = NOBODY;
    const code = { replaced: REPLACED, gone: GOING_AWAY, busy: TRY_AGAIN }[reason];
    this.webSocket.close(code, reason);
  }

  /** @param {string} text @param {boolean} isBinary */
  #receive(text, isBinary) {
    this.#alive = true;
    const { clients, guard } = this.port;
    if (this.#slot === NOBODY) return;
    try {
      const message = isBinary ? undefined : parseJson(text);
      if (message?.throw !== undefined) {
        const { to, sprite } = validThrow(message.throw);
        guard.checkThrow(guard.addressOf(this.socket), clients.ticket(this.#slot));
        clients.throw(this.#slot, to, spriteText(sprite));
      } else if (Number.isInteger(message?.acknowledge) && message.acknowledge >= 0) {
        clients.acknowledge(this.#slot, message.acknowledge);
      } else {
        throw new Problem(
          'invalid_body',
          'expected an object with throw, or with acknowledge and a whole number',
        );
      }
      this.#refusals = 0;
    } catch (error) {
      const problem =
        error instanceof Problem
          ? error
          : new Problem('malformed_json', /** @type {Error} */ (error).message);
      // One that does not read is told nothing.
      if (this.socket.writableLength === 0) this.webSocket.send(`{"problem":${problem.toText()}}`);
      this.#refusals += 1;
      if (this.#refusals >= MOST_REFUSALS) this.webSocket.close(AGAINST_POLICY, 'too_many_refusals');
    }
  }

  #closed() {
    if (this.#slot !== NOBODY) this.port.clients.detach(this.#slot, this);
  }
}
