// @ts-check
// Middleware and handlers of Express, and of what is built on it: it makes a layer of each function that is given to `use` or to
// a route.

import { packageOf } from '../sites.js';
import { replace } from '../wrap.js';

/** @typedef {import('./shown.js').Around} Around */

/** Express runs these itself, and does not work without them. A router has layers of its own. */
const OF_EXPRESS = new Set(['query', 'expressInit', 'router', 'mounted_app', 'handle']);
const PACKAGES = new Set(['express', 'router']);
/** What calls the function of a layer, with a request and with an error. */
const CALLS = { handle_request: false, handleRequest: false, handle_error: true, handleError: true };

/** @param {import('./shown.js').Show} show @param {string} file @param {any} exports */
export function changedExpress(show, file, exports) {
  return typeof exports === 'function' && isLayerOfExpress(file) ? layers(show, exports) : exports;
}

/** Whether a module calls the functions of layers. @param {string} file */
export function isLayerOfExpress(file) {
  return /[\\/]layer\.js$/.test(file) && PACKAGES.has(packageOf(file) ?? '');
}

/** @param {import('./shown.js').Show} show @param {any} Layer */
function layers(show, Layer) {
  /** @type {WeakMap<object, { around: Around, errors: boolean }>} */
  const known = new WeakMap();
  for (const [method, errors] of Object.entries(CALLS)) {
    replace(Layer.prototype, method, (original) => {
      return {
        /** @this {object} @param {any[]} args */
        call(...args) {
          const layer = known.get(this);
          // Of the other kind it only goes on.
          if (layer?.errors !== errors) return Reflect.apply(original, this, args);
          return layer.around(original, this, args);
        },
      }.call;
    });
  }
  /** @param {unknown} path @param {any} options @param {any} run */
  function Made(path, options, run) {
    const made = new Layer(path, options, run);
    const kind = kindOf(options, run);
    const around = kind && show(kind, run.name, run);
    if (around) known.set(made, { around, errors: run.length > 3 });
    return made;
  }
  Made.prototype = Layer.prototype;
  return Made;
}

/** @param {any} options @param {unknown} run @returns {import('./shown.js').Kind | undefined} */
function kindOf(options, run) {
  if (typeof run !== 'function' || OF_EXPRESS.has(run.name)) return undefined;
  // What is given to `use` matches the beginning of a path; a route matches the whole of it and has handlers below.
  if (options?.end === true) return undefined;
  if (options?.end !== false) return 'handler';
  return run.length > 3 ? 'errors' : 'middleware';
}
