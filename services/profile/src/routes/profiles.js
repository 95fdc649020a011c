// @ts-check
/** Profiles as resources: read, settings replaced, removed, cloned. */

import { randomUUID } from 'node:crypto';
import { Problem } from '../errors.js';
import { compile, readJson } from '../http/body.js';
import { etagOf, matches } from '../http/etag.js';
import { identify, profileReply, requireMatch } from './exchange.js';

/** @import { Route } from '@plimsoll/service-common/router.js' */
/** @import { Settings } from '../game/profile.js' */
/** @import { Validator } from '@plimsoll/service-common/shapes.js' */

const flag = { type: 'boolean' };

/** What a player may set; the rest of a profile is the game's. */
const validChoice = /** @type {Validator<{ name: string, settings: Settings }>} */ (
  compile({
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 32 },
      settings: {
        type: 'object',
        properties: {
          sound: flag,
          music: flag,
          hints: flag,
          colour_blind: flag,
          volume_percent: { type: 'integer', minimum: 0, maximum: 100 },
          language: { type: 'string', pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
        },
        required: ['sound', 'music', 'hints', 'colour_blind', 'volume_percent', 'language'],
        additionalProperties: false,
      },
    },
    required: ['name', 'settings'],
    additionalProperties: false,
  })
);

const validClone = /** @type {Validator<{ source: string, etag: string }>} */ (
  compile({
    type: 'object',
    properties: {
      source: { type: 'string', pattern: '^/profiles/[A-Za-z0-9_-]{1,64}$' },
      etag: { type: 'string', pattern: '^"[^"]{1,64}"$' },
    },
    required: ['source', 'etag'],
    additionalProperties: false,
  })
);

/**
 * @param {import('../app.js').Parts} parts
 * @returns {Route[]}
 */
export function profileRoutes(parts) {
  const { profiles, bounds, now } = parts;
  return [
    {
      pattern: '/profiles/{id}',
      methods: {
        async GET(exchange) {
          const { id, req } = exchange;
          const { user, found } = await identify(parts, exchange, id);
          const held = await profiles.read(id, user, found);
          const known = req.headers['if-none-match'];
          const etag = etagOf(held.profile);
          if (known !== undefined && matches(known, etag, { weak: true })) {
            return { status: 304, headers: ['etag', etag], body: '' };
          }
          return profileReply(200, held);
        },

        async PUT(exchange) {
          const { id, req } = exchange;
          const { user, found } = await identify(parts, exchange, id);
          const choice = validChoice(await readJson(req, bounds));
          const held = await profiles.change(id, user, found, (profile) => {
            requireMatch(req, profile);
            return { ...profile, ...choice };
          });
          return profileReply(200, held);
        },

        async DELETE(exchange) {
          const { id, req } = exchange;
          const { user, found } = await identify(parts, exchange, id);
          await profiles.change(id, user, found, (profile) => {
            requireMatch(req, profile);
            return null;
          });
          return { status: 204, headers: [], body: '' };
        },
      },
    },
    {
      pattern: '/profiles',
      methods: {
        /** A copy of the source, made only if the source still is what the client saw. */
        async POST(exchange) {
          const { user } = await identify(parts, exchange);
          const { source, etag } = validClone(await readJson(exchange.req, bounds));
          const sourceId = source.slice('/profiles/'.length);
          const { profile } = await profiles.read(sourceId, user, await profiles.find(sourceId));
          if (etag !== etagOf(profile)) throw new Problem('source_changed', `found ${etagOf(profile)}`);
          const now_ms = now();
          const id = `copy-${randomUUID()}`;
          const held = await profiles.add({
            ...profile,
            id,
            version: 1,
            created_ms: now_ms,
            updated_ms: now_ms,
          });
          return profileReply(201, held, ['location', `/profiles/${id}`]);
        },
      },
    },
  ];
}
