// @ts-check
/** The shapes of the bodies, compiled once at boot. */

import { Ajv } from 'ajv';

/** @import { AnyProblemClass } from './problem.js' */

/**
 * @template T
 * @typedef {(body: unknown) => T} Validator throws `invalid_body`, which names every fault
 */

const ajv = new Ajv({ allErrors: true });

/**
 * @param {AnyProblemClass} Problem
 * @returns {<T>(schema: object) => Validator<T>} from the JSON Schema of T
 */
export function shapeCompiler(Problem) {
  return function compile(schema) {
    const valid = ajv.compile(schema);
    return (body) => {
      if (valid(body)) return /** @type {any} */ (body);
      const errors = (valid.errors ?? []).map(({ instancePath, message, params }) => ({
        pointer: instancePath,
        detail: describe(message ?? 'is invalid', params),
      }));
      throw new Problem('invalid_body', 'errors lists what was expected where', { errors });
    };
  };
}

/** @param {string} message @param {Record<string, unknown>} params */
function describe(message, { additionalProperty, allowedValues }) {
  if (typeof additionalProperty === 'string')
    return `${message}; found ${JSON.stringify(additionalProperty)}`;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  return message;
}
