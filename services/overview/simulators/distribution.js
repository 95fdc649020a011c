// @ts-check
/** Response times drawn from a distribution. The same seed and name give the same sequence, under any load. */

/**
 * @typedef {{ kind: 'constant', ms: number }
 *   | { kind: 'exponential', mean_ms: number, at_most_ms: number }
 *   | { kind: 'lognormal', median_ms: number, sigma: number, at_most_ms: number }} ResponseTime
 *   `at_most_ms` takes the place of what is drawn above it; `sigma` is the standard deviation of the logarithm
 */

const ms = { type: 'number', minimum: 0, maximum: 60_000 };
const positive = { type: 'number', exclusiveMinimum: 0, maximum: 60_000 };

/** @param {string} kind @param {Record<string, object>} more */
function schemaOf(kind, more) {
  const properties = { kind: { const: kind }, ...more };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** JSON Schema of a ResponseTime. */
export const responseTimeSchema = {
  oneOf: [
    schemaOf('constant', { ms }),
    schemaOf('exponential', { mean_ms: positive, at_most_ms: ms }),
    schemaOf('lognormal', {
      median_ms: positive,
      sigma: { type: 'number', minimum: 0, maximum: 5 },
      at_most_ms: ms,
    }),
  ],
};

/**
 * @param {ResponseTime} spec
 * @param {() => number} random uniform in [0, 1)
 * @returns {number} ms
 */
export function draw(spec, random) {
  switch (spec.kind) {
    case 'constant':
      return spec.ms;
    case 'exponential':
      return Math.min(spec.at_most_ms, -spec.mean_ms * Math.log(1 - random()));
    case 'lognormal':
      return Math.min(spec.at_most_ms, spec.median_ms * Math.exp(spec.sigma * normal(random)));
  }
}

/** The standard normal distribution, by Box and Muller (1958). @param {() => number} random */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/**
 * Uniform in [0, 1), by mulberry32 (T. Ettinger): 32 bits of state are enough for response times.
 * @param {number} seed
 * @param {string} name parts the sequences of upstreams that share a seed
 */
export function createRandom(seed, name) {
  let state = seed | 0;
  for (let index = 0; index < name.length; index += 1) {
    // FNV-1a
    state = Math.imul(state ^ name.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
