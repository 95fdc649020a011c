// @ts-check
/**
 * The request that a game client makes all the time. Warm, it costs two JSON.parse (the body, the profile) and
 * one JSON.stringify (the profile, whose text goes to the working set, to the client and to the store). The session and
 * the profile are parsed together.
 */

import { refreshStanding } from '../game/standing.js';
import { ACTIONS, takeTurn } from '../game/turn.js';
import { compile, readJson } from '../http/body.js';
import { identify, profileReply, requireMatch } from './exchange.js';

/** @import { Route } from '@plimsoll/service-common/router.js' */

const validTurn =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ action: import('../game/turn.js').Action }>} */ (
    compile({
      type: 'object',
      properties: { action: { enum: ACTIONS } },
      required: ['action'],
      additionalProperties: false,
    })
  );

/**
 * @param {import('../app.js').Parts} parts
 * @returns {Route[]}
 */
export function turnRoutes(parts) {
  const { profiles, bounds, metrics } = parts;
  return [
    {
      pattern: '/profiles/{id}/turns',
      methods: {
        async POST(exchange) {
          const { id, req } = exchange;
          const { user, found } = await identify(parts, exchange, id);
          const { action } = validTurn(await readJson(req, bounds));
          const held = await profiles.change(id, user, found, (profile, now_ms, warm) => {
            // A client that was left without a response can ask again in this way: the turn is not taken twice.
            if (req.headers['if-match'] !== undefined) requireMatch(req, profile);
            if (!warm) refreshStanding(profile, now_ms);
            takeTurn(profile, action, now_ms);
            return profile;
          });
          metrics.turn(held.warm);
          return profileReply(200, held);
        },
      },
    },
  ];
}
