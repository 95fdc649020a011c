// @ts-check
// Routes of Hono: its routers are given each of them, those of what is put into an application by `route` once more, with their
// whole paths.

import { isModuleOfHono } from '../frameworks/hono.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';

/** @typedef {{ methods: string[], path: string }} Registered */

/** Classes, and what was registered with a router: it hands on to others what it was given. */
const seen = new WeakSet();
/** By router. @type {Map<object, Registered[]>} */
const registered = new Map();
/** Routers of what is part of another application. */
const inner = new WeakSet();

/** @param {string} file @param {any} exports */
export function watchedHono(file, exports) {
  if (!isModuleOfHono(file)) return;
  for (const Class of Object.values(exports)) {
    if (typeof Class?.prototype !== 'object' || seen.has(Class)) continue;
    seen.add(Class);
    replace(Class.prototype, 'add', adds);
    replace(Class.prototype, 'route', routes);
  }
}

/** @param {Function} original */
function adds(original) {
  return {
    /** @this {object} @param {any[]} args method, path, and what runs with its route */
    add(...args) {
      quietly(() => note(this, args));
      return Reflect.apply(original, this, args);
    },
  }.add;
}

/** @param {object} router @param {any[]} args */
function note(router, [method, path, entry]) {
  const [run, route] = Array.isArray(entry) ? entry : [];
  if (typeof route !== 'object' || route === null || seen.has(route)) return;
  seen.add(route);
  // As middleware is registered, which goes on with the request.
  if (method === 'ALL' && run.length > 1) return;
  const list = registered.get(router) ?? [];
  registered.set(router, list);
  list.push({ methods: [String(method)], path: String(path) });
}

/** @param {Function} original */
function routes(original) {
  return {
    /** @this {unknown} @param {any[]} args a path, and the application that is put there */
    route(...args) {
      quietly(() => inner.add(args[1].router));
      return Reflect.apply(original, this, args);
    },
  }.route;
}

/** @returns {Registered[]} */
export function routesOfHono() {
  return [...registered].filter(([router]) => !inner.has(router)).flatMap(([, routes]) => routes);
}
