// @ts-check
/** What is known of a client as bits of one number. */

export const SEATED = 1;
/** What waits for it is still on its way from another worker. */
export const MAIL_COMES = 2;
/** It has not been told its ticket. */
export const WELCOME = 4;
/** It wants to know its neighbours. */
export const WATCHING = 8;
/** It has neighbours that it was not told of. */
export const MOVED = 16;
/** What waited for it is lost with the worker that it had before. */
export const RESTARTED = 32;
export const DRAINING = 64;
