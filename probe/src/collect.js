// @ts-check
// A collection of all memory when it is asked for: what is left is what the service keeps.

import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Of a larger heap a collection would take too long, bytes. */
const HEAP_BYTES_MAX = 512 << 20;

/** @type {(() => void) | undefined} */
let gc;

/** While what is called here still counts for nothing. */
export function prepareToCollect() {
  setFlagsFromString('--expose-gc');
  gc = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
}

/** Collects all garbage, of a heap of whatever size. */
export function collectAll() {
  if (gc === undefined) prepareToCollect();
  gc?.();
}

/** @param {() => void} done once it has been counted, or at once where it is not made */
export function collect(done) {
  if (gc === undefined || getHeapStatistics().used_heap_size > HEAP_BYTES_MAX) return done();
  gc();
  // Collections are reported by an immediate.
  setImmediate(() => setImmediate(done));
}
