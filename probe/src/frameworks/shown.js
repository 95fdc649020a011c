// @ts-check
// A function that a framework is given, and how it is run.

import { disguised } from '../wrap.js';

/** Packages that call themselves while they register a function. */
export const FRAMEWORKS = new Set([
  'express',
  'router',
  'koa',
  '@koa/router',
  'koa-router',
  'fastify',
  'hono',
]);

/**
 * @typedef {'middleware' | 'errors' | 'hook' | 'handler' | 'guard'} Kind middleware for errors alone has a kind of its own
 *
 * @typedef {(run: Function, self: unknown, args: any[]) => any} Around runs it, or something else; the last argument is
 * what goes on with the request, but for handlers
 *
 * @typedef {(kind: Kind, name: string, run: Function) => Around | undefined} Show called while it is registered; undefined
 * where it is to run as it is
 */

/**
 * What a framework makes of a function, and registers as one of another framework.
 * @type {WeakMap<Function, { run: Function, name: string, place: import('../sites.js').Frame | null }>}
 */
const made = new WeakMap();

/** @param {Function} of @param {{ run: Function, name: string, place: import('../sites.js').Frame | null }} original */
export function makeStandFor(of, original) {
  made.set(of, original);
}

/** The function that another one was made of. @param {Function} run */
export function standsFor(run) {
  return made.get(run);
}

/**
 * The function that is registered instead.
 * @template {Function} T
 * @param {T} run @param {Around} around
 * @returns {T}
 */
export function shown(run, around) {
  const wrapper = {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      return around(run, this, args);
    },
  }.wrapper;
  return /** @type {any} */ (disguised(wrapper, run));
}
