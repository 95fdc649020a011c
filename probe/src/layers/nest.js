// @ts-check
// Methods of Nest's controllers. What runs before them is registered with Express or Fastify.

import { replace } from '../wrap.js';
import { labelled, layerHere } from './layer.js';

/** @param {string} name @param {string} file @param {any} exports */
export function lookAtNest(name, file, exports) {
  if (name !== '@nestjs/core' || !/router-execution-context(\.js)?$/.test(file)) return exports;
  const Context = exports.RouterExecutionContext;
  if (typeof Context?.prototype?.create !== 'function') return exports;
  replace(Context.prototype, 'create', (original) => {
    return {
      /** @this {unknown} @param {any[]} args the controller, its method, its name, … */
      create(...args) {
        const [controller, method] = args;
        const run = Reflect.apply(original, this, args);
        if (typeof run !== 'function') return run;
        const full = `${controller?.constructor?.name ?? ''}.${method?.name ?? ''}`;
        return labelled(layerHere('handler', full, method), run);
      },
    }.create;
  });
  return exports;
}
