// @ts-check
// What a thread keeps: its memory by space right after a collection of all garbage, made when it is asked for and at no other time.

import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import { collectAll } from './collect.js';

/** Of a larger heap a collection would stop the service for seconds, bytes. */
const HEAP_BYTES_MAX = 2 ** 31;

/** @param {number} id of the command */
export function kept(id) {
  if (getHeapStatistics().used_heap_size > HEAP_BYTES_MAX) {
    return {
      type: 'error',
      id,
      message: 'the heap has more than 2 GiB, and collecting it would stop the service for long',
    };
  }
  const begun_ms = performance.now();
  // Memory of buffers that the first one found unused is given back by the time the second one begins.
  collectAll();
  collectAll();
  const paused_ns = Math.round((performance.now() - begun_ms) * 1e6);
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    type: 'kept',
    id,
    paused_ns,
    heap_used_bytes: heapUsed,
    heap_committed_bytes: heapTotal,
    external_bytes: external,
    array_buffers_bytes: arrayBuffers,
    rss_bytes: rss,
    spaces: getHeapSpaceStatistics()
      .map(({ space_name, space_used_size }) => ({ name: space_name, used_bytes: space_used_size }))
      .filter(({ used_bytes }) => used_bytes > 0),
  };
}
