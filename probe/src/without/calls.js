// @ts-check
// Calls that do nothing, or return what they returned before: logging, synchronous reads, and what is constructed anew
// each time though nothing of it changes.

import fs from 'node:fs';
import { FORMATTERS } from '../functions/constructions.js';
import { CONSOLE_METHODS } from '../functions/output.js';
import { packageOf } from '../sites.js';
import { quietly, state } from '../state.js';
import { memberOf, replace } from '../wrap.js';
import { isWanted, met, removable } from './removals.js';

const LOG = 'log';
const SYNC_READ = 'sync-read';
const CONSTRUCTION = 'construction';

const READS = [
  'accessSync',
  'existsSync',
  'lstatSync',
  'readFileSync',
  'readdirSync',
  'realpathSync',
  'statSync',
];
/** What compiles templates and schemas, by package. */
const COMPILERS = /** @type {Record<string, string[]>} */ ({
  ajv: ['prototype.compile'],
  dot: ['template', 'compile'],
  ejs: ['compile'],
  eta: ['Eta.prototype.compile'],
  handlebars: ['compile', 'precompile'],
  lodash: ['template'],
  mustache: ['parse'],
  nunjucks: ['compile'],
  pug: ['compile'],
  underscore: ['template'],
});
/** Results that are kept of each function. Beyond, it runs. */
const KEPT_MAX = 10_000;

/** @typedef {import('./removals.js').Removal} Removal */

/** @type {Record<string, Removal>} */
const removals = {};
const seen = new WeakSet();

/** @param {string} name */
function removalOf(name) {
  removals[name] ??= removable(name);
  return /** @type {Removal} */ (removals[name]);
}

export function leaveOutCalls() {
  if (isWanted(LOG)) {
    const removal = removalOf(LOG);
    for (const key of CONSOLE_METHODS) replace(console, key, (log) => silent(removal, log));
    replace(fs, 'writeSync', writesElsewhere);
  }
  if (isWanted(SYNC_READ)) for (const key of READS) replace(fs, key, (read) => once(SYNC_READ, read));
  if (isWanted(CONSTRUCTION))
    for (const part of [keepFormatters, keepCollators, keepExpressions]) quietly(part);
}

/** Not before the service listens: to look at the streams opens them. */
export function leaveOutStreams() {
  if (!isWanted(LOG)) return;
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    Object.defineProperty(process[name], 'write', { value: written, configurable: true, writable: true });
  }
}

/** Nothing is written, and whoever waits for it is told that it was. @param {any[]} args */
function written(...args) {
  met(removalOf(LOG));
  const done = args.findLast((arg) => typeof arg === 'function');
  if (done) process.nextTick(done);
  return true;
}

/** While the service starts, what it says is of use. @param {Removal} removal @param {Function} original */
function silent(removal, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    log(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      met(removal);
    },
  }.log;
}

/** Loggers write to the descriptor of an output themselves. @param {Function} original */
function writesElsewhere(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    writeSync(...args) {
      if (!state.on || (args[0] !== 1 && args[0] !== 2)) return Reflect.apply(original, this, args);
      met(removalOf(LOG));
      return typeof args[1] === 'string' ? Buffer.byteLength(args[1]) : (args[1]?.byteLength ?? 0);
    },
  }.writeSync;
}

/**
 * Looks at a module that was loaded; returns what its users are to get.
 * @param {string} file @param {any} exports @returns {any}
 */
export function changedCalls(file, exports) {
  const name = packageOf(file) ?? file;
  if (!exports || seen.has(exports)) return exports;
  if (name === 'pino' && typeof exports === 'function' && isWanted(LOG)) return silentPino(exports);
  if (name === 'winston' && typeof exports.createLogger === 'function' && isWanted(LOG))
    silentWinston(exports);
  const compilers = isWanted(CONSTRUCTION) ? COMPILERS[name] : undefined;
  if (compilers && (typeof exports === 'function' || typeof exports === 'object')) {
    seen.add(exports);
    for (const path of compilers) quietly(() => keepCompiled(exports, path));
  }
  return exports;
}

/** @param {any} pino */
function silentPino(pino) {
  const removal = removalOf(LOG);
  /** @param {any[]} args */
  const made = (...args) => {
    const logger = pino(...args);
    quietly(() => {
      logger.level = 'silent';
      met(removal);
    });
    return logger;
  };
  const quiet = Object.defineProperties(made, Object.getOwnPropertyDescriptors(pino));
  for (const key of ['pino', 'default'])
    if (pino[key] === pino) quietly(() => Reflect.set(quiet, key, quiet));
  seen.add(quiet);
  return quiet;
}

/** What it would format it leaves, too. @param {any} winston */
function silentWinston(winston) {
  seen.add(winston);
  const removal = removalOf(LOG);
  replace(winston, 'createLogger', (create) => {
    return {
      /** @this {unknown} @param {any[]} args */
      createLogger(...args) {
        const logger = Reflect.apply(create, this, args);
        quietly(() => {
          for (const key of ['log', ...Object.keys(logger.levels ?? {})]) {
            if (typeof logger[key] === 'function') logger[key] = silentMethod(removal, logger, logger[key]);
          }
        });
        return logger;
      },
    }.createLogger;
  });
}

/** @param {Removal} removal @param {any} logger @param {Function} original */
function silentMethod(removal, logger, original) {
  return (/** @type {any[]} */ ...args) => {
    if (!state.on) return Reflect.apply(original, logger, args);
    met(removal);
    return logger;
  };
}

/** @param {any} exports @param {string} path */
function keepCompiled(exports, path) {
  const [named, key] = memberOf(exports, path);
  let owner = named;
  // A class may have it of the one that it extends.
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner);
  if (!owner || seen.has(owner[key])) return;
  replace(owner, key, (compile) => once(CONSTRUCTION, compile));
  seen.add(owner[key]);
}

