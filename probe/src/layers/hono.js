// @ts-check
// Middleware and handlers of Hono: its routers are given each of them. They are found where the package is loaded by
// `require`, and where Node.js can hook the loading of ES modules (from 22.15 on).

import Module from 'node:module';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { labelled, layerHere } from './layer.js';

const SHARED = Symbol.for('plimsoll.hono');
const ROUTER = /[\\/]node_modules[\\/]hono[\\/]dist[\\/]router[\\/][\w-]+[\\/]router\.js$/;
const seen = new WeakSet();

/** @param {string} name @param {string} _file @param {any} exports */
export function lookAtHono(name, _file, exports) {
  if (name === 'hono') for (const key of Object.keys(exports)) watchRouter(exports[key]);
  return exports;
}

/** The classes of ES modules cannot be reached from outside, so a line at the end of such a module hands them out. */
export function watchHono() {
  const { registerHooks } = /** @type {any} */ (Module);
  if (typeof registerHooks !== 'function') return;
  Object.defineProperty(globalThis, SHARED, { value: watchRouter });
  registerHooks({
    /** @param {string} url @param {any} context @param {(url: string, context: any) => any} next */
    load(url, context, next) {
      const loaded = next(url, context);
      if (!ROUTER.test(url) || loaded.format !== 'module') return loaded;
      const source = String(loaded.source);
      const names = [...source.matchAll(/^var (\w*Router) = class/gm)].map(([, found]) => found);
      const hands = names.map((found) => `globalThis[Symbol.for('plimsoll.hono')](${found});`);
      return { ...loaded, source: `${source}\n${hands.join('')}` };
    },
  });
}

/** @param {any} Router */
function watchRouter(Router) {
  if (typeof Router?.prototype?.add !== 'function' || seen.has(Router)) return;
  seen.add(Router);
  replace(Router.prototype, 'add', (original) => {
    return {
      /** @this {unknown} @param {any[]} args method, path, and what runs with its route */
      add(...args) {
        quietly(() => {
          const [method, , pair] = args;
          if (!Array.isArray(pair) || typeof pair[0] !== 'function' || seen.has(pair[0])) return;
          const [run, ...rest] = pair;
          const kind = method === 'ALL' ? 'middleware' : 'handler';
          const own = labelled(layerHere(kind, run.name, run), run);
          // A router hands what it was given to others.
          seen.add(own);
          args[2] = [own, ...rest];
        });
        return Reflect.apply(original, this, args);
      },
    }.add;
  });
}
