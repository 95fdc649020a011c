// @ts-check
/** The slow forms serve what the service serves, so that nothing but their cost is compared. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { start, turn } from './support.js';

/** @type {[string, Record<string, string>][]} */
const forms = [
  ['json-calls', { STUDY_JSON_PAIRS: '4' }],
  ['boot-cache', {}],
  ['write-behind', { PROFILE_FLUSH_INTERVAL_MS: '60000' }],
];
for (const [study, env] of forms) {
  test(`${study}: the slow form responds as the service does, and stops as it does`, async () => {
    const service = await start(study, env);
    try {
      const played = await turn(service.url, 'token-u1');
      assert.equal(played.status, 200);
      const profile = /** @type {{ id: string, version: number }} */ (await played.json());
      assert.equal(profile.id, 'u1');
      const again = /** @type {{ version: number }} */ (await (await turn(service.url, 'token-u1')).json());
      assert.equal(again.version, profile.version + 1);
      assert.equal((await turn(service.url, 'somebody')).status, 401);
    } finally {
      await service.stop();
    }
  });
}

test('a number of pairs that is none stops the boot', async () => {
  await assert.rejects(start('json-calls', { STUDY_JSON_PAIRS: 'many' }), /must be a whole number from 1/);
});
