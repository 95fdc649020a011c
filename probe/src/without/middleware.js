// @ts-check
// Middleware of Express and Koa, and hooks of Fastify, which are passed over instead of being run. Those of Hono and Nest have
// files of their own.

import { subscribe } from 'node:diagnostics_channel';
import { packageOf } from '../sites.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { met, removableMiddleware } from './removals.js';

/** Express runs these itself, and does not work without them. */
const OF_EXPRESS = new Set(['query', 'expressInit', 'router', 'mounted_app', 'handle']);
/** Hooks of Fastify that run for a request. */
const OF_REQUESTS = new Set([
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
]);

/** @typedef {import('./removals.js').Removal} Removal */

/** Modules of these packages, by what they export. Each is changed once. */
const seen = new WeakSet();

export function watchFastify() {
  subscribe('fastify.initialization', (/** @type {any} */ { fastify }) => {
    quietly(() => replace(fastify, 'addHook', hooks));
  });
}

/** @param {Function} original */
function hooks(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    addHook(...args) {
      const [hook, run] = args;
      if (!OF_REQUESTS.has(hook) || typeof run !== 'function') return Reflect.apply(original, this, args);
      const removal = removableMiddleware(run.name || hook, run);
      if (!removal.out) return Reflect.apply(original, this, args);
      met(removal);
      return this;
    },
  }.addHook;
}

/**
 * Looks at a module that was loaded; returns what its users are to get.
 * @param {string} file @param {any} exports @returns {any}
 */
export function changed(file, exports) {
  if (typeof exports !== 'function' || seen.has(exports)) return exports;
  const name = packageOf(file);
  if ((name === 'express' || name === 'router') && /[\\/]layer(\.js)?$/.test(file)) return layer(exports);
  if (name === 'koa' && typeof exports.prototype?.use === 'function') koa(exports);
  return exports;
}

/** Express has a layer for each function that was given to `use`. @param {any} Layer */
function layer(Layer) {
  /** @type {WeakMap<object, Removal>} */
  const removals = new WeakMap();
  const run = Layer.prototype.handleRequest ? 'handleRequest' : 'handle_request';
  replace(Layer.prototype, run, (original) => {
    return {
      /** @this {object} @param {unknown} request @param {unknown} response @param {Function} next */
      handle(request, response, next) {
        const removal = removals.get(this);
        if (removal === undefined) return Reflect.apply(original, this, [request, response, next]);
        met(removal);
        return next();
      },
    }.handle;
  });
  /** @param {unknown} path @param {any} options @param {any} handle */
  function Made(path, options, handle) {
    const made = new Layer(path, options, handle);
    quietly(() => {
      // What is given to `use` matches the beginning of a path; a route matches the whole of it.
      if (options?.end !== false || OF_EXPRESS.has(handle.name) || handle.length > 3) return;
      const removal = removableMiddleware(handle.name, handle);
      if (removal.out) removals.set(made, removal);
    });
    return made;
  }
  Made.prototype = Layer.prototype;
  seen.add(Made);
  seen.add(Layer);
  return Made;
}

/** @param {any} Application */
function koa(Application) {
  seen.add(Application);
  replace(Application.prototype, 'use', (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      use(...args) {
        const [run] = args;
        // A router is not middleware: it has the handlers.
        if (typeof run !== 'function' || run.router) return Reflect.apply(original, this, args);
        const removal = removableMiddleware(run.name, run);
        if (!removal.out) return Reflect.apply(original, this, args);
        /** @param {unknown} _ @param {Function} next */
        const pass = (_, next) => {
          met(removal);
          return next();
        };
        return Reflect.apply(original, this, [pass]);
      },
    }.use;
  });
}
