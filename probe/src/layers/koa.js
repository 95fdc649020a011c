// @ts-check
// Middleware of Koa, and what its routers run.

import { replace } from '../wrap.js';
import { labelled, layerHere } from './layer.js';

const ROUTERS = new Set(['@koa/router', 'koa-router']);

/** @param {string} name @param {string} _file @param {any} exports */
export function lookAtKoa(name, _file, exports) {
  if (name === 'koa' && typeof exports.prototype?.use === 'function') watchUse(exports);
  const Router = ROUTERS.has(name) ? (exports.Router ?? exports) : undefined;
  if (typeof Router?.prototype?.register === 'function') watchRegister(Router);
  return exports;
}

/** @param {any} Application */
function watchUse(Application) {
  replace(Application.prototype, 'use', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      use(...args) {
        const [run] = args;
        // A router is not middleware: it has the handlers.
        if (isPlain(run) && !run.router) args[0] = labelled(layerHere('middleware', run.name, run), run);
        return Reflect.apply(original, this, args);
      },
    }.use;
  });
}

/** @param {any} Router */
function watchRegister(Router) {
  replace(Router.prototype, 'register', (original) => {
    return {
      /** @this {unknown} @param {any[]} args path, methods, what runs, options */
      register(...args) {
        const [, methods, run] = args;
        const kind = methods?.length > 0 ? 'handler' : 'middleware';
        const of = (/** @type {any} */ one) =>
          isPlain(one) && !one.router ? labelled(layerHere(kind, one.name, one), one) : one;
        args[2] = Array.isArray(run) ? run.map(of) : of(run);
        return Reflect.apply(original, this, args);
      },
    }.register;
  });
}

/** Generators are turned into functions by Koa. @param {any} run */
function isPlain(run) {
  return typeof run === 'function' && run.constructor.name !== 'GeneratorFunction';
}
