// @ts-check
// Middleware of Nest, which is passed over on whatever it runs, and its guards, which stay.

import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { met, removableMiddleware, tellGuard } from './removals.js';

/** Modules that are changed. */
export const PARTS =
  /[\\/]@nestjs[\\/]core[\\/](middleware[\\/]builder|guards[\\/]guards-context-creator)\.js$/;

/** @param {string} file @param {any} exports */
export function changedNest(file, exports) {
  if (!PARTS.test(file)) return;
  replace(exports.MiddlewareBuilder?.prototype, 'apply', applies);
  replace(exports.GuardsContextCreator?.prototype, 'createConcreteContext', guards);
}

/** `consumer.apply(Logger)`. @param {Function} original */
function applies(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    apply(...args) {
      return Reflect.apply(original, this, args.flat().map(passed));
    },
  }.apply;
}

/** @param {any} middleware a function, or a class with `use` */
function passed(middleware) {
  let result = middleware;
  quietly(() => {
    if (typeof middleware !== 'function') return;
    const removal = removableMiddleware(middleware.name, middleware.prototype?.use ?? middleware);
    if (!removal.out) return;
    result = (/** @type {unknown} */ _, /** @type {unknown} */ __, /** @type {() => void} */ next) => {
      met(removal);
      next();
    };
  });
  return result;
}

/** @param {Function} original */
function guards(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    createConcreteContext(...args) {
      const found = Reflect.apply(original, this, args);
      quietly(() => {
        for (const guard of found) tellGuard(guard.constructor.name);
      });
      return found;
    },
  }.createConcreteContext;
}
