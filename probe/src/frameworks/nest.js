// @ts-check
// Middleware, guards and methods of controllers of Nest. All of them run on Express or Fastify, whose functions have no names
// there and are registered by Nest itself.

import { replace } from '../wrap.js';
import { shown } from './shown.js';

/** @typedef {import('./shown.js').Show} Show */

/** Modules that are changed. */
export const PARTS =
  /[\\/]@nestjs[\\/]core[\\/](middleware[\\/]builder|guards[\\/]guards-context-creator|router[\\/]router-execution-context)\.js$/;
/** Classes of middleware that were changed. */
const seen = new WeakSet();

/** @param {Show} show @param {string} file @param {any} exports */
export function changedNest(show, file, exports) {
  if (!PARTS.test(file)) return;
  const { MiddlewareBuilder, GuardsContextCreator, RouterExecutionContext } = exports;
  replace(MiddlewareBuilder?.prototype, 'apply', (original) => applies(show, original));
  replace(GuardsContextCreator?.prototype, 'createConcreteContext', (original) => guards(show, original));
  replace(RouterExecutionContext?.prototype, 'create', (original) => creates(show, original));
}

/** `consumer.apply(Logger)`. @param {Show} show @param {Function} original */
function applies(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    apply(...args) {
      return Reflect.apply(
        original,
        this,
        args.flat().map((one) => middleware(show, one)),
      );
    },
  }.apply;
}

/** @param {Show} show @param {any} given a function, or a class with `use` */
function middleware(show, given) {
  if (typeof given !== 'function' || seen.has(given)) return given;
  const { use } = given.prototype ?? {};
  const around = show('middleware', given.name, use ?? given);
  if (!around) return given;
  if (typeof use !== 'function') return shown(given, around);
  // Nest makes it, with what it depends on.
  seen.add(given);
  given.prototype.use = shown(use, around);
  return given;
}

/** @param {Show} show @param {Function} original */
function guards(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    createConcreteContext(...args) {
      const found = Reflect.apply(original, this, args);
      for (const guard of found) show('guard', guard.constructor.name, guard.canActivate);
      return found;
    },
  }.createConcreteContext;
}

/** @param {Show} show @param {Function} original */
function creates(show, original) {
  return {
    /** @this {unknown} @param {any[]} args the controller, its method, its name, … */
    create(...args) {
      const [controller, method] = args;
      const run = Reflect.apply(original, this, args);
      if (typeof run !== 'function') return run;
      const around = show('handler', `${controller?.constructor?.name}.${method?.name}`, method);
      return around ? shown(run, around) : run;
    },
  }.create;
}
