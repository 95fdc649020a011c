// @ts-check
// Middleware, guards and methods of controllers of Nest. All of them run on Express or Fastify, whose functions have no names
// there and are registered by Nest itself.

import { placeOfCaller } from '../sites.js';
import { quietly } from '../state.js';
import { replace } from '../wrap.js';
import { FRAMEWORKS, makeStandFor, shown, standsFor } from './shown.js';

/** @typedef {import('./shown.js').Show} Show */

/** Modules that are changed. */
export const PARTS =
  /[\\/]@nestjs[\\/](core[\\/](middleware[\\/]builder|guards[\\/]guards-context-creator|router[\\/]router-(execution-context|explorer|proxy))|common[\\/]decorators[\\/]http[\\/]request-mapping\.decorator)\.js$/;
/** Packages that call themselves while a method is registered. */
const OWN = new Set([...FRAMEWORKS, '@nestjs/common', '@nestjs/core', 'tslib', 'reflect-metadata']);
/** Classes of middleware that were changed. */
const seen = new WeakSet();

/** @param {Show} show @param {string} file @param {any} exports */
export function changedNest(show, file, exports) {
  if (!PARTS.test(file)) return;
  const { MiddlewareBuilder, GuardsContextCreator, RouterExecutionContext, RouterExplorer, RouterProxy } =
    exports;
  replace(MiddlewareBuilder?.prototype, 'apply', (original) => applies(show, original));
  replace(GuardsContextCreator?.prototype, 'createConcreteContext', (original) => guards(show, original));
  replace(RouterExecutionContext?.prototype, 'create', (original) => creates(show, original));
  replace(RouterProxy?.prototype, 'createProxy', proxies);
  replace(RouterExplorer?.prototype, 'createRequestScopedHandler', proxiesScoped);
  if (exports.RequestMapping) quietly(() => replace(exports, 'RequestMapping', maps));
}

/** `@Get()`: the line of a method of a controller. @param {Function} original */
function maps(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    RequestMapping(...args) {
      const decorate = Reflect.apply(original, this, args);
      /** @type {import('../sites.js').Frame | null} */
      let place = null;
      quietly(() => {
        place = placeOfCaller(OWN);
      });
      return (/** @type {any[]} */ ...decorated) => {
        const run = decorated[2]?.value;
        if (typeof run === 'function') makeStandFor(run, { run, name: '', place });
        return decorate(...decorated);
      };
    },
  }.RequestMapping;
}

/** What Nest gives to Express or Fastify runs the method, with guards, pipes and interceptors around it. @param {Function} original */
function proxies(original) {
  return {
    /** @this {unknown} @param {any[]} args what runs the method, and what handles its errors */
    createProxy(...args) {
      const proxy = Reflect.apply(original, this, args);
      const method = standsFor(args[0]);
      if (method) makeStandFor(proxy, method);
      return proxy;
    },
  }.createProxy;
}

/** As above, of a controller that is made for each request. @param {Function} original */
function proxiesScoped(original) {
  return {
    /** @this {unknown} @param {any[]} args the controller, …, and the name of its method */
    createRequestScopedHandler(...args) {
      const proxy = Reflect.apply(original, this, args);
      quietly(() => {
        const { metatype } = args[0];
        const run = metatype.prototype[args.at(-1)];
        makeStandFor(proxy, { run, name: nameOf(metatype, run), place: standsFor(run)?.place ?? null });
      });
      return proxy;
    },
  }.createRequestScopedHandler;
}

/** @param {Function | undefined} controller @param {Function | undefined} method */
function nameOf(controller, method) {
  return `${controller?.name}.${method?.name}`;
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
      const name = nameOf(controller?.constructor, method);
      const around = show('handler', name, method);
      if (!around) return run;
      const own = shown(run, around);
      makeStandFor(own, { run: method, name, place: standsFor(method)?.place ?? null });
      return own;
    },
  }.create;
}
