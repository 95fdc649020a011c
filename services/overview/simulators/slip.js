// @ts-check
/** Reads the slip that a leader of the flow is given, and refuses what is none. */

import { parseJson } from '@plimsoll/service-common/json.js';
import { Ajv } from 'ajv';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Slip } from '../src/page/flow.js' */

const MOST_BYTES = 16_384;
const name = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' };

/** @param {Record<string, object>} properties */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const validate = new Ajv().compile(
  object({
    account: name,
    basis: { type: 'array', maxItems: 5, items: name },
    blocks: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: object({ upstream: name, timeout_ms: { type: 'integer', minimum: 1, maximum: 60_000 } }),
      },
    },
  }),
);

/**
 * @param {IncomingMessage} req
 * @param {string} leader who the slip must name first
 * @returns {Promise<Slip | undefined>} nothing if it is not a slip, or broke off
 */
export async function readSlip(req, leader) {
  let text = '';
  try {
    for await (const chunk of req.setEncoding('utf8')) {
      text += chunk;
      if (text.length > MOST_BYTES) return undefined;
    }
    const value = parseJson(text);
    if (!validate(value)) return undefined;
    const slip = /** @type {Slip} */ (value);
    return slip.blocks[0][0].upstream === leader ? slip : undefined;
  } catch {
    return undefined;
  }
}
