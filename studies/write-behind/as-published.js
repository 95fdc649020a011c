// @ts-check
/**
 * The profile service that stores each change before it responds, as the published one did at first:
 * `node --import ./studies/write-behind/as-published.js services/profile/src/server.js`. The change goes into a store of
 * its own, of the service's own kind: a transaction for each, on the disk before the client hears of it.
 */

import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** @import { ServerResponse } from 'node:http' */

// Threads of the service get this module too, the one of the store among them.
if (isMainThread) {
  const { openSqliteStore } = await import('../../services/profile/src/store/sqlite.js');
  const directory = mkdtempSync(join(tmpdir(), 'study-write-behind-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const store = await openSqliteStore(join(directory, 'profiles.db'));
  let version = 0;

  subscribe('http.server.request.start', (message) => {
    const { request, response } =
      /** @type {{ request: import('node:http').IncomingMessage, response: ServerResponse }} */ (message);
    if (request.method !== 'POST' || !request.url?.endsWith('/turns')) return;
    const id = request.url.split('/')[2];
    const end = response.end.bind(response);
    /** @param {any[]} rest */
    response.end = (...rest) => {
      if (response.statusCode !== 200) return end(...rest);
      version += 1;
      store.writeProfiles([{ id, version, text: String(rest[0]) }]).then(
        () => end(...rest),
        // A response that never comes is what the load generator counts as an error.
        (error) => response.destroy(error),
      );
      return response;
    };
  });
  process.once('SIGTERM', () => void store.close());
}
