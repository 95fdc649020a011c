// @ts-check
// Expressions and errors that are made, and stacks that are captured: how many, and on which lines. What they cost shows in the
// profile.

import { begin, count, createCounter, end } from '../count.js';
import { state } from '../state.js';
import { replace } from '../wrap.js';

export function wrapMade() {
  if (Object.isFrozen(Error) || Object.isFrozen(RegExp)) return;
  countExpressions();
  countErrors();
}

/**
 * @template T @param {import('../count.js').Counter} counter @param {() => T} make
 * @param {Function} [within] the function that was called to make it
 * @returns {T}
 */
function counted(counter, make, within) {
  if (!state.on || state.inside) return make();
  const from_ms = begin(counter);
  try {
    return make();
  } finally {
    count(counter, end(from_ms), 0, undefined, within);
  }
}

/** `constructor` of expressions stays what it is: V8 runs those whose prototype was changed the long way. */
function countExpressions() {
  const Original = RegExp;
  const counter = createCounter('new RegExp', 'expression');
  /** @this {unknown} @param {any} [pattern] @param {any} [flags] */
  function Made(pattern, flags) {
    const is_new = new.target === Made;
    if (!is_new && new.target) return Reflect.construct(Original, [pattern, flags], new.target);
    if (!state.on || state.inside) return is_new ? new Original(pattern, flags) : Original(pattern, flags);
    const from_ms = begin(counter);
    try {
      return is_new ? new Original(pattern, flags) : Original(pattern, flags);
    } finally {
      count(counter, end(from_ms), 0);
    }
  }
  Object.setPrototypeOf(Made, Original);
  stand(Made, Original, 'RegExp');
}

/** Errors of the language itself, such as `TypeError`, are classes of their own and not counted. */
function countErrors() {
  const Original = Error;
  const counter = createCounter('new Error', 'error');
  replace(Original, 'captureStackTrace', (original) => captures(original));
  /** @this {unknown} @param {any[]} args */
  function Made(...args) {
    // The stack of an error begins below the function that `new` was asked for.
    const target = new.target ?? Made;
    return counted(counter, () => Reflect.construct(Original, args, target), target);
  }
  Object.setPrototypeOf(Made, Object.getPrototypeOf(Original));
  // V8 and Node.js ask the original how stacks are to be made.
  const own = Reflect.ownKeys(Original).filter(
    (key) => !['prototype', 'name', 'length'].includes(String(key)),
  );
  for (const key of new Set([...own, 'prepareStackTrace'])) {
    Object.defineProperty(Made, key, {
      get: () => Reflect.get(Original, key),
      set: (value) => void Reflect.set(Original, key, value),
      enumerable: Object.prototype.propertyIsEnumerable.call(Original, key),
      configurable: true,
    });
  }
  stand(Made, Original, 'Error');
  Object.defineProperty(Original.prototype, 'constructor', {
    value: Made,
    configurable: true,
    writable: true,
  });
  for (const Special of [
    AggregateError,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  ]) {
    Object.setPrototypeOf(Special, Made);
  }
}

/** @param {Function} original */
function captures(original) {
  const counter = createCounter('Error.captureStackTrace', 'error');
  const { wrapper } = {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      // Where nothing else is asked for, the stack begins with the caller.
      if (args.length === 1) args.push(wrapper);
      return counted(counter, () => Reflect.apply(original, this, args), args[1]);
    },
  };
  return wrapper;
}

/** @param {Function} made @param {Function} original @param {'RegExp' | 'Error'} key */
function stand(made, original, key) {
  made.prototype = original.prototype;
  for (const name of ['name', 'length']) {
    Object.defineProperty(made, name, { value: Reflect.get(original, name), configurable: true });
  }
  Object.defineProperty(globalThis, key, { value: made, configurable: true, writable: true });
}
