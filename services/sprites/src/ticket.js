// @ts-check
/**
 * What a client comes back with: where it is held, and a secret. An address, its public part, is where sprites for it go:
 * the worker, the slot there, and a stamp that tells the clients apart who have that slot one after the other.
 */

import { Problem } from './errors.js';

/**
 * @typedef {{ worker: string, slot: number, stamp: number }} Address
 * @typedef {Address & { secret: string }} Ticket
 */

const TICKET = /^([a-z0-9]{1,16})\.(\d{1,7})\.(\d{1,10})\.([0-9a-f]{16})$/;

/** @param {string} worker @param {number} slot @param {number} stamp */
export function addressText(worker, slot, stamp) {
  return `${worker}.${slot}.${stamp}`;
}

/** The one way to write it. @param {Ticket} ticket */
export function ticketText({ worker, slot, stamp, secret }) {
  return `${addressText(worker, slot, stamp)}.${secret}`;
}

/** @param {string} text @returns {Address} of a text that `addressText` made */
export function parseAddress(text) {
  const [worker, slot, stamp] = text.split('.');
  return { worker, slot: Number(slot), stamp: Number(stamp) };
}

/** @param {string} text from outside @returns {Ticket} @throws {Problem} malformed_ticket */
export function parseTicket(text) {
  const found = TICKET.exec(text);
  if (found === null) throw new Problem('malformed_ticket', `found ${JSON.stringify(text.slice(0, 100))}`);
  return { worker: found[1], slot: Number(found[2]), stamp: Number(found[3]), secret: found[4] };
}
