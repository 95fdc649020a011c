// @ts-check
/**
 * The profile service that reads its catalogue in every request instead of once at boot:
 * `node --import ./studies/boot-cache/as-published.js services/profile/src/server.js`. The file is small and in the
 * memory of the system: what is left is what reading and parsing cost at best.
 */

import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = new URL('../../services/profile/src/game/catalogue.json', import.meta.url);

// Threads of the service get this module too, and serve no requests.
if (isMainThread) {
  subscribe('http.server.request.start', () => {
    JSON.parse(readFileSync(file, 'utf8'));
  });
}
