// @ts-check
// Modules that were imported as ES modules: they cannot be changed from outside, but their classes can. So the text of each
// that is of interest gets a line that hands out what it exports.

import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { quietly } from '../state.js';

const SHARED = 'plimsoll.module';

/** @param {RegExp[]} files @param {(file: string, exports: any) => void} look */
export function watchModules(files, look) {
  const hand = (/** @type {string} */ url, /** @type {any} */ exports) =>
    quietly(() => look(fileURLToPath(url), exports));
  Reflect.set(globalThis, Symbol.for(SHARED), hand);
  const { registerHooks, register } = /** @type {any} */ (nodeModule);
  if (registerHooks) {
    registerHooks({
      load: (/** @type {string} */ url, /** @type {any} */ context, /** @type {Function} */ next) =>
        extended(url, next(url, context), files, SHARED),
    });
    return;
  }
  // Hooks of Node.js 20 live in a thread of their own.
  const source = `const extended = ${extended};
    export const load = async (url, context, next) =>
      extended(url, await next(url, context), [${files.join(', ')}], ${JSON.stringify(SHARED)});`;
  register?.(`data:text/javascript,${encodeURIComponent(source)}`);
}

/**
 * A module and what hands it out. Nothing from around it is used here.
 * @param {string} url @param {any} loaded @param {RegExp[]} files @param {string} shared
 */
function extended(url, loaded, files, shared) {
  if (loaded.format !== 'module' || !loaded.source || !files.some((file) => file.test(url))) return loaded;
  const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
  const name = JSON.stringify(url);
  const line = `;import * as plimsoll from ${name}; globalThis[Symbol.for('${shared}')]?.(${name}, plimsoll);`;
  // Node.js 20 runs a preload in the thread of the hooks as well, which are there twice then.
  return text.includes(line) ? loaded : { ...loaded, source: `${text}\n${line}\n` };
}
