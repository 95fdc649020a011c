// @ts-check
/**
 * Readers of single settings. The environment is read once, at boot, and a value that is not understood stops the boot:
 * a service that runs with a setting its operator did not mean is worse than one that does not run.
 */

/** @typedef {Record<string, string | undefined>} Env a variable that is empty is not set */

export const LOG_LEVELS = /** @type {const} */ (['silent', 'error', 'warn', 'info', 'debug']);

/** A setting that cannot be used; the message names the variable, what was found and what was expected. */
export class ConfigError extends Error {}

/**
 * @param {Env} env
 * @param {string} name
 * @param {number} fallback
 * @param {number} least
 * @param {number} most
 * @throws {ConfigError}
 */
export function integer(env, name, fallback, least, most) {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}; found "${text}"`);
}

/**
 * @template {string} T
 * @param {Env} env
 * @param {string} name
 * @param {NoInfer<T>} fallback
 * @param {readonly T[]} choices
 * @returns {T}
 * @throws {ConfigError}
 */
export function oneOf(env, name, fallback, choices) {
  const text = env[name] || fallback;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}; found "${text}"`);
}
