// @ts-check
/** Sign-in: credentials in, token out. */

import { compile, readJson } from '../http/body.js';

/** @import { Route } from '@plimsoll/service-common/router.js' */

const validCredentials =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ user: string, secret?: string }>} */ (
    compile({
      type: 'object',
      properties: {
        user: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$' },
        secret: { type: 'string', minLength: 8, maxLength: 128 },
      },
      required: ['user'],
      additionalProperties: false,
    })
  );

/**
 * @param {import('../app.js').Parts} parts
 * @returns {Route[]}
 */
export function sessionRoutes({ sessions, bounds }) {
  return [
    {
      pattern: '/sessions',
      methods: {
        async POST({ req }) {
          const session = await sessions.open(validCredentials(await readJson(req, bounds)));
          return {
            status: 201,
            headers: ['content-type', 'application/json', 'cache-control', 'no-store'],
            body: JSON.stringify({ ...session, profile: `/profiles/${session.user}` }),
          };
        },
      },
    },
  ];
}
