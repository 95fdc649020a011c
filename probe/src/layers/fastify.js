// @ts-check
// Hooks and handlers of Fastify.

import { subscribe } from 'node:diagnostics_channel';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { labelled, layerHere } from './layer.js';

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

export function watchFastify() {
  subscribe('fastify.initialization', (/** @type {any} */ { fastify }) => {
    quietly(() => {
      fastify.addHook('onRoute', route);
      replace(fastify, 'addHook', addHook);
    });
  });
}

/** @param {Function} original */
function addHook(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    addHook(...args) {
      const [hook, run] = args;
      if (HOOKS.has(hook) && typeof run === 'function') args[1] = ofHook(hook, run);
      return Reflect.apply(original, this, args);
    },
  }.addHook;
}

/** A route is about to be registered. @param {any} options */
function route(options) {
  quietly(() => {
    const { handler } = options;
    if (typeof handler === 'function') {
      options.handler = labelled(layerHere('handler', handler.name, handler), handler);
    }
    for (const hook of HOOKS) {
      const run = options[hook];
      if (typeof run === 'function') options[hook] = ofHook(hook, run);
      else if (Array.isArray(run)) options[hook] = run.map((one) => ofHook(hook, one));
    }
  });
}

/** @param {string} hook @param {any} run */
function ofHook(hook, run) {
  return typeof run === 'function' ? labelled(layerHere('hook', run.name || hook, run), run) : run;
}
