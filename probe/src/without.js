// @ts-check
// Leaves out of the service what was asked to be, and changes nothing else: a run without it can be measured beside one
// with it.

import { watchFrameworks } from './frameworks.js';
import { onLoaded } from './loaded.js';
import { quietly } from './state.js';
import { changedCalls, leaveOutCalls, leaveOutStreams } from './without/calls.js';
import { watchContents, watchStreams } from './without/contents.js';
import { announce, leaveOut, met, removableMiddleware, tellGuard } from './without/removals.js';
import {
  changedCompressor,
  changedResponses,
  leaveOutCompression,
  leaveOutCompressionOfStreams,
} from './without/responses.js';

/** As the process starts. @param {string[]} names */
export function without(names) {
  leaveOut(names);
  for (const part of [leaveOutCalls, leaveOutCompression]) quietly(part);
  watchFrameworks(passedOver);
  quietly(() => {
    onLoaded((file, exports) => {
      changedResponses(file, exports);
      return changedCompressor(file, changedCalls(file, exports));
    });
  });
}

/** As the thread begins to serve. */
export function serving() {
  quietly(leaveOutStreams);
  quietly(announce);
  quietly(watchContents);
}

/** As a server of the thread begins to listen. @param {import('node:net').Server} server */
export function listening(server) {
  quietly(() => leaveOutCompressionOfStreams(server));
  quietly(() => watchStreams(server));
}

/** Middleware and hooks are passed over instead of being run. @type {import('./frameworks/shown.js').Show} */
function passedOver(kind, name, run) {
  if (kind === 'guard') tellGuard(name);
  if (kind !== 'middleware' && kind !== 'hook') return undefined;
  const removal = removableMiddleware(name, run);
  if (!removal.out) return undefined;
  return (_, __, args) => {
    met(removal);
    return args.at(-1)();
  };
}
