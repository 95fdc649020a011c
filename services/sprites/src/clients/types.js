// @ts-check
/** What clients are handed and hand back. */

/**
 * The way to a client. Whoever has the newest one has the client.
 * @typedef {object} Outlet
 * @property {(slot: number) => void} wake there is news; it may be collected now or later
 * @property {(slot: number) => number} due its time is over; returns the ticks until it is over again
 * @property {(slot: number, reason: 'replaced' | 'gone' | 'busy') => void} end it has no client any more: another
 *   outlet has it, or there is no such client, or it was not seated in time
 */

/**
 * Whether a client wants to know where it is and who is next to it: not at all, when that changes, or now as well.
 * @typedef {'no' | 'changes' | 'now'} Watching
 */

/**
 * @typedef {object} Limits
 * @property {number} capacity clients at most
 * @property {number} mail sprites that wait for a client at most; of more, the oldest go
 * @property {number} grace_ticks from the end of the last outlet until a client leaves
 */

/**
 * `thrown`: on its way. `nobody`: nobody is on that side, or there is nobody at all. `unknown`: no such client.
 * @typedef {'thrown' | 'nobody' | 'unknown'} Outcome
 */

export {};
