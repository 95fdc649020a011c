// @ts-check
/** The controller goes, hangs, and comes back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startIoc } from '../lab/ioc.js';
import { events, start, until } from './support.js';

test('a controller that was killed is dead, and alive when it is back', async (t) => {
  const ioc = await startIoc();
  const { ask, metric } = await start(t, ioc.env);
  const ok = async () => (await ask('/snapshot?group=beamline&timeout_ms=500')).json.counts;
  await until(ok, (counts) => counts.ok === 97);
  await ioc.stop('SIGKILL');
  await until(ok, (counts) => counts.disconnected === 97);
  assert.equal(await metric('snapshot_channels_connected'), 0);
  assert.equal((await ask('/health/ready')).status, 200);
  const back = await startIoc(ioc.port);
  t.after(() => back.stop());
  await until(ok, (counts) => counts.ok === 97);
  assert.equal(await metric('snapshot_channels_connected'), 97);
});

test('who follows events sees it go and come back', async (t) => {
  const ioc = await startIoc();
  const { url } = await start(t, ioc.env);
  const coming = events(await fetch(`${url}/events?pv=BL:M01&interval_ms=50&timeout_ms=100`));
  /** @param {string} status */
  const seen = (status) =>
    until(
      async () => {
        const { value } = await coming.next();
        assert.ok(value, `the stream ended before it said ${status}`);
        return value.data.pvs[0].status;
      },
      (found) => found === status,
    );
  await seen('ok');
  await ioc.stop('SIGKILL');
  await seen('disconnected');
  const back = await startIoc(ioc.port);
  t.after(() => back.stop());
  await seen('ok');
  await coming.return(undefined);
});

test('a controller that hangs is unreadable, and readable when it goes on', async (t) => {
  const ioc = await startIoc();
  t.after(() => ioc.stop());
  const { ask } = await start(t, ioc.env);
  const status = async () => (await ask('/snapshot?pv=BL:M01&timeout_ms=200')).json.pvs[0].status;
  await until(status, (found) => found === 'ok');
  ioc.hang();
  await until(status, (found) => found === 'unreadable');
  ioc.wake();
  await until(status, (found) => found === 'ok');
});

test('without any controller everything is dead, and the service responds', async (t) => {
  const ioc = await startIoc();
  await ioc.stop();
  const { ask } = await start(t, ioc.env);
  const { status, json } = await ask('/snapshot?group=gone-15&timeout_ms=100');
  assert.equal(status, 200);
  assert.equal(json.counts.disconnected, 15);
});
