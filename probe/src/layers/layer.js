// @ts-check
// Layers of the service: functions that a framework calls for a request, each known by the line that registers it.

import { IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import { FRAMEWORKS, standsFor } from '../frameworks/shown.js';
import { isGuard } from '../guards.js';
import { placeOfCaller } from '../sites.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { enter, FIRST_LAYER, isOfFunction, isServer, LAYERS_MAX, labels } from './label.js';
import { labelServer } from './server.js';

/**
 * @typedef {'middleware' | 'hook' | 'handler' | 'server'} Kind
 *
 * @typedef {object} Layer
 * @property {number} label
 * @property {Kind} kind
 * @property {string} name of the function; empty for an anonymous one
 * @property {import('../sites.js').Frame | null} place where it is registered
 * @property {boolean} guards it decides which requests get through
 */

/** @type {Layer[]} */
export const layers = [];
/** @type {Map<string, Layer>} */
const known = new Map();

/**
 * The layer of a function that is registered by the call that is running; undefined where there are too many.
 * @param {Kind} kind @param {string} name @param {Function} run
 * @returns {Layer | undefined}
 */
export function layerHere(kind, name, run) {
  const other = standsFor(run);
  if (other?.name) name = other.name;
  const place = other?.place ?? placeOfCaller(FRAMEWORKS);
  // One line may register several functions.
  const text = Function.prototype.toString.call(other?.run ?? run);
  return layerAt(kind, name, place, text, isGuard(name, run));
}

/** @param {Kind} kind @param {string} name @param {Layer['place']} place @param {string} text @param {boolean} guards */
function layerAt(kind, name, place, text, guards) {
  const key = `${kind} ${name} ${place?.file}:${place?.line}:${place?.column} ${text}`;
  const before = known.get(key);
  if (before !== undefined || layers.length >= LAYERS_MAX) return before;
  const layer = { label: FIRST_LAYER + layers.length, kind, name, place, guards };
  layers.push(layer);
  known.set(key, layer);
  return layer;
}

/** A server listens: what Node.js does for it and for none of the other layers has its label. @param {object} server @param {Layer['place']} place */
export function serverAt(server, place) {
  const layer = layerAt('server', '', place, '', false);
  if (layer === undefined) return;
  isServer(layer.label);
  labelServer(server, layer.label);
}

/** The handler that a response comes from. @type {WeakMap<object, number>} */
const handlers = new WeakMap();

/**
 * Runs a function of a layer now: what it does and causes has the label of its layer, and what it calls to go on has not. What comes
 * after a handler is its response, which a framework makes of what it returns.
 * @param {Layer} layer @param {Function} run @param {unknown} self @param {any[]} args
 */
export function runAs({ label, kind }, run, self, args) {
  const outer = enter(label);
  const response = responseOf(args);
  if (kind === 'handler') {
    labels.handler = label;
    if (response) handlers.set(response, label);
  }
  const before = response === undefined ? undefined : methodsOf(response);
  const last = args.length - 1;
  const next = args[last];
  if (typeof next === 'function') {
    args[last] = (/** @type {any[]} */ ...passed) => {
      if (response && before) ownMethods(response, before, label);
      const here = enter(outer);
      try {
        return next(...passed);
      } finally {
        enter(here);
      }
    };
  }
  try {
    return Reflect.apply(run, self, args);
  } finally {
    if (response && before) ownMethods(response, before, label);
    enter(isOfFunction(outer) || !isOfFunction(labels.handler) ? outer : labels.handler);
  }
}

/** What layers put in the place of to hear of a response. */
const METHODS = /** @type {const} */ (['writeHead', 'write', 'end', 'setHeader', 'flushHeaders']);

/** Who called the outermost of a response's methods that a layer has replaced. @type {number | undefined} */
let writer;
/** The same of each response: a layer may write later what it was given, as one that compresses does. @type {WeakMap<object, number>} */
const writers = new WeakMap();
const owned = new WeakSet();

/** @param {any[]} args @returns {any} */
function responseOf(args) {
  for (const arg of args) {
    if (typeof arg !== 'object' || arg === null) continue;
    const found =
      arg instanceof ServerResponse
        ? arg
        : (ownValue(arg, 'res') ?? ownValue(arg, 'raw') ?? ownValue(arg, 'env')?.outgoing);
    if (found instanceof ServerResponse) return found;
  }
  return undefined;
}

/** Contexts of Koa and Fastify have it; that of Hono makes a response where it is asked. @param {any} of @param {string} key */
function ownValue(of, key) {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

/** @param {any} response @returns {Function[]} */
function methodsOf(response) {
  return METHODS.map((key) => response[key]);
}

/** The methods that a layer has put into a response are its own, whoever calls them. @param {any} response @param {Function[]} before @param {number} label */
function ownMethods(response, before, label) {
  for (const [index, key] of METHODS.entries()) {
    const method = response[key];
    if (method === before[index] || typeof method !== 'function' || owned.has(method)) continue;
    const own = {
      /** @this {unknown} @param {any[]} args */
      own(...args) {
        if (!labels.on) return Reflect.apply(method, this, args);
        const outer = writer;
        if (writer === undefined) {
          writer = labels.current;
          if ((key === 'write' || key === 'end') && isOfFunction(writer)) writers.set(response, writer);
        }
        const here = enter(label);
        try {
          return Reflect.apply(method, this, args);
        } finally {
          enter(here);
          writer = outer;
        }
      },
    }.own;
    owned.add(own);
    response[key] = own;
  }
}

/** Who a response is written for: whoever called what a layer has replaced, now or before, or the handler that it comes from. @param {object} response */
function writerOf(response) {
  if (writer !== undefined || !labels.on) return writer;
  return writers.get(response) ?? (isOfFunction(labels.current) ? undefined : handlers.get(response));
}

/** What a replaced method calls in the end is done for whoever called it. */
function watchMethods() {
  for (const owner of [ServerResponse.prototype, OutgoingMessage.prototype]) {
    for (const key of METHODS) {
      replace(owner, key, (original) => {
        return {
          /** @this {unknown} @param {any[]} args */
          method(...args) {
            const label = writerOf(/** @type {object} */ (this));
            if (label === undefined) return Reflect.apply(original, this, args);
            const outer = writer;
            writer = undefined;
            const here = enter(label);
            try {
              return Reflect.apply(original, this, args);
            } finally {
              enter(here);
              writer = outer;
            }
          },
        }.method;
      });
    }
  }
}

/** Listeners of requests and responses, whoever makes the event. */
function watchListeners() {
  const { prototype } = Object.getPrototypeOf(Object.getPrototypeOf(OutgoingMessage));
  for (const key of ['on', 'addListener', 'prependListener', 'once', 'prependOnceListener']) {
    const once = key.endsWith('nce') || key.includes('Once');
    replace(prototype, key, (original) => {
      return {
        /** @this {any} @param {any[]} args */
        listen(...args) {
          const [event, listener] = args;
          const label = labels.current;
          const wanted =
            labels.on && isOfFunction(label) && typeof listener === 'function' && !listener.listener;
          if (!wanted || !(this instanceof OutgoingMessage || this instanceof IncomingMessage)) {
            return Reflect.apply(original, this, args);
          }
          const emitter = this;
          const as = {
            /** @this {unknown} @param {any[]} passed */
            listener(...passed) {
              if (once) emitter.removeListener(event, as);
              if (!labels.on) return Reflect.apply(listener, this, passed);
              const here = enter(label);
              try {
                return Reflect.apply(listener, this, passed);
              } finally {
                enter(here);
              }
            },
          }.listener;
          Object.assign(as, { listener });
          if (!once) return Reflect.apply(original, this, [event, as]);
          return key === 'once' ? this.on(event, as) : this.prependListener(event, as);
        },
      }.listen;
    });
  }
}

export function watchResponses() {
  quietly(watchMethods);
  quietly(watchListeners);
}
