// @ts-check
// Middleware and handlers of Hono: its routers are given each of them.

import { replace } from '../wrap.js';
import { shown } from './shown.js';

/** @typedef {import('./shown.js').Show} Show */

/** Modules that are changed. */
export const ROUTERS = /[\\/]hono[\\/]dist[\\/](cjs[\\/])?router[\\/][a-z-]+[\\/]router\.js$/;
/** Applications. */
const BASE = /[\\/]hono[\\/]dist[\\/](cjs[\\/])?hono-base\.js$/;
/** Modules with what routes are registered with. */
export const HONO = [ROUTERS, BASE];
/** What `use` gives to the router. */
const EVERY_METHOD = 'ALL';
/** Of a part that has an error handler of its own: the handler is inside. */
const COMPOSED = '__COMPOSED_HANDLER';
/** Classes, routes and functions that were dealt with: routers hand on to others what they were given. */
const seen = new WeakSet();

/** @param {string} file */
export const isModuleOfHono = (file) => HONO.some((module) => module.test(file));

/** @param {Show} show @param {string} file @param {any} exports */
export function changedHono(show, file, exports) {
  if (!ROUTERS.test(file)) return;
  for (const Router of Object.values(exports)) {
    if (typeof Router?.prototype?.add !== 'function' || seen.has(Router)) continue;
    seen.add(Router);
    replace(Router.prototype, 'add', (original) => adds(show, original));
  }
}

/** @param {Show} show @param {Function} original */
function adds(show, original) {
  return {
    /** @this {unknown} @param {any[]} args method, path, and what runs with its route */
    add(...args) {
      const [method, path, entry, ...rest] = args;
      return Reflect.apply(original, this, [method, path, seenBy(show, method, entry), ...rest]);
    },
  }.add;
}

/** @param {Show} show @param {string} method @param {any} entry */
function seenBy(show, method, entry) {
  if (!Array.isArray(entry)) return entry;
  const [run, route, ...rest] = entry;
  if (typeof run !== 'function' || typeof route !== 'object' || route === null) return entry;
  if (COMPOSED in run || seen.has(route) || seen.has(run)) return entry;
  seen.add(route);
  const kind = method === EVERY_METHOD && run.length > 1 ? 'middleware' : 'handler';
  const around = show(kind, run.name, run);
  if (!around) return entry;
  const own = shown(run, around);
  seen.add(own);
  // A part that is put into another one takes its functions from there.
  route.handler = own;
  return [own, route, ...rest];
}
