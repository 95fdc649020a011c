// @ts-check
/**
 * Reads the environment once, at boot. A value that is not understood stops the boot: a switch that was mistyped
 * would otherwise spoil a comparison without a word.
 */

/**
 * @typedef {object} Config
 * @property {string} host
 * @property {number} port 0 takes a free one
 * @property {boolean} compression of answers, when the client accepts it
 * @property {boolean} console_log whether each request also prints what it shows by console.log
 * @property {string} log_level
 * @property {string | undefined} log_dir where warn.log and error.log go; undefined: nowhere
 */

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

/** A setting that cannot be used; the message names the variable, what was found and what was expected. */
export class ConfigError extends Error {}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  return {
    host: env.HOST || '127.0.0.1',
    port: port(env.PORT || '3000'),
    compression: oneOf('COMPRESSION', env.COMPRESSION || 'on', ['on', 'off']) === 'on',
    console_log: oneOf('CONSOLE_LOG', env.CONSOLE_LOG || 'off', ['on', 'off']) === 'on',
    log_level: oneOf('LOG_LEVEL', env.LOG_LEVEL || 'info', LOG_LEVELS),
    log_dir: env.LOG_DIR || undefined,
  };
}

/** @param {string} text */
function port(text) {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 65_535) return value;
  throw new ConfigError(`PORT must be a whole number from 0 to 65535; found "${text}"`);
}

/** @param {string} name @param {string} text @param {string[]} choices */
function oneOf(name, text, choices) {
  if (choices.includes(text)) return text;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}; found "${text}"`);
}