function keepFormatters() {
  for (const key of FORMATTERS) {
    const Formatter = Reflect.get(Intl, key);
    if (typeof Formatter === 'function') keepMade(Intl, key, Formatter, () => true);
  }
}

/** Texts are compared by the collator that each comparison with options would make. */
function keepCollators() {
  const { Collator } = Intl;
  replace(String.prototype, 'localeCompare', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      wrapper(...args) {
        const [other, locales, options] = args;
        if (this === undefined || this === null || options === undefined)
          return Reflect.apply(original, this, args);
        return new Collator(locales, options).compare(String(this), String(other));
      },
    }.wrapper;
  });
}

/** Those that remember where they were stay apart. */
function keepExpressions() {
  keepMade(
    globalThis,
    'RegExp',
    RegExp,
    (pattern, flags) => typeof pattern === 'string' && (flags === undefined || remembersNothing(flags)),
  );
}

/**
 * A class of two arguments at most, that makes one object for the same ones. Some objects take so little to make that a `Proxy`, or an
 * array of the arguments, would show.
 * @param {any} owner @param {string} key @param {any} Original @param {(first: any, second: any) => boolean} isAlike
 */
function keepMade(owner, key, Original, isAlike) {
  const kept = once(CONSTRUCTION, (/** @type {any[]} */ ...args) => Reflect.construct(Original, args));
  /** @this {unknown} @param {any} [first] @param {any} [second] */
  function Made(first, second) {
    const plain = new.target === undefined || new.target === Made;
    if (plain && isAlike(first, second)) return second === undefined ? kept(first) : kept(first, second);
    if (new.target === undefined) return Reflect.apply(Original, undefined, [first, second]);
    return Reflect.construct(Original, [first, second], plain ? Original : new.target);
  }
  // Whoever asks gets what is asked of the original.
  Object.setPrototypeOf(Made, Original);
  Made.prototype = Original.prototype;
  for (const name of ['name', 'length'])
    Object.defineProperty(Made, name, { value: Original[name], configurable: true });
  Object.defineProperty(owner, key, { value: Made, configurable: true, writable: true });
}

/** Of an expression with these flags; to ask by an expression would cost more than looking up what is kept. @param {any} flags */
function remembersNothing(flags) {
  return typeof flags === 'string' && !flags.includes('g') && !flags.includes('y');
}

/**
 * A function that runs once for the same arguments, from the moment that the service serves.
 * @param {string} name @param {Function} original
 */
function once(name, original) {
  const removal = removalOf(name);
  /** By the number of arguments, and how many of them are texts before the first that is none. @type {Map<string, any>[][]} */
  const all = [];
  let left = KEPT_MAX;
  return {
    /** @this {unknown} @param {any[]} args */
    once(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      const { length } = args;
      const texts = textsBefore(args);
      // A key must cost less than what it saves: texts need none, however long they are.
      const of_texts = texts === length && length > 0;
      const key = of_texts ? args[length - 1] : keyOf(texts > 0 ? args.slice(texts) : args);
      if (key === undefined) return Reflect.apply(original, this, args);
      const alike = all[length] ?? [];
      let kept = alike[texts];
      if (kept === undefined) {
        kept = new Map();
        alike[texts] = kept;
        all[length] = alike;
      }
      const levels = of_texts ? length - 1 : texts;
      for (let index = 0; index < levels; index += 1) kept = below(kept, args[index]);
      const before = kept.get(key);
      if (before !== undefined) {
        met(removal);
        return own(before);
      }
      const result = Reflect.apply(original, this, args);
      if (result !== undefined && left > 0) {
        left -= 1;
        kept.set(key, own(result));
      }
      return result;
    },
  }.once;
}

/** How many texts the arguments begin with. @param {any[]} args */
function textsBefore(args) {
  let texts = 0;
  while (texts < args.length && typeof args[texts] === 'string') texts += 1;
  return texts;
}

/** @param {Map<string, any>} map @param {string} key @returns {Map<string, any>} */
function below(map, key) {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = new Map();
  if (map.size < KEPT_MAX) map.set(key, made);
  return made;
}

/** Whoever gets bytes may write into them. @param {unknown} result */
function own(result) {
  return Buffer.isBuffer(result) ? Buffer.from(result) : result;
}

/** What two calls with the same arguments have in common; undefined where that cannot be said. @param {any[]} args */
function keyOf(args) {
  const flat = flatKeyOf(args);
  if (flat !== undefined) return flat;
  try {
    return JSON.stringify(args, (_, value) => {
      if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('not comparable');
      return value instanceof RegExp || value instanceof URL ? String(value) : value;
    });
  } catch {
    return undefined;
  }
}

/**
 * The same of texts, numbers and plain objects of these, such as the options of a formatter, in a fifth of the time.
 * @param {any[]} args
 */
function flatKeyOf(args) {
  let key = '';
  for (const arg of args) {
    if (typeof arg !== 'object' || arg === null) {
      if (!isFlat(arg)) return undefined;
      key += `\0${typeof arg} ${arg}`;
      continue;
    }
    const prototype = Object.getPrototypeOf(arg);
    if (prototype !== Object.prototype && prototype !== null) return undefined;
    key += '\0{';
    for (const name of Object.keys(arg)) {
      if (!isFlat(arg[name])) return undefined;
      key += `\0${name}\0${typeof arg[name]} ${arg[name]}`;
    }
    key += '}';
  }
  return key;
}

/** @param {unknown} value */
function isFlat(value) {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value === undefined
  );
}
