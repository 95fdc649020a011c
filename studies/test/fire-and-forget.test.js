// @ts-check
/** A change arrives at the receiver whatever the moment at which it is sent, and the response is that of the service. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from 'zeromq';
import { MOMENTS } from '../fire-and-forget/moments.js';
import { start, turn } from './support.js';

for (const [moment, first] of /** @type {const} */ ([
  ['acknowledged', 'send'],
  ['request', 'send'],
  ['nextTick', 'respond'],
  ['setImmediate', 'respond'],
])) {
  test(`${moment}_begins_with_${first}`, async () => {
    /** @type {string[]} */
    const did = [];
    await new Promise((resolve) => {
      /** @param {string} what */
      const note = (what) => did.push(what) === 2 && resolve(undefined);
      MOMENTS[moment]({
        async send(acknowledge) {
          assert.equal(acknowledge, moment === 'acknowledged');
          note('send');
        },
        respond: () => void note('respond'),
        fail: (error) => assert.fail(error),
      });
    });
    assert.equal(did[0], first);
  });
}

test('message_that_cannot_be_sent_fails_its_request', async () => {
  for (const moment of Object.keys(MOMENTS)) {
    const error = await new Promise((resolve) => {
      MOMENTS[moment]({ send: () => Promise.reject(new Error('gone')), respond() {}, fail: resolve });
    });
    assert.equal(/** @type {Error} */ (error).message, 'gone');
  }
});

test('change_arrives_at_the_receiver_at_every_moment', async (t) => {
  const receiver = new Router({ linger: 0 });
  await receiver.bind('tcp://127.0.0.1:*');
  t.after(() => receiver.close());
  const url = /** @type {string} */ (receiver.lastEndpoint);
  const moments = Object.keys(MOMENTS);
  const playing = moments.map(async (moment) => {
    const service = await start('fire-and-forget', { STUDY_SEND: moment, STUDY_ZEROMQ_URL: url });
    const { status } = await turn(service.url, 'token-u1');
    await service.stop();
    return status;
  });
  /** @type {string[]} */
  const asked = [];
  for (const _ of moments) {
    const [sender, number, acknowledge, id, text] = await receiver.receive();
    assert.equal(JSON.parse(`${text}`).id, `${id}`);
    asked.push(`${acknowledge}`);
    await receiver.send([sender, number]);
  }
  assert.deepEqual(asked.sort(), ['', '', '', 'acknowledge']);
  assert.deepEqual(
    await Promise.all(playing),
    moments.map(() => 200),
  );
});

test('moment_that_is_none_stops_the_boot', async () => {
  const env = { STUDY_SEND: 'tomorrow', STUDY_ZEROMQ_URL: 'tcp://127.0.0.1:1' };
  await assert.rejects(start('fire-and-forget', env), /STUDY_SEND must be one of acknowledged, request/);
});
