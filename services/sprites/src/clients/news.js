// @ts-check
/** What a client is told, as the text that every way of being told has: a response, an event, a WebSocket message. */

/**
 * @typedef {object} Place where it is, for one that wants to know
 * @property {string} you
 * @property {number[]} cell x and y
 * @property {Record<string, string>} neighbours by side
 * @property {number} people
 */

/**
 * @param {object} news
 * @param {number} news.next the number of the last sprite here
 * @param {string[]} news.sprites
 * @param {number} news.missed sprites that did not fit into the mailbox, before these
 * @param {string | undefined} news.ticket
 * @param {boolean} news.restarted what waited on a worker that crashed is lost
 * @param {Place | undefined} news.place
 * @param {boolean} news.move the worker is about to stop: ask where to go, and come with the ticket
 */
export function newsText({ next, sprites, missed, ticket, restarted, place, move }) {
  let text = `{"next":${next}`;
  if (missed > 0) text += `,"missed":${missed}`;
  if (restarted) text += ',"restarted":true';
  if (move) text += ',"move":true';
  if (ticket !== undefined) text += `,"ticket":"${ticket}"`;
  if (place !== undefined) text += `,"place":${JSON.stringify(place)}`;
  return `${text},"sprites":[${sprites.join(',')}]}`;
}

/** That there is nothing new. @param {number} next */
export function pingText(next) {
  return `{"next":${next},"sprites":[]}`;
}

/** A sprite with where it came in. @param {string} text a JSON object with members @param {string} from */
export function arrivalText(text, from) {
  return `{"from":"${from}",${text.slice(1)}`;
}
