// @ts-check
// What a service adds to and may forget to take from: listeners of emitters, and rooms of Socket.IO. Who adds to many is counted,
// with how many there are.

import { EventEmitter } from 'node:events';
import { begin, count, createCounter, end } from './count.js';
import { onLoaded } from './loaded.js';
import { packageOf } from './sites.js';
import { quietly, state } from './state.js';
import { KEPT, siteAt } from './table.js';
import { replace } from './wrap.js';

/** Fewer are not worth a look: most emitters have a handful of listeners for an event. */
const MANY = 16;

/** @typedef {import('./count.js').Counter} Counter */

export function watchKept() {
  watchListeners();
  watchRooms();
}

function watchListeners() {
  const counter = createCounter('EventEmitter.on', 'listener');
  const { on, addListener } = EventEmitter.prototype;
  const wrapper = listening(on, counter);
  replace(EventEmitter.prototype, 'on', () => wrapper);
  // They are one function.
  if (addListener === on) replace(EventEmitter.prototype, 'addListener', () => wrapper);
}

/** @param {Function} original @param {Counter} counter */
function listening(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    wrapper(...args) {
      const result = Reflect.apply(original, this, args);
      if (!state.on || state.inside) return result;
      // One listener stands for itself, several are a list.
      const listeners = this._events?.[args[0]];
      if (typeof listeners === 'object' && listeners.length >= MANY) {
        quietly(() => added(counter, listeners.length));
      }
      return result;
    },
  }.wrapper;
}

function watchRooms() {
  const counter = createCounter('Socket.join', 'room');
  const seen = new WeakSet();
  onLoaded((file, exports) => {
    const prototype = packageOf(file) === 'socket.io-adapter' ? exports.Adapter?.prototype : undefined;
    if (prototype && !seen.has(prototype)) {
      seen.add(prototype);
      replace(prototype, 'addAll', (original) => joining(original, counter));
    }
    return exports;
  });
}

/** @param {Function} original @param {Counter} counter */
function joining(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    addAll(...args) {
      const result = Reflect.apply(original, this, args);
      if (state.on && !state.inside) {
        quietly(() => {
          // Each socket has a room of its own.
          const rooms = this.rooms.size - this.sids.size;
          if (rooms >= MANY) added(counter, rooms);
        });
      }
      return result;
    },
  }.addAll;
}

/** One more is kept. @param {Counter} counter @param {number} many so many are now */
function added(counter, many) {
  const site = count(counter, end(begin(counter)), 0);
  if (site === undefined) return;
  // How many there are is looked at with the stack, so that is taken as often where all are of one line.
  counter.stacks.per_s = state.stacks_per_s;
  const at = siteAt(site) + KEPT;
  const least = state.table[at] ?? 0;
  state.table[at] = least === 0 ? many : Math.min(least, many);
}
