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
 * @property {boolean} template_cache whether the template is read and compiled once instead of for each page
 * @property {boolean} console_log whether each request also prints what it shows by console.log
 * @property {string} log_level
 * @property {'stdout' | 'file' | 'none'} log_sink where lines of all levels go; file: info.log in the folder of the logs
 * @property {string | undefined} log_dir where info.log, warn.log and error.log go; undefined: nowhere
 */

const SWITCH = /** @type {const} */ (['on', 'off']);
const LOG_SINKS = /** @type {const} */ (['stdout', 'file', 'none']);
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'];

/** A setting that cannot be used; the message names the variable, what was found and what was expected. */
export class ConfigError extends Error {}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Config}
 * @throws {ConfigError}
 */
export function readConfig(env) {
  const config = {
    host: env.HOST || '127.0.0.1',
    port: port(env.PORT || '3000'),
    compression: oneOf('COMPRESSION', env.COMPRESSION || 'on', SWITCH) === 'on',
    template_cache: oneOf('TEMPLATE_CACHE', env.TEMPLATE_CACHE || 'on', SWITCH) === 'on',
    console_log: oneOf('CONSOLE_LOG', env.CONSOLE_LOG || 'off', SWITCH) === 'on',
    log_level: oneOf('LOG_LEVEL', env.LOG_LEVEL || 'info', LOG_LEVELS),
    log_sink: oneOf('LOG_SINK', env.LOG_SINK || 'stdout', LOG_SINKS),
    log_dir: env.LOG_DIR || undefined,
  };
  if (config.log_sink === 'file' && config.log_dir === undefined) {
    throw new ConfigError('LOG_DIR must be a folder when LOG_SINK is file; found nothing');
  }
  return config;
}

/** @param {string} text */
function port(text) {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 65_535) return value;
  throw new ConfigError(`PORT must be a whole number from 0 to 65535; found "${text}"`);
}

/**
 * @template {string} T
 * @param {string} name
 * @param {string} text
 * @param {readonly T[]} choices
 */
function oneOf(name, text, choices) {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new ConfigError(`${name} must be one of ${choices.join(', ')}; found "${text}"`);
}
