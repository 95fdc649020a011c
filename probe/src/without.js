// @ts-check
// Leaves out of the service what was asked to be, and changes nothing else: a run without it can be measured beside one
// with it.

import Module from 'node:module';
import { quietly } from './state.js';
import { changedCalls, leaveOutCalls, leaveOutStreams } from './without/calls.js';
import { watchContents } from './without/contents.js';
import { changedHono, ROUTERS } from './without/hono.js';
import { changed, watchFastify } from './without/middleware.js';
import { watchModules } from './without/modules.js';
import { changedNest, PARTS } from './without/nest.js';
import { announce, leaveOut } from './without/removals.js';
import { changedCompressor, changedResponses, leaveOutCompression } from './without/responses.js';
import { replace } from './wrap.js';

/** Modules that were looked at. */
const looked = new WeakSet();

/** As the process starts. @param {string[]} names */
export function without(names) {
  leaveOut(names);
  for (const part of [watchFastify, leaveOutCalls, leaveOutCompression]) quietly(part);
  // Every file that Node.js loads as CommonJS comes here, whether `require` or `import` asked for it.
  quietly(() => replace(Module.prototype, 'load', loader));
  quietly(() => watchModules([ROUTERS, PARTS], changedParts));
}

/** As the thread begins to serve. */
export function serving() {
  quietly(leaveOutStreams);
  quietly(announce);
  quietly(watchContents);
}

/** @param {Function} original */
function loader(original) {
  return {
    /** @this {{ filename: string | null, exports: any }} @param {any[]} args */
    load(...args) {
      const result = Reflect.apply(original, this, args);
      quietly(() => look(this));
      return result;
    },
  }.load;
}

/** @param {{ filename: string | null, exports: any }} module */
function look(module) {
  const { filename, exports } = module;
  if (typeof exports !== 'function' && (typeof exports !== 'object' || exports === null)) return;
  if (filename === null || !filename.includes('node_modules') || looked.has(exports)) return;
  looked.add(exports);
  changedResponses(filename, exports);
  changedParts(filename, exports);
  const result = changedCompressor(filename, changedCalls(filename, changed(filename, exports)));
  looked.add(result);
  if (result !== exports) module.exports = result;
}

/** What is changed by its classes, however it was loaded. @param {string} file @param {any} exports */
function changedParts(file, exports) {
  changedHono(file, exports);
  changedNest(file, exports);
}
