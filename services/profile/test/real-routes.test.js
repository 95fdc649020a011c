// @ts-check
/** What the tests of the routes say of the embedded service has to be true on Redis and a document store as well. */

import { test } from 'node:test';
import { clear, persist, useRealParts } from './real-parts.js';
import { useParts } from './support.js';

const { skip, settings } = useRealParts();
if (skip) {
  test('the routes on real parts', { skip });
} else {
  /** @type {Record<string, string>} One pair of databases for all: each test finds them empty. */
  let shared;
  useParts(async (t, env) => {
    shared ??= settings();
    await clear(shared);
    const all = { ...shared, ...env };
    await persist(t, all);
    return all;
  });
  await import('./http.test.js');
  await import('./profiles.test.js');
  await import('./sessions.test.js');
  await import('./turns.test.js');
}
