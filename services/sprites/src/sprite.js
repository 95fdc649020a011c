// @ts-check
/** What is thrown: checked once, where it comes in, and from then on the same text until it is on the last wire. */

import { shapeCompiler } from '@plimsoll/service-common/shapes.js';
import { Problem } from './errors.js';
import { SIDES } from './lattice/spiral.js';

/** Where a sprite may go: over a side of the thrower's screen, or to anybody at all. */
export const TARGETS = /** @type {const} */ ([...SIDES, 'anyone']);

/**
 * @typedef {typeof TARGETS[number]} Target
 * @typedef {object} Sprite
 * @property {string} name
 * @property {string} pixels 8 rows of 8, each a hexadecimal digit: an entry of the palette, 0 is transparent
 * @property {number} at where along the edge it leaves, 0 to 1: from the left or from the top
 * @property {number} speed in screens per second
 */

/** Nothing that ends a line or turns the direction of the text beside it. */
const NAME = '^[^\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069]*$';

const sprite = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 24, pattern: NAME },
    pixels: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    at: { type: 'number', minimum: 0, maximum: 1 },
    speed: { type: 'number', minimum: 0.05, maximum: 4 },
  },
  required: ['name', 'pixels', 'at', 'speed'],
  additionalProperties: false,
};

const compile = shapeCompiler(Problem);

export const validThrow =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ to: Target, sprite: Sprite }>} */ (
    compile({
      type: 'object',
      properties: { to: { enum: TARGETS }, sprite },
      required: ['to', 'sprite'],
      additionalProperties: false,
    })
  );

export const validPostedThrow =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ ticket: string, to: Target, sprite: Sprite }>} */ (
    compile({
      type: 'object',
      properties: { ticket: { type: 'string', maxLength: 100 }, to: { enum: TARGETS }, sprite },
      required: ['ticket', 'to', 'sprite'],
      additionalProperties: false,
    })
  );

/** Of somebody who is no client. */
export const validStrangersThrow =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ to: 'anyone', sprite: Sprite }>} */ (
    compile({
      type: 'object',
      properties: { to: { const: 'anyone' }, sprite },
      required: ['to', 'sprite'],
      additionalProperties: false,
    })
  );

export const validLeave =
  /** @type {import('@plimsoll/service-common/shapes.js').Validator<{ ticket: string }>} */ (
    compile({
      type: 'object',
      properties: { ticket: { type: 'string', maxLength: 100 } },
      required: ['ticket'],
      additionalProperties: false,
    })
  );

/** The text of a sprite. JSON escapes what would end a line or a field on the bus. @param {Sprite} checked */
export function spriteText(checked) {
  return JSON.stringify(checked);
}
