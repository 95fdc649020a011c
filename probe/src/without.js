// @ts-check
// Leaves out of the service what was asked to be, and changes nothing else: a run without it can be measured beside one
// with it.

import Module from 'node:module';
import { quietly } from './state.js';
import { changedCalls, leaveOutCalls, leaveOutStreams } from './without/calls.js';
import { changed, watchFastify } from './without/middleware.js';
import { announce, leaveOut } from './without/removals.js';
import { changedResponses, leaveOutCompression } from './without/responses.js';
import { replace } from './wrap.js';

/** Modules that were looked at. */
const looked = new WeakSet();

/** As the process starts. @param {string[]} names */
export function without(names) {
  leaveOut(names);
  for (const part of [watchFastify, leaveOutCalls, leaveOutCompression]) quietly(part);
  quietly(() => replace(Module, '_load', loader));
}

/** As the thread begins to serve. */
export function serving() {
  quietly(leaveOutStreams);
  quietly(announce);
}

/** @param {Function} original */
function loader(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    _load(...args) {
      const exports = Reflect.apply(original, this, args);
      let result = exports;
      quietly(() => {
        result = look(args, exports);
      });
      return result;
    },
  }._load;
}

/** @param {any[]} args @param {any} exports */
function look(args, exports) {
  const [request, parent] = args;
  if (typeof exports !== 'function' && (typeof exports !== 'object' || exports === null)) return exports;
  if (looked.has(exports) || typeof request !== 'string') return exports;
  looked.add(exports);
  const module = /** @type {any} */ (Module);
  const file = module._resolveFilename(request, parent);
  if (!file.includes('node_modules')) return exports;
  changedResponses(file, exports);
  const result = changedCalls(file, changed(file, exports));
  looked.add(result);
  if (result !== exports && module._cache[file]) module._cache[file].exports = result;
  return result;
}
