// @ts-check
/** Counts the connections of the port for short requests. What is one too many is told so in the response to its first request. */

/** @import { Socket } from 'node:net' */
/** @import { Guard } from '../guard/guard.js' */

/** For a connection that is one too many to send a request. */
const REFUSAL_MS = 500;

/** @type {WeakMap<Socket, import('../errors.js').Problem>} */
const refusals = new WeakMap();

/** @param {Socket} socket */
export function refusalOf(socket) {
  return refusals.get(socket);
}

/** @param {Guard} guard @param {number} most connections */
export function createDoorway(guard, most) {
  const gate = guard.gate(most);
  return {
    gate,
    /** @param {Socket} socket */
    enter(socket) {
      const tally = gate.enter(guard.addressOf(socket));
      const refusal = gate.refusal(tally);
      const cut = refusal === undefined ? undefined : setTimeout(() => socket.destroy(), REFUSAL_MS);
      socket.once('close', () => {
        clearTimeout(cut);
        gate.leave(tally);
      });
      if (refusal !== undefined) refusals.set(socket, gate.problem(refusal, 'connection', 'close'));
      if (gate.isFlooded(tally)) socket.destroy();
    },
  };
}
