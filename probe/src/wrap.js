// @ts-check
// Puts a counted function in the place of another, such that nobody can tell.

import { begin, count, createCounter, end } from './count.js';
import { state } from './state.js';

/** @typedef {import('./count.js').Kind} Kind */
/** @typedef {(result: any, args: any[], self: any) => number} Bytes */

/**
 * What `path` names in the exports of a module: its owner, and its key there.
 * @param {any} exports @param {string} path such as `Eta.prototype.compile`
 * @returns {[any, string]}
 */
export function memberOf(exports, path) {
  const steps = path.split('.');
  const key = /** @type {string} */ (steps.pop());
  return [steps.reduce((owner, step) => owner?.[step], exports), key];
}

/**
 * Replaces `owner[key]`; does nothing if there is no such function, or it cannot be replaced.
 * @param {any} owner @param {string} key @param {string} name what it is called in the report @param {Kind} kind
 * @param {Bytes} [bytes]
 */
export function wrap(owner, key, name, kind, bytes) {
  replace(owner, key, (original) => counted(original, name, kind, bytes));
}

/**
 * @param {any} owner @param {string} key
 * @param {(original: Function) => Function} make
 */
export function replace(owner, key, make) {
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, key);
  if (typeof descriptor?.value !== 'function' || !(descriptor.configurable || descriptor.writable)) return;
  const { value: original, ...attributes } = descriptor;
  const value = disguised(make(original), original);
  if (descriptor.configurable) Object.defineProperty(owner, key, { ...attributes, value });
  else owner[key] = value;
}

/**
 * Counts what a class of the language makes, or one of Node.js; it stays the class that its objects say they are of.
 * @param {any} owner @param {string} key @param {string} name @param {Kind} kind
 */
export function wrapClass(owner, key, name, kind) {
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, key);
  const original = descriptor?.value;
  if (typeof original !== 'function' || !(descriptor?.configurable || descriptor?.writable)) return;
  const counter = createCounter(name, kind);
  const make = counting(counter, Reflect.construct, () => 0);
  const call = counting(counter, Reflect.apply, () => 0);
  /** @type {any} */
  const value = new Proxy(original, {
    construct: (_, args, target) => make(original, args, target === value ? original : target),
    apply: (_, self, args) => call(original, self, args),
  });
  const of_prototype = Object.getOwnPropertyDescriptor(original.prototype, 'constructor');
  if (of_prototype?.configurable) {
    Object.defineProperty(original.prototype, 'constructor', { ...of_prototype, value });
  }
  if (descriptor.configurable) Object.defineProperty(owner, key, { ...descriptor, value });
  else owner[key] = value;
}

/**
 * A function that runs the original and counts the call, unless it is part of a call that is being counted.
 * @param {Function} original @param {string} name @param {Kind} kind @param {Bytes} [bytes]
 */
export function counted(original, name, kind, bytes) {
  return counting(createCounter(name, kind), original, bytes);
}

/** @param {import('./count.js').Counter} counter @param {Function} original @param {Bytes} [bytes] */
function counting(counter, original, bytes) {
  // A method, because a function would have a prototype, which the built-in ones have not.
  return {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      if (!state.on || state.inside) return Reflect.apply(original, this, args);
      state.inner_bytes = 0;
      let result;
      const from_ms = begin(counter);
      try {
        result = Reflect.apply(original, this, args);
        return result;
      } finally {
        const ns = end(from_ms);
        count(counter, ns, bytes ? measured(bytes, result, args, this) : state.inner_bytes);
      }
    },
  }.wrapper;
}

/** @param {Bytes} bytes @param {any} result @param {any[]} args @param {unknown} self */
function measured(bytes, result, args, self) {
  try {
    return bytes(result, args, self) || 0;
  } catch {
    return 0;
  }
}

/**
 * Name, length and everything else that hangs on the original.
 * @param {Function} wrapper @param {Function} original
 */
export function disguised(wrapper, original) {
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original));
  const own = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(own)) {
    const descriptor = Reflect.get(own, key);
    const there = Object.getOwnPropertyDescriptor(wrapper, key);
    if (there && !there.configurable && !there.writable) continue;
    Object.defineProperty(
      wrapper,
      key,
      there && !there.configurable ? { value: descriptor.value } : descriptor,
    );
  }
  return wrapper;
}

/** The size of what was passed or came back: a string counts its UTF-16 units. @param {any} data */
export function sizeOf(data) {
  if (typeof data === 'string') return data.length;
  return typeof data?.byteLength === 'number' ? data.byteLength : 0;
}
