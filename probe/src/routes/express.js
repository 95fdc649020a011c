// @ts-check
// Routes of Express: each application has a router, which has routes and further routers.

import { isLayerOfExpress } from '../frameworks/express.js';
import { packageOf } from '../sites.js';
import { replace } from '../wrap.js';

/** @typedef {{ methods: string[], path: string | RegExp }} Registered */

/** Routers within routers. */
const DEPTH_MAX = 16;
/** @type {Set<any>} */
const apps = new Set();
/** Layers keep no path in most versions. @type {WeakMap<object, unknown>} */
const paths = new WeakMap();

/** @param {string} file @param {any} exports */
export function watchedExpress(file, exports) {
  if (packageOf(file) === 'express' && /[\\/]application\.js$/.test(file)) replace(exports, 'init', gathers);
  return typeof exports === 'function' && isLayerOfExpress(file) ? remembersPaths(exports) : exports;
}

/** @param {Function} original */
function gathers(original) {
  return {
    /** @this {any} @param {any[]} args */
    init(...args) {
      apps.add(this);
      return Reflect.apply(original, this, args);
    },
  }.init;
}

/** @param {any} Layer */
function remembersPaths(Layer) {
  /** @param {unknown} path @param {any} options @param {any} run */
  function Made(path, options, run) {
    const made = new Layer(path, options, run);
    paths.set(made, path);
    return made;
  }
  Made.prototype = Layer.prototype;
  return Made;
}

/** @returns {Registered[]} */
export function routesOfExpress() {
  /** Applications that a router has as a function. */
  const inner = new Set();
  /** @type {{ app: any, routes: Registered[] }[]} */
  const found = [];
  for (const app of apps) {
    /** @type {Registered[]} */
    const routes = [];
    walk(routerOf(app), mountOf(app), 0, routes, inner);
    found.push({ app, routes });
  }
  return found.filter(({ app }) => !inner.has(app)).flatMap(({ routes }) => routes);
}

/** The getter `router` of Express 4 throws. @param {any} app */
function routerOf(app) {
  return 'lazyrouter' in app ? app._router : app.router;
}

/** @param {any} app @returns {string} */
function mountOf(app) {
  return app.parent ? join(mountOf(app.parent), [app.mountpath].flat()[0]) : '';
}

/** @param {any} router @param {string} prefix @param {number} depth @param {Registered[]} found @param {Set<any>} inner */
function walk(router, prefix, depth, found, inner) {
  if (depth > DEPTH_MAX || !Array.isArray(router?.stack)) return;
  for (const layer of router.stack) {
    const path = paths.get(layer);
    if (layer.route) {
      const { _all, ...methods } = layer.route.methods;
      for (const one of [path].flat()) {
        found.push({
          methods: _all ? ['ALL'] : Object.keys(methods),
          path: one instanceof RegExp ? one : join(prefix, one),
        });
      }
      continue;
    }
    const { handle } = layer;
    if (apps.has(handle)) inner.add(handle);
    const inside = apps.has(handle) ? routerOf(handle) : handle;
    for (const one of [path].flat()) {
      if (typeof one === 'string') walk(inside, join(prefix, one), depth + 1, found, inner);
    }
  }
}

/** @param {string} prefix @param {unknown} path */
function join(prefix, path) {
  const rest = String(path ?? '');
  if (prefix === '' || rest === '/') return prefix || rest;
  return `${prefix.replace(/\/+$/, '')}/${rest.replace(/^\/+/, '')}`;
}
