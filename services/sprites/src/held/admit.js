// @ts-check
/** The client that a request is about, whatever way it is told news. */

import { NOBODY } from '../clients/slots.js';
import { Problem, RETRY } from '../errors.js';
import { parseTicket } from '../ticket.js';

/** @import { Socket } from 'node:net' */
/** @import { Outlet, Watching } from '../clients/types.js' */
/** @import { Port } from './connection.js' */

const LARGEST_NUMBER = 2 ** 32 - 1;

/**
 * What a request says of its client.
 * @typedef {object} Wish
 * @property {string} [ticket]
 * @property {number} [after] the last sprite that the client has
 * @property {Watching} watching
 */

/**
 * @param {URLSearchParams | undefined} query
 * @param {string} [eventId] of the last event, in which ticket and number are
 * @returns {Wish}
 * @throws {Problem} malformed_after
 */
export function wishOf(query, eventId) {
  const watch = query?.get('watch') ?? undefined;
  const watching = watch === undefined ? 'no' : watch === 'now' ? 'now' : 'changes';
  const [ticket, after] = eventId?.split('/') ?? [query?.get('ticket'), query?.get('after')];
  return { ticket: ticket || undefined, after: after ? wholeNumber(after) : undefined, watching };
}

/**
 * The client with the ticket, or a new one.
 * @param {Port} port
 * @param {Socket} socket
 * @param {Outlet} outlet
 * @param {Wish} wish
 * @returns {number} its slot
 * @throws {Problem} malformed_ticket, too_many_joins, no_room
 */
export function admit({ clients, guard }, socket, outlet, { ticket: text, after, watching }) {
  const ticket = text === undefined ? undefined : parseTicket(text);
  const known = ticket === undefined ? NOBODY : clients.find(ticket);
  if (known !== NOBODY) {
    clients.attach(known, outlet, watching);
    clients.acknowledge(known, after);
    return known;
  }
  guard.checkJoin(guard.addressOf(socket));
  const slot =
    ticket === undefined
      ? clients.join(outlet, watching)
      : clients.claim(ticket, after ?? 0, outlet, watching);
  if (slot === NOBODY) throw new Problem('no_room', undefined, RETRY);
  return slot;
}

/** @param {string} text */
function wholeNumber(text) {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= LARGEST_NUMBER) return value;
  throw new Problem('malformed_after', `found ${JSON.stringify(text.slice(0, 20))}`);
}
