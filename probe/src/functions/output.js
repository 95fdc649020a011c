// @ts-check
// What goes to stdout and stderr. To a file or a terminal it is written before the call returns.

import { state } from '../state.js';
import { counted, replace, sizeOf, wrap } from '../wrap.js';

export const CONSOLE_METHODS = ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'];

export function wrapConsole() {
  for (const key of CONSOLE_METHODS) wrap(console, key, `console.${key}`, 'output');
}

/** Not before the service listens: to look at the streams opens them. */
export function wrapStreams() {
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    const stream = process[name];
    // The method is that of a prototype, shared with other streams.
    const { write } = stream;
    const counting = counted(write, `process.${name}.write`, 'output', (_, args) => sizeOf(args[0]));
    Object.defineProperty(stream, 'write', {
      value: write,
      configurable: true,
      enumerable: Object.getOwnPropertyDescriptor(stream, 'write')?.enumerable ?? false,
      writable: true,
    });
    replace(
      stream,
      'write',
      () =>
        ({
          /** @this {unknown} @param {any[]} args */
          write(...args) {
            if (state.inside) state.inner_bytes += sizeOf(args[0]);
            return Reflect.apply(counting, this, args);
          },
        }).write,
    );
  }
}
