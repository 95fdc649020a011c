// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '@plimsoll/service-common/testing/client.js';
import fc from 'fast-check';
import { readConfig } from '../src/config.js';
import { Problem } from '../src/errors.js';
import { decode, nameOf, PALETTE, SHELF } from '../src/page/pixels.js';
import { spriteText, validPostedThrow } from '../src/sprite.js';
import { parseTicket } from '../src/ticket.js';
import { openHeld, SPRITE, start } from './support.js';

test('throw_that_is_wrong_says_why', async (t) => {
  const { post, ask } = await start(t);
  const ticket = 'w0.0.0.0000000000000000';
  /** @type {[unknown, number, string][]} */
  const cases = [
    ['{', 400, 'malformed_json'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, pixels: 'g'.repeat(64) } }, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, extra: 1 } }, 422, 'invalid_body'],
    [{ ticket, to: 'in', sprite: SPRITE }, 422, 'invalid_body'],
    [{ ticket: 'x', to: 'up', sprite: SPRITE }, 400, 'malformed_ticket'],
    [{ ticket, to: 'up', sprite: SPRITE }, 404, 'unknown_client'],
    ['x'.repeat(2_000), 413, 'body_too_large'],
    ['', 400, 'malformed_json'],
    ['['.repeat(500), 400, 'malformed_json'],
    ['1e999', 422, 'invalid_body'],
    ['null', 422, 'invalid_body'],
    [[ticket], 422, 'invalid_body'],
    [{ ticket: { ticket }, to: 'up', sprite: SPRITE }, 422, 'invalid_body'],
    [{ ticket, to: ['up'], sprite: SPRITE }, 422, 'invalid_body'],
    [`{"ticket":"${ticket}","to":"up","sprite":{"__proto__":{"name":"x"}}}`, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, at: '0.5' } }, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, speed: -1 } }, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, name: 'x'.repeat(25) } }, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, name: 'a\nb' } }, 422, 'invalid_body'],
    [{ ticket, to: 'up', sprite: { ...SPRITE, name: '\u202etaob' } }, 422, 'invalid_body'],
  ];
  for (const [body, status, code] of cases) {
    const response = await post('/throw', body);
    assert.deepEqual([response.status, response.json.code], [status, code]);
  }
  assert.equal((await post('/leave', { ticket })).json.code, 'unknown_client');
  assert.equal((await ask('/throw')).json.code, 'method_not_allowed');
});

test('throw_of_a_stranger_reaches_somebody_where_that_is_allowed', async (t) => {
  const strange = { to: 'anyone', sprite: SPRITE };
  const closed = await start(t);
  assert.equal((await closed.post('/throw', strange)).status, 422);
  const { held, post, ask } = await start(t, { SPRITES_STRANGERS: 'on' });
  const early = await post('/throw', strange);
  assert.deepEqual(
    [early.status, early.json.code, early.headers.get('retry-after')],
    [503, 'nobody_there', '1'],
  );
  const one = await openHeld(held);
  one.get('/poll');
  await one.response();
  one.get('/poll');
  while ((await ask('/presence')).json.people === 0);
  assert.equal((await post('/throw', strange)).status, 202);
  assert.equal((await one.response()).json.sprites[0].from, 'anywhere');
  assert.equal((await post('/throw', { ...strange, to: 'up' })).status, 422);
  assert.throws(() => readConfig({ SPRITES_STRANGERS: 'on', HOST: '0.0.0.0' }), /must be a loopback address/);
});

test('throw_of_any_json_is_taken_or_refused', () => {
  const member = fc.oneof(fc.jsonValue(), fc.constantFrom('up', SPRITE, 'w0.0.0.0000000000000000'));
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), fc.record({ ticket: member, to: member, sprite: member })),
      (body) => {
        try {
          const { ticket, sprite } = validPostedThrow(body);
          parseTicket(ticket);
          assert.deepEqual(JSON.parse(spriteText(sprite)), sprite);
        } catch (error) {
          assert.ok(error instanceof Problem, `${error}`);
          assert.ok(error.status < 500);
        }
      },
    ),
  );
});

