// @ts-check
/**
 * Two layouts of a push server in memory: as it was published, with an object for each place of the topology, all made beforehand, and a
 * parked response for each client; and the lean one of services/sprites, with arrays of numbers and a socket for each client. No
 * descriptor is opened: responses and sockets are what they are in a server, but for their handles.
 */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Lattice } from '../../services/sprites/src/lattice/lattice.js';

const SIDES = 4;

/**
 * @typedef {object} Layout
 * @property {(client: number, side: number) => number} neighbour a client, or -1
 * @property {(client: number) => void} renew its poll ends, and the next one waits
 * @property {(client: number, text: string) => void} keep a sprite that waits for it, until it is renewed
 */

/** @type {Record<string, (places: number, clients: number) => Layout>} */
export const LAYOUTS = { published, lean };

/** @param {number} places @param {number} clients @returns {Layout} */
function published(places, clients) {
  /** @typedef {{ x: number, y: number, client: Parked | undefined, sides: (Place | undefined)[] }} Place */
  /** @typedef {{ number: number, place: Place, response: ServerResponse, waiting: { text: string }[] }} Parked */
  const width = Math.ceil(Math.sqrt(places));
  /** @type {Place[]} */
  const grid = [];
  for (let at = 0; at < places; at += 1) {
    grid.push({ x: at % width, y: Math.floor(at / width), client: undefined, sides: [] });
  }
  for (const [at, place] of grid.entries()) {
    place.sides = [
      grid[at - width],
      place.x + 1 < width ? grid[at + 1] : undefined,
      grid[at + width],
      place.x > 0 ? grid[at - 1] : undefined,
    ];
  }
  /** @type {Parked[]} */
  const parked = [];
  for (let number = 0; number < clients; number += 1) {
    const place = grid[number];
    const client = { number, place, response: responseOf(new Socket()), waiting: [] };
    place.client = client;
    parked.push(client);
  }
  return {
    neighbour: (client, side) => parked[client].place.sides[side % SIDES]?.client?.number ?? -1,
    renew(client) {
      const one = parked[client];
      one.waiting = [];
      one.response = responseOf(one.response.req.socket);
    },
    keep: (client, text) => void parked[client].waiting.push({ text }),
  };
}

/** @param {Socket} socket */
function responseOf(socket) {
  return new ServerResponse(new IncomingMessage(socket));
}

/** @param {number} _places it makes none beforehand @param {number} clients @returns {Layout} */
function lean(_places, clients) {
  const lattice = new Lattice();
  /** @type {Socket[]} */
  const sockets = [];
  /** @type {Map<number, string[]>} */
  const waiting = new Map();
  for (let client = 0; client < clients; client += 1) {
    lattice.join(client);
    sockets.push(new Socket());
  }
  return {
    neighbour: (client, side) => lattice.neighbour(client, side % SIDES),
    // The socket stays; nothing was made for the poll.
    renew: (client) => void waiting.delete(client),
    keep(client, text) {
      const some = waiting.get(client);
      if (some === undefined) waiting.set(client, [text]);
      else some.push(text);
    },
  };
}
