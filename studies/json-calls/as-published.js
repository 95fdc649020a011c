// @ts-check
/**
 * The profile service with calls of JSON that it does not need, as the published service had them before they were
 * removed: `node --import ./studies/json-calls/as-published.js services/profile/src/server.js`. Each request parses a
 * profile and makes a text of it again, as often as STUDY_JSON_PAIRS says, beside what the service itself does.
 */

import { subscribe } from 'node:diagnostics_channel';
import { isMainThread } from 'node:worker_threads';
import { newProfile } from '../../services/profile/src/game/profile.js';

const pairs = Number(process.env.STUDY_JSON_PAIRS ?? 'none given');
if (!Number.isInteger(pairs) || pairs < 1) {
  throw new Error(`STUDY_JSON_PAIRS must be a whole number from 1; found "${process.env.STUDY_JSON_PAIRS}"`);
}

// Threads of the service get this module too, and serve no requests.
if (isMainThread) {
  let text = JSON.stringify(newProfile('u1', 'u1', Date.now()));
  subscribe('http.server.request.start', () => {
    // What is parsed is used, and is the next text, so that no call can be left out.
    for (let pair = 0; pair < pairs; pair += 1) text = JSON.stringify(JSON.parse(text));
  });
}
