// @ts-check
// Middleware of Hono, which is passed over. It goes to the router with the handlers of requests.

import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { met, removableMiddleware } from './removals.js';

/** Modules that are changed. */
export const ROUTERS = /[\\/]hono[\\/]dist[\\/](cjs[\\/])?router[\\/][a-z-]+[\\/]router\.js$/;
/** What `use` gives to the router. */
const EVERY_METHOD = 'ALL';
/** Of a part that has an error handler of its own: the handler is inside. */
const COMPOSED = '__COMPOSED_HANDLER';

/** Routers hand on to others what they were given. @type {WeakSet<object>} */
const seen = new WeakSet();

/** What stands in the place of what was left out. @type {WeakSet<Function>} */
const passes = new WeakSet();

/** @param {string} file @param {any} exports */
export function changedHono(file, exports) {
  if (ROUTERS.test(file)) routers(exports);
}

/** @param {object} exports */
function routers(exports) {
  for (const Router of Object.values(exports)) {
    if (typeof Router === 'function' && typeof Router.prototype?.add === 'function')
      replace(Router.prototype, 'add', adds);
  }
}

/** @param {Function} original */
function adds(original) {
  return {
    /** @this {unknown} @param {string} method @param {string} path @param {any} entry */
    add(method, path, entry) {
      let added = entry;
      quietly(() => {
        added = without(method, entry);
      });
      return Reflect.apply(original, this, [method, path, added]);
    },
  }.add;
}

/** @param {string} method @param {any} entry a handler and its route @returns {any} */
function without(method, entry) {
  const [run, route] = entry;
  if (method !== EVERY_METHOD || typeof run !== 'function' || run.length < 2 || COMPOSED in run) return entry;
  if (seen.has(route) || passes.has(run)) return entry;
  seen.add(route);
  const removal = removableMiddleware(run.name, run);
  if (!removal.out) return entry;
  /** @param {unknown} _ @param {() => Promise<void>} next */
  const pass = (_, next) => {
    met(removal);
    return next();
  };
  passes.add(pass);
  // A part that is put into another one takes its handlers from there.
  route.handler = pass;
  return [pass, route];
}
