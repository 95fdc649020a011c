// @ts-check
// Packages as the service loads them, so that what they export can be changed first.

import Module from 'node:module';
import { quietly } from './state.js';
import { replace } from './wrap.js';

/** @typedef {(file: string, exports: any) => any} Look returns what the users of the module are to get */

/** Looks at each module of a package that is loaded as CommonJS, whether `require` or `import` asked for it. @param {Look} look */
export function onLoaded(look) {
  const looked = new WeakSet();
  replace(Module.prototype, 'load', (original) => {
    return {
      /** @this {{ filename: string | null, exports: any }} @param {any[]} args */
      load(...args) {
        const result = Reflect.apply(original, this, args);
        quietly(() => {
          const { filename, exports } = this;
          if (typeof exports !== 'function' && (typeof exports !== 'object' || exports === null)) return;
          if (filename === null || !filename.includes('node_modules') || looked.has(exports)) return;
          looked.add(exports);
          const changed = look(filename, exports);
          looked.add(changed);
          if (changed !== exports) this.exports = changed;
        });
        return result;
      },
    }.load;
  });
}
