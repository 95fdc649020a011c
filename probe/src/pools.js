// @ts-check
// Pools of connections that have a bound: how long the service waits until one of theirs is free. What is asked of a pool, and
// from where, is counted as calls of its function, kind `connection`.

import http from 'node:http';
import { begin, count, createCounter, end } from './count.js';
import { onLoaded } from './loaded.js';
import { packageOf } from './sites.js';
import { quietly, state } from './state.js';
import { manyBecome, POOL, POOLS_MAX, placesOf, poolAt } from './table.js';
import { disguised, replace } from './wrap.js';

const AT = placesOf(POOL);
const WAITING = { many: AT.waiting, ns: AT.waiting_ns, changed_ms: AT.changed_ms };

/** By which pools of packages are asked for a connection; each returns a promise or takes a callback as its last argument. */
const ACQUIRING = ['acquire', 'checkOut', 'connect', 'getConnection'];
/** A class with such a name is a pool, whatever its package. */
const POOL_NAME = /Pool$/;
/** Where packages keep how many connections a pool may have. */
const SIZES = ['max', 'maxSize', 'maxPoolSize', 'connectionLimit'];
const OPTIONS = ['options', 'config'];

/** @type {WeakMap<object, number>} places in the table */
const places = new WeakMap();
let pools = 0;
/** Classes that were looked at, by their prototypes. */
const seen = new WeakSet();

export function watchPools() {
  replace(http.Agent.prototype, 'addRequest', addRequest);
  onLoaded(look);
}

/** @param {Function} original */
function addRequest(original) {
  const counter = createCounter('http.Agent', 'connection');
  return {
    /** @this {http.Agent} @param {any[]} args */
    addRequest(...args) {
      const result = Reflect.apply(original, this, args);
      const size = Math.min(this.maxSockets, this.maxTotalSockets);
      // Without a bound nothing waits.
      if (state.on && size < Infinity) {
        quietly(() => {
          const [request] = args;
          const stop = ask(counter, placeOf(this, counter.name, size));
          if (!isQueued(this, request)) return stop();
          request.once('socket', stop);
          request.once('close', stop);
        });
      }
      return result;
    },
  }.addRequest;
}

/** @param {http.Agent} agent @param {http.ClientRequest} request */
function isQueued(agent, request) {
  for (const queue of Object.values(agent.requests)) {
    // It was the last to come.
    if (/** @type {unknown} */ (queue?.at(-1)) === request) return true;
  }
  return false;
}

/** Pools of a package that was loaded. @param {string} file @param {any} exports */
function look(file, exports) {
  const name = packageOf(file);
  if (name === null) return exports;
  if (typeof exports === 'function') watchClass(name, exports);
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(exports))) {
    if (typeof value === 'function') watchClass(name, value);
  }
  return exports;
}

/** @param {string} package_name @param {Function} made */
function watchClass(package_name, made) {
  const { prototype } = made;
  if (!POOL_NAME.test(made.name) || !prototype || seen.has(prototype)) return;
  seen.add(prototype);
  const key = ACQUIRING.find((key) => Object.hasOwn(prototype, key));
  if (key === undefined) return;
  const name = `${package_name} ${made.name}.${key}`;
  replace(prototype, key, (original) => acquiring(original, createCounter(name, 'connection')));
}

/** @param {Function} original @param {import('./count.js').Counter} counter */
function acquiring(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    wrapper(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      let stop = () => {};
      quietly(() => {
        stop = ask(counter, placeOf(this, counter.name, sizeOf(this)));
      });
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const wrapped = {
          /** @this {unknown} @param {any[]} results */
          wrapper(...results) {
            stop();
            return Reflect.apply(callback, this, results);
          },
        }.wrapper;
        args[args.length - 1] = disguised(wrapped, callback);
      }
      let result;
      try {
        result = Reflect.apply(original, this, args);
      } catch (error) {
        stop();
        throw error;
      }
      // A pool may return what has the promise.
      const promise = result?.then ? result : result?.promise;
      if (typeof promise?.then === 'function') promise.then(stop, stop);
      else if (typeof callback !== 'function') stop();
      return result;
    },
  }.wrapper;
}

/** How many connections it may have; 0 where nobody knows. @param {any} pool */
function sizeOf(pool) {
  for (const from of [pool, ...OPTIONS.map((key) => pool[key])]) {
    for (const key of SIZES) {
      const size = from?.[key];
      if (typeof size === 'number' && size > 0) return size;
    }
  }
  return 0;
}

/** @param {object} pool @param {string} name @param {number} size */
function placeOf(pool, name, size) {
  const known = places.get(pool);
  if (known !== undefined) return known;
  const index = Math.min(pools, POOLS_MAX - 1);
  const at = poolAt(index);
  if (pools < POOLS_MAX) state.tell({ type: 'pool', index, name, size: Number.isFinite(size) ? size : 0 });
  pools += 1;
  places.set(pool, at);
  return at;
}

/**
 * A connection is asked for; who asks waits until what is returned is called.
 * @param {import('./count.js').Counter} counter @param {number} at
 */
function ask(counter, at) {
  // What runs inside of the pool's function is not its own.
  if (!state.inside) count(counter, end(begin(counter)), 0);
  state.table[at + AT.asked] += 1;
  manyBecome(state.table, at, WAITING, 1);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    quietly(() => manyBecome(state.table, at, WAITING, -1));
  };
}
