// @ts-check
/** What holds for the embedded store alone: a restart forgets the cache. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAllCount, start, temporaryDirectory } from './support.js';

test('turns of one profile at the same time all count, cold ones too', async (t) => {
  const { ask, turn } = await start(t, { PROFILE_CACHE_TTL_MS: '1' });
  await assertAllCount(await Promise.all(Array.from({ length: 40 }, () => turn('u1', 'rest'))), ask);
});

test('a profile that left the cache is read from the store and gets its standing anew', async (t) => {
  const directory = await temporaryDirectory(t);
  const env = { PROFILE_DATA_DIR: directory, PROFILE_SEED_USERS: '0' };
  const credentials = { method: 'POST', body: { user: 'ada', secret: 'difference engine' } };
  const before = await start(t, env);
  const { token } = (await before.ask('/sessions', credentials)).json;
  const turn = { method: 'POST', body: { action: 'sail' } };
  const first = await before.ask('/profiles/ada/turns', { ...turn, token });
  assert.deepEqual(first.json.achievements, []);
  await before.stop();

  const { ask } = await start(t, env);
  const again = (await ask('/sessions', credentials)).json.token;
  const cold = await ask('/profiles/ada/turns', { ...turn, token: again });
  assert.deepEqual(cold.json.achievements, ['first voyage']);
  assert.equal(cold.json.counters.voyages, 2);
  const warm = await ask('/profiles/ada/turns', { ...turn, token: again });
  assert.equal(warm.json.standing.computed_ms, cold.json.standing.computed_ms);
  assert.match(
    (await ask('/metrics')).text,
    /profile_turns_total\{path="warm"\} 1\nprofile_turns_total\{path="cold"\} 1\n/,
  );
});
