// @ts-check
// Modules that are loaded, and templates that are compiled. At the start of a service both are as they should be, and
// nothing counts yet; while it serves they are a mistake.

import Module from 'node:module';
import { isAbsolute } from 'node:path';
import vm from 'node:vm';
import { begin, count, createCounter, end } from '../count.js';
import { onLoaded } from '../loaded.js';
import { addWatchedToSite, packageOf } from '../sites.js';
import { quietly, state } from '../state.js';
import { SEEN_AGAIN, WATCHED } from '../table.js';
import { memberOf, replace, sizeOf, wrap } from '../wrap.js';

/** Template engines, and the functions of theirs that compile. A class is entered by its prototype. */
const ENGINES = /** @type {Record<string, string[]>} */ ({
  dot: ['template', 'compile'],
  ejs: ['compile'],
  eta: ['Eta.prototype.compile'],
  // What is compiled is parsed and written when it is used first.
  handlebars: [
    'compile',
    'precompile',
    'parse',
    'Compiler.prototype.compile',
    'JavaScriptCompiler.prototype.compile',
    'template',
  ],
  lodash: ['template'],
  mustache: ['parse'],
  nunjucks: ['compile', 'renderString'],
  pug: ['compile'],
  underscore: ['template'],
});

/** Validators of schemas, and the functions of theirs that compile. */
const VALIDATORS = /** @type {Record<string, string[]>} */ ({
  ajv: ['prototype.compile', 'prototype._compileSchemaEnv', 'prototype.addMetaSchema'],
  'ajv-draft-04': ['prototype.compile', 'prototype._compileSchemaEnv'],
  '@hapi/joi': ['compile'],
  'fast-json-stringify': ['build', 'default'],
  'fastest-validator': ['prototype.compile'],
  joi: ['compile'],
  'is-my-json-valid': ['filter'],
});

/** Where zod has what makes schemas, and what that is called. How long it takes is in the profile: some of it comes with the first use. */
const SCHEMAS = /[\\/]zod[\\/](lib[\\/]|v3[\\/]|v4[\\/](classic|mini)[\\/])(types|schemas)\.c?js$/;
const BUILDERS = [
  'array',
  'boolean',
  'date',
  'discriminatedUnion',
  'enum',
  'intersection',
  'literal',
  'looseObject',
  'number',
  'object',
  'record',
  'strictObject',
  'string',
  'tuple',
  'union',
];

/** Engines that are wrapped, by what their module exports. */
const wrapped = new WeakSet();
/** A module was not in the cache. */
let loaded = false;

export function wrapModules() {
  replace(
    Module.prototype,
    'load',
    (original) =>
      ({
        /** @this {unknown} @param {any[]} args */
        load(...args) {
          loaded = true;
          return Reflect.apply(original, this, args);
        },
      }).load,
  );
  replace(Module, '_load', loader);
  onLoaded((file, exports) => {
    if (!SCHEMAS.test(file)) return exports;
    // They are frozen.
    const free = Object.entries(Object.getOwnPropertyDescriptors(exports)).map(([key, descriptor]) => [
      key,
      { ...descriptor, configurable: true },
    ]);
    const changed = Object.create(Object.getPrototypeOf(exports), Object.fromEntries(free));
    for (const key of BUILDERS) wrap(changed, key, `zod.${key}`, 'schema', () => 0);
    return changed;
  });
  for (const key of ['compileFunction', 'runInContext', 'runInNewContext', 'runInThisContext']) {
    wrap(vm, key, `vm.${key}`, 'template', (_, args) => sizeOf(args[0]));
  }
}

/** @param {Function} original */
function loader(original) {
  const counter = createCounter('require', 'module');
  return {
    /** @this {unknown} @param {any[]} args */
    _load(...args) {
      if (!state.on || state.inside) return noticeEngine(args[0], Reflect.apply(original, this, args));
      loaded = false;
      const from_ms = begin(counter);
      try {
        return noticeEngine(args[0], Reflect.apply(original, this, args));
      } finally {
        const site = count(counter, end(from_ms), 0);
        state.table[counter.at + WATCHED] += 1;
        if (!loaded) state.table[counter.at + SEEN_AGAIN] += 1;
        if (site !== undefined) addWatchedToSite(site, !loaded);
      }
    },
  }._load;
}

/** @param {unknown} request @param {any} exports */
function noticeEngine(request, exports) {
  if (typeof request !== 'string' || !exports) return exports;
  // An ES module that imports one of CommonJS asks by path.
  const engine = isAbsolute(request) ? packageOf(request) : request;
  if (engine === null || wrapped.has(exports)) return exports;
  const functions = ENGINES[engine] ?? VALIDATORS[engine];
  if (functions) {
    const kind = ENGINES[engine] ? 'template' : 'construction';
    quietly(() => {
      wrapped.add(exports);
      for (const path of functions) wrapEngine(engine, exports, path, kind);
    });
  }
  return exports;
}

/**
 * @param {string} engine @param {any} exports @param {string} path
 * @param {import('../count.js').Kind} kind
 */
function wrapEngine(engine, exports, path, kind) {
  const [first, key] = memberOf(exports, path);
  const owner = ownerOf(first, key);
  const name = [engine, ...path.split('.').filter((step) => step !== 'prototype')].join('.');
  wrap(owner, key, name, kind, (_, args) => sizeOf(args[0]));
}

/** Where a method is inherited from. @param {any} owner @param {string} key */
function ownerOf(owner, key) {
  let at = owner;
  while (at && at !== Object.prototype && at !== Function.prototype) {
    if (Object.hasOwn(at, key)) return at;
    at = Object.getPrototypeOf(at);
  }
  return undefined;
}
