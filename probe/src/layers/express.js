// @ts-check
// Middleware and handlers of Express, and of what is built on it: a layer for each function that is given to `use` or to a route.

import { replace } from '../wrap.js';
import { labels } from './label.js';
import { layerHere, runAs } from './layer.js';

/** Express runs these itself. A router has layers of its own. */
const OF_EXPRESS = new Set(['query', 'expressInit', 'router', 'mounted_app']);

/** @param {string} name @param {string} file @param {any} exports */
export function lookAtExpress(name, file, exports) {
  if (name !== 'express' && name !== 'router') return exports;
  if (!/[\\/]layer(\.js)?$/.test(file) || typeof exports !== 'function') return exports;
  return labelledLayer(exports);
}

/** @param {any} Layer */
function labelledLayer(Layer) {
  /** @type {WeakMap<object, import('./layer.js').Layer>} */
  const layers = new WeakMap();
  for (const method of ['handle_request', 'handleRequest', 'handle_error', 'handleError']) {
    if (typeof Layer.prototype[method] !== 'function') continue;
    replace(Layer.prototype, method, (original) => {
      return {
        /** @this {object} @param {any[]} args */
        handle(...args) {
          const layer = labels.on ? layers.get(this) : undefined;
          return layer ? runAs(layer, original, this, args) : Reflect.apply(original, this, args);
        },
      }.handle;
    });
  }
  /** @param {unknown} path @param {any} options @param {any} run */
  function Made(path, options, run) {
    const made = new Layer(path, options, run);
    // `use` matches the beginning of a path, a route matches the whole of it and has handlers below.
    const kind = options?.end === false ? 'middleware' : options?.end === true ? undefined : 'handler';
    if (kind === undefined || typeof run !== 'function' || OF_EXPRESS.has(run.name)) return made;
    const layer = layerHere(kind, run.name, run);
    if (layer !== undefined) layers.set(made, layer);
    return made;
  }
  Made.prototype = Layer.prototype;
  return Made;
}
