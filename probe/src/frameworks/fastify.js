// @ts-check
// Hooks and handlers of Fastify.

import { subscribe } from 'node:diagnostics_channel';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { shown } from './shown.js';

/** @typedef {import('./shown.js').Show} Show */

/** Hooks that run for a request. */
const HOOKS = new Set([
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
  'onError',
]);

/** @param {Show} show */
export function watchFastify(show) {
  subscribe('fastify.initialization', (/** @type {any} */ { fastify }) => {
    quietly(() => {
      // What a route itself has is not given to `addHook`.
      fastify.addHook('onRoute', (/** @type {any} */ options) => quietly(() => route(show, options)));
      replace(fastify, 'addHook', (original) => addsHook(show, original));
    });
  });
}

/** @param {Show} show @param {Function} original */
function addsHook(show, original) {
  return {
    /** @this {unknown} @param {any[]} args the hook, and what runs */
    addHook(...args) {
      const [hook, run, ...rest] = args;
      const own = HOOKS.has(hook) ? seenBy(show, 'hook', run, hook) : run;
      return Reflect.apply(original, this, [hook, own, ...rest]);
    },
  }.addHook;
}

/** A route is about to be registered. @param {Show} show @param {any} options */
function route(show, options) {
  options.handler = seenBy(show, 'handler', options.handler, '');
  for (const hook of HOOKS) {
    const run = options[hook];
    if (Array.isArray(run)) options[hook] = run.map((one) => seenBy(show, 'hook', one, hook));
    else if (run) options[hook] = seenBy(show, 'hook', run, hook);
  }
}

/** @param {Show} show @param {import('./shown.js').Kind} kind @param {any} run @param {string} otherwise the name of one without */
function seenBy(show, kind, run, otherwise) {
  if (typeof run !== 'function') return run;
  const around = show(kind, run.name || otherwise, run);
  return around ? shown(run, around) : run;
}