test('place_names_a_worker_with_room', async (t) => {
  const { ask, held } = await start(t, { SPRITES_CAPACITY: '1' });
  assert.deepEqual((await ask('/place')).json, { url: held });
  const one = await openHeld(held);
  one.get('/poll');
  const { ticket } = (await one.response()).json;
  while ((await ask('/place')).status !== 503);
  const { people, workers } = (await ask('/presence')).json;
  assert.deepEqual([people, workers.length, workers[0].room], [1, 1, 0]);
  assert.ok(ticket);
});

test('metrics_are_on_a_port_of_the_loopback_interface_alone', async (t) => {
  const { ask, service, held } = await start(t, { HOST: '127.0.0.2' });
  assert.equal((await ask('/metrics')).status, 404);
  assert.equal((await fetch(`${held}/metrics`)).status, 404);
  const { hostname, port } = new URL(service.metricsUrl);
  assert.equal(hostname, '127.0.0.1');
  assert.match(await (await fetch(`${service.metricsUrl}/metrics`)).text(), /^sprites_clients 0$/m);
  // A page whose name leads here reads nothing.
  const rebound = `GET /metrics HTTP/1.1\r\nhost: evil.example:${port}\r\nconnection: close\r\n\r\n`;
  assert.match(await send(service.metricsUrl, rebound), /^HTTP\/1.1 403 [\s\S]*foreign_origin/);
});

test('page_is_served_and_only_once', async (t) => {
  const { ask } = await start(t);
  const page = await ask('/');
  assert.match(page.text, /<title>Sprites<\/title>/);
  for (const [, file] of page.text.matchAll(/(?:src|href)="([a-z.]+)"/g)) {
    assert.equal((await ask(`/${file}`)).status, 200, file);
  }
  assert.match((await ask('/scale/hq.js')).text, /export function hq/);
  const etag = /** @type {string} */ (page.headers.get('etag'));
  assert.equal((await ask('/', { headers: { 'if-none-match': etag } })).status, 304);
});

test('port_that_is_taken_stops_the_boot', async (t) => {
  const { url, held } = await start(t);
  await assert.rejects(start(t, { SPRITES_HELD_PORT: new URL(held).port }), /EADDRINUSE/);
  await assert.rejects(start(t, { PORT: new URL(url).port }), /EADDRINUSE/);
});

test('name_that_cannot_be_in_a_ticket_stops_the_boot', () => {
  assert.throws(() => readConfig({ SPRITES_NAME: 'A.b' }), /SPRITES_NAME must be 1 to 16 small letters/);
  assert.equal(readConfig({ SPRITES_NAME: 'w1' }).name, 'w1');
});

test('url_of_the_held_port_has_the_name_that_clients_know', async (t) => {
  const { ask } = await start(t, { SPRITES_PUBLIC_HOST: 'localhost' });
  assert.match((await ask('/place')).json.url, /^http:\/\/localhost:\d+$/);
  assert.throws(() => readConfig({ HOST: '0.0.0.0' }), /SPRITES_PUBLIC_HOST must say by which name/);
  assert.throws(
    () => readConfig({ SPRITES_PUBLIC_HOST: 'a b' }),
    /SPRITES_PUBLIC_HOST must be a name or an address/,
  );
});

test('pixels_are_decoded', () => {
  for (const { name, pixels } of SHELF) {
    assert.equal(pixels.length, 64, name);
    assert.ok(decode(pixels).every((digit) => digit < PALETTE.length));
  }
});

test('name_of_an_address_is_the_same_for_everyone', () => {
  assert.deepEqual(nameOf('w1.0.0'), nameOf('w1.0.0'));
  assert.match(nameOf('w1.0.1').name, /^[A-Z][a-z]+ [A-Z][a-z]+$/);
});
