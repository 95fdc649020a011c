// @ts-check
/** The errors of this service, beside those that every service has. A code may be added, never renamed. */

import { problemsOf } from '@plimsoll/service-common/problem.js';

export class Problem extends problemsOf('sprites', {
  malformed_ticket: { status: 400, title: 'The ticket is not one of this service' },
  malformed_after: { status: 400, title: 'The parameter after is not a whole number' },
  unexpected_body: { status: 400, title: 'A request on this port has no body' },
  unsupported_version: { status: 505, title: 'Only HTTP/1.1 and HTTP/1.0 are spoken here' },
  unknown_client: { status: 404, title: 'Nobody has this ticket' },
  nobody_there: { status: 503, title: 'There is nobody yet to throw to' },
  foreign_origin: { status: 403, title: 'Pages of this origin may not use this service' },
  too_many_throws: { status: 429, title: 'Sprites are thrown too often' },
  too_many_joins: { status: 429, title: 'Clients join too often' },
  too_many_connections: { status: 429, title: 'There are too many connections of this address' },
  no_room: { status: 503, title: 'No worker has room for another client' },
}) {}

/** When somebody who was turned away for want of room or of people may come again, in seconds. */
export const RETRY = { headers: ['retry-after', '1'] };
