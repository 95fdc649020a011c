// @ts-check
/** What a page consists of: three blocks, one after the other, each of two to five calls at once. */

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

/**
 * @typedef {{ upstream: string, timeout_ms: number }} PlannedCall
 * @typedef {{ name: string, calls: PlannedCall[] }} Block
 * @typedef {{ deadline_ms: number, blocks: Block[] }} Description `deadline_ms`: when the page is sent with what
 *   there is
 */

const name = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,31}$' };
const duration_ms = { type: 'integer', minimum: 1, maximum: 60_000 };

/** @param {Record<string, object>} properties */
function object(properties) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const validate = new Ajv({ allErrors: true }).compile(
  object({
    deadline_ms: duration_ms,
    blocks: {
      type: 'array',
      minItems: 3,
      maxItems: 3,
      items: object({
        name,
        calls: {
          type: 'array',
          minItems: 2,
          maxItems: 5,
          items: object({ upstream: name, timeout_ms: duration_ms }),
        },
      }),
    },
  }),
);

/** A description that cannot be used; the message names each fault and where it is. */
export class DescriptionError extends Error {}

/** @param {string} path @returns {Description} @throws {DescriptionError} */
export function readDescription(path) {
  try {
    return checkDescription(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new DescriptionError(`${path}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {unknown} value @returns {Description} @throws {DescriptionError} */
export function checkDescription(value) {
  if (!validate(value)) {
    const faults = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${message}`,
    );
    throw new DescriptionError(faults.join('; '));
  }
  const description = /** @type {Description} */ (value);
  const names = description.blocks.flatMap(({ calls }) => calls.map(({ upstream }) => upstream));
  const twice = names.find((upstream, index) => names.indexOf(upstream) !== index);
  if (twice !== undefined) {
    throw new DescriptionError(`each upstream may be called once; found "${twice}" twice`);
  }
  return description;
}
