// @ts-check
// Middleware of Koa, and what its routers run.

import { packageOf } from '../sites.js';
import { replace } from '../wrap.js';
import { shown } from './shown.js';

/** @typedef {import('./shown.js').Show} Show */

const ROUTERS = new Set(['@koa/router', 'koa-router']);
/** Classes that were changed. */
const seen = new WeakSet();

/** @param {Show} show @param {string} file @param {any} exports */
export function changedKoa(show, file, exports) {
  const name = packageOf(file) ?? '';
  if (name === 'koa' && isNew(exports, 'use')) replace(exports.prototype, 'use', (use) => uses(show, use));
  if (!ROUTERS.has(name)) return;
  for (const Router of [exports, exports.Router, exports.default]) {
    if (isNew(Router, 'register')) {
      replace(Router.prototype, 'register', (register) => registers(show, register));
    }
  }
}

/** @param {any} Class @param {string} method */
function isNew(Class, method) {
  if (typeof Class !== 'function' || typeof Class.prototype?.[method] !== 'function') return false;
  const is_new = !seen.has(Class);
  seen.add(Class);
  return is_new;
}

/** @param {Show} show @param {Function} original */
function uses(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    use(...args) {
      const [run, ...rest] = args;
      return Reflect.apply(original, this, [seenBy(show, 'middleware', run), ...rest]);
    },
  }.use;
}

/** @param {Show} show @param {Function} original */
function registers(show, original) {
  return {
    /** @this {unknown} @param {any[]} args path, methods, what runs, options */
    register(...args) {
      const [path, methods, run, ...rest] = args;
      const kind = methods?.length > 0 ? 'handler' : 'middleware';
      const own = Array.isArray(run) ? run.map((one) => seenBy(show, kind, one)) : seenBy(show, kind, run);
      return Reflect.apply(original, this, [path, methods, own, ...rest]);
    },
  }.register;
}

/** @param {Show} show @param {import('./shown.js').Kind} kind @param {any} run */
function seenBy(show, kind, run) {
  // A router has functions of its own. Generators are turned into functions by Koa.
  if (typeof run !== 'function' || run.router || run.constructor.name === 'GeneratorFunction') return run;
  const around = show(kind, run.name, run);
  return around ? shown(run, around) : run;
}
