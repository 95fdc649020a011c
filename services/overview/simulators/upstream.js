// @ts-check
/**
 * One simulated upstream: a server on a port of its own, as services have in life, so that each has its own pool of
 * connections at its callers. Its response time is drawn when a request arrives and waited for by a timer, without
 * work in between: it does not depend on how many requests there are.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { lead } from '../src/page/flow.js';
import { Scope } from '../src/page/scope.js';
import { createCaller } from '../src/upstream/caller.js';
import { createRandom, draw } from './distribution.js';
import { invented, respondBroken } from './modes.js';
import { readSlip } from './slip.js';

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */
/** @import { Part } from '../src/page/parts.js' */
/** @import { Transport } from '../src/upstream/caller.js' */
/** @import { ResponseTime } from './distribution.js' */
/** @import { Mode } from './modes.js' */

const KEEP_ALIVE_MS = 65_000;
const PART = /^\/parts\/([a-z0-9-]{1,32})(?:\?basis=([a-z0-9-]+(?:,[a-z0-9-]+)*))?$/;

export class Upstream {
  /** @type {Server | undefined} */
  #server;
  #random;
  #call;
  /** Requests, those whose caller left before the response, and connections since the start. */
  counts = { requests: 0, abandoned: 0, connections: 0 };
  /** How much later than drawn the responses were, in µs. */
  lateness = createHistogram();
  /** @type {Mode} */
  mode = 'normal';
  port = 0;

  /**
   * @param {object} parts
   * @param {string} parts.name
   * @param {ResponseTime} parts.response_time
   * @param {number} parts.seed
   * @param {Transport} parts.transport by which it calls others when it leads a block
   * @param {Map<string, string>} parts.origins of all upstreams
   */
  constructor({ name, response_time, seed, transport, origins }) {
    this.name = name;
    this.response_time = response_time;
    this.#random = createRandom(seed, name);
    this.#call = createCaller(transport, origins);
  }

  get origin() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Listens; on the same port as before, if it did. */
  async open() {
    if (this.#server !== undefined) return;
    const server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS },
      (req, res) => void this.#respond(req, res),
    );
    server.on('connection', () => {
      this.counts.connections += 1;
    });
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
    this.#server = server;
  }

  /** Listens no more and cuts every connection, so that callers are refused. */
  async close() {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  /** @param {Mode} mode */
  async setMode(mode) {
    this.mode = mode;
    await (mode === 'refusing' ? this.close() : this.open());
  }

  /** @param {IncomingMessage} req @param {ServerResponse} res */
  async #respond(req, res) {
    this.counts.requests += 1;
    const scope = new Scope();
    res.once('close', () => {
      if (res.writableFinished) return;
      this.counts.abandoned += 1;
      scope.end('client_gone');
    });
    if (this.mode === 'dead') return;
    const part = PART.exec(req.url ?? '');
    if (req.method === 'GET' && part !== null) {
      await this.#wait(scope);
      if (scope.ended !== undefined || respondBroken(this.mode, res)) return;
      send(res, 200, this.#content(part[1], part[2]?.split(',') ?? []));
    } else if (req.method === 'POST' && req.url === '/flow') {
      const slip = await readSlip(req, this.name);
      if (slip === undefined) return send(res, 400, { error: 'not a slip' });
      const ownPart = () => this.#ownPart(slip.account, slip.basis, scope);
      const blocks = await lead(this.#call, slip, ownPart, scope);
      if (scope.ended !== undefined || respondBroken(this.mode, res)) return;
      send(res, 200, this.mode === 'inventive' ? invented(blocks, this.name) : blocks);
    } else {
      send(res, 404, { error: 'expected GET /parts/{account} or POST /flow' });
    }
  }

  /** @param {string} account @param {string[]} basis @param {Scope} scope @returns {Promise<Part>} */
  async #ownPart(account, basis, scope) {
    await this.#wait(scope);
    return { name: this.name, status: 'present', content: this.#content(account, basis) };
  }

  /**
   * The drawn time, or until the caller leaves. A timer of Node.js may fire up to 1 ms early, because it counts from
   * the start of the loop's turn; then the rest is waited for.
   * @param {Scope} scope
   * @returns {Promise<void>}
   */
  #wait(scope) {
    const due_ms = performance.now() + draw(this.response_time, this.#random);
    return new Promise((resolve) => {
      const wake = () => {
        const late_ms = performance.now() - due_ms;
        if (late_ms < 0) {
          timer = setTimeout(wake, -late_ms);
          return;
        }
        this.lateness.record(Math.max(1, Math.round(late_ms * 1000)));
        scope.release(cancel);
        resolve();
      };
      const cancel = () => {
        clearTimeout(timer);
        resolve();
      };
      let timer = setTimeout(wake, due_ms - performance.now());
      scope.hold(cancel);
    });
  }

  /** Some 300 bytes that depend on nothing but the question. @param {string} account @param {string[]} basis */
  #content(account, basis) {
    const entries = [1, 2, 3, 4].map((number) => ({
      id: `${this.name}-${number}`,
      amount_cents: account.length * 1000 + number,
      label: `entry ${number} of ${account}`,
    }));
    return { reference: `${this.name}-${account}`, account, basis, entries };
  }
}

/** @param {ServerResponse} res @param {number} status @param {unknown} value */
function send(res, status, value) {
  const body = JSON.stringify(value);
  res.writeHead(status, ['content-type', 'application/json', 'content-length', `${Buffer.byteLength(body)}`]);
  res.end(body);
}
