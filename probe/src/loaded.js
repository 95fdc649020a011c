// @ts-check
// Packages as the service loads them, so that what they export can be changed first.

import Module from 'node:module';
import { packageOf } from './sites.js';
import { quietly } from './state.js';
import { replace } from './wrap.js';

/** @typedef {(name: string, file: string, exports: any) => any} Look returns what the users of the module are to get */

/** Modules that were looked at. */
const looked = new WeakSet();

/** Looks at each module of a package, once. @param {Look} look */
export function onLoaded(look) {
  replace(Module, '_load', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      _load(...args) {
        const exports = Reflect.apply(original, this, args);
        let result = exports;
        quietly(() => {
          result = lookAt(look, args, exports);
        });
        return result;
      },
    }._load;
  });
}

/** @param {Look} look @param {any[]} args @param {any} exports */
function lookAt(look, [request, parent], exports) {
  if (typeof exports !== 'function' && (typeof exports !== 'object' || exports === null)) return exports;
  if (looked.has(exports) || typeof request !== 'string') return exports;
  looked.add(exports);
  const module = /** @type {any} */ (Module);
  const file = module._resolveFilename(request, parent);
  const name = packageOf(file);
  if (name === null) return exports;
  const result = look(name, file, exports);
  looked.add(result);
  if (result !== exports && module._cache[file]) module._cache[file].exports = result;
  return result;
}
