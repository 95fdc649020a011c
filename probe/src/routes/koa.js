// @ts-check
// Routes of Koa: those of the routers that its applications use. What is in another router is listed there as well.

import { packageOf } from '../sites.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';

/** Classes that were changed. */
const seen = new WeakSet();
/** @type {Set<any>} */
const routers = new Set();

/** @param {string} file @param {any} exports */
export function watchedKoa(file, exports) {
  if (packageOf(file) !== 'koa' || typeof exports?.prototype?.use !== 'function' || seen.has(exports)) return;
  seen.add(exports);
  replace(exports.prototype, 'use', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      use(...args) {
        quietly(() => {
          if (Array.isArray(args[0]?.router?.stack)) routers.add(args[0].router);
        });
        return Reflect.apply(original, this, args);
      },
    }.use;
  });
}

/** What a router itself uses has no methods. @returns {{ methods: string[], path: string | RegExp }[]} */
export function routesOfKoa() {
  return [...routers]
    .flatMap(({ stack }) => stack)
    .filter(({ methods }) => Array.isArray(methods) && methods.length > 0)
    .map(({ methods, path }) => ({ methods, path: path instanceof RegExp ? path : String(path) }));
}
