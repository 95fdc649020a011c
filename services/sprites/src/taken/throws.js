// @ts-check
/** Sprites come in, clients leave, and those who come are told where to go. */

import { jsonReader } from '@plimsoll/service-common/body.js';
import { Problem, RETRY } from '../errors.js';
import { spriteText, validLeave, validPostedThrow, validStrangersThrow } from '../sprite.js';
import { parseTicket, ticketText } from '../ticket.js';

/** @import { Reply, Route } from '@plimsoll/service-common/router.js' */
/** @import { Outcome } from '../clients/types.js' */

const readJson = jsonReader(Problem);

/** @param {import('./app.js').Parts} parts @returns {Route[]} */
export function throwRoutes({ clients, guard, bounds, strangers }) {
  return [
    {
      pattern: '/throw',
      methods: {
        async POST({ req }) {
          const address = guard.addressOf(req.socket);
          const body = await readJson(req, bounds);
          if (strangers && isStranger(body)) {
            const { sprite } = validStrangersThrow(body);
            guard.checkThrow(address);
            const outcome = clients.throwAnywhere(spriteText(sprite));
            if (outcome === 'nobody') throw new Problem('nobody_there', undefined, RETRY);
            return taken(outcome);
          }
          const { ticket: text, to, sprite } = validPostedThrow(body);
          const ticket = parseTicket(text);
          guard.checkThrow(address, ticketText(ticket));
          return taken(clients.throwFor(ticket, to, spriteText(sprite)));
        },
      },
    },
    {
      pattern: '/leave',
      methods: {
        async POST({ req }) {
          const address = guard.addressOf(req.socket);
          const { ticket } = validLeave(await readJson(req, bounds));
          guard.checkThrow(address);
          return taken(clients.leaveFor(parseTicket(ticket)));
        },
      },
    },
    {
      pattern: '/place',
      methods: {
        GET() {
          const mate = clients.crew.anyByRoom();
          if (mate === undefined) throw new Problem('no_room', undefined, RETRY);
          return json({ url: mate.url });
        },
      },
    },
    {
      pattern: '/presence',
      methods: {
        GET: () => json({ people: clients.crew.people, workers: clients.crew.mates }),
      },
    },
  ];
}

/** @param {any} body */
function isStranger(body) {
  return body?.ticket === undefined;
}

/** Another worker may have the last word on what was taken, so no more is said than that. @param {Outcome} outcome @returns {Reply} */
function taken(outcome) {
  if (outcome === 'unknown') throw new Problem('unknown_client');
  return { status: 202, headers: [], body: '' };
}

/** @param {unknown} value @returns {Reply} */
function json(value) {
  return {
    status: 200,
    headers: ['content-type', 'application/json', 'cache-control', 'no-store'],
    body: JSON.stringify(value),
  };
}
