// @ts-check
/** The client that a request is about, whatever way it is told news. */

import { Problem } from '../errors.js';
import { parseTicket } from '../ticket.js';

/** @import { Clients, Outlet } from '../clients/clients.js' */

const NOBODY = -1;
const LARGEST_NUMBER = 2 ** 32 - 1;

/** When somebody who was turned away may come again, in seconds. */
export const RETRY = { headers: ['retry-after', '1'] };

/**
 * The client that a request is about: the one with the ticket, or a new one.
 * @param {Clients} clients
 * @param {Outlet} outlet
 * @param {string | null | undefined} ticketText
 * @param {string | null | undefined} afterText the last sprite that the client has
 * @param {boolean} watching
 * @returns {number} its slot
 * @throws {Problem} malformed_ticket, malformed_after, no_room
 */
export function admit(clients, outlet, ticketText, afterText, watching) {
  const after = afterText ? wholeNumber(afterText) : undefined;
  let slot = NOBODY;
  if (ticketText) {
    const ticket = parseTicket(ticketText);
    slot = clients.find(ticket);
    if (slot !== NOBODY) {
      clients.attach(slot, outlet, watching);
      if (after === undefined) clients.acknowledgeCollected(slot);
      else clients.acknowledge(slot, after);
      return slot;
    }
    slot = clients.claim(ticket, after ?? 0, outlet, watching);
  } else {
    slot = clients.join(outlet, watching);
  }
  if (slot === NOBODY) throw new Problem('no_room', undefined, RETRY);
  return slot;
}

/** @param {string} text */
function wholeNumber(text) {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= LARGEST_NUMBER) return value;
  throw new Problem('malformed_after', `found ${JSON.stringify(text.slice(0, 20))}`);
}
