// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { readConfig } from '../src/config.js';
import { checkDescription, DescriptionError, readDescription } from '../src/page/description.js';
import { flowTimeout } from '../src/page/flow.js';
import { describePage } from './support.js';

test('without settings the defaults hold, and their description can be used', () => {
  const { description, ...config } = readConfig({});
  assert.deepEqual(config, {
    host: '127.0.0.1',
    port: 3000,
    http: '1.1',
    tls: undefined,
    log_level: 'error',
    upstreams: 'embedded',
    composition: 'hub',
    connections: 64,
    pages_in_flight: 1000,
    warm_up_pages: 0,
    shutdown_grace_ms: 3000,
  });
  const { deadline_ms, blocks } = readDescription(description);
  assert.deepEqual(
    blocks.map(({ calls }) => calls.length),
    [2, 4, 5],
  );
  assert.ok(deadline_ms >= flowTimeout(blocks.map(({ calls }) => calls)));
});

test('the upstreams can be somewhere else', () => {
  assert.equal(
    readConfig({ OVERVIEW_UPSTREAMS: 'http://127.0.0.1:3900/' }).upstreams,
    'http://127.0.0.1:3900',
  );
});

for (const [name, value] of [
  ['PORT', '65536'],
  ['PORT', '3e3'],
  ['LOG_LEVEL', 'loud'],
  ['OVERVIEW_COMPOSITION', 'star'],
  ['OVERVIEW_UPSTREAMS', 'elsewhere'],
  ['OVERVIEW_UPSTREAMS', 'https://127.0.0.1:3900'],
  ['OVERVIEW_UPSTREAMS', 'http://127.0.0.1:3900/origins'],
  ['OVERVIEW_CONNECTIONS', '0'],
  ['OVERVIEW_PAGES_IN_FLIGHT', 'many'],
]) {
  test(`${name}=${value} is refused by name and value`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${name} must be `) &&
        error.message.endsWith(`; found "${value}"`),
    );
  });
}

/** @type {[string, (page: any) => unknown, RegExp][]} */
const FAULTS = [
  ['no object', () => 'page', /^\/ must be object$/],
  ['a key too many', (page) => ({ ...page, colour: 'red' }), /additional properties/],
  ['four blocks', ({ blocks: [a, b, c], ...page }) => ({ ...page, blocks: [a, b, c, a] }), /more than 3/],
  ['one call', changed((calls) => calls.splice(1)), /^\/blocks\/0\/calls must NOT have fewer than 2/],
  [
    'six calls',
    changed((calls) => calls.push(...calls, ...calls)),
    /^\/blocks\/0\/calls must NOT have more than 5/,
  ],
  [
    'a path for a name',
    changed(([call]) => Object.assign(call, { upstream: '../x' })),
    /upstream must match/,
  ],
  ['no timeout', changed(([call]) => delete call.timeout_ms), /^\/blocks\/0\/calls\/0 must have/],
  [
    'a timeout of zero',
    changed(([call]) => Object.assign(call, { timeout_ms: 0 })),
    /timeout_ms must be >= 1$/,
  ],
  [
    'one upstream twice',
    changed(([call]) => Object.assign(call, { upstream: 'offers' })),
    /found "offers" twice$/,
  ],
];

/** A page whose first block was changed. @param {(calls: any[]) => unknown} change @returns {(page: any) => unknown} */
function changed(change) {
  return (page) => {
    change(page.blocks[0].calls);
    return page;
  };
}

for (const [what, change, message] of FAULTS) {
  test(`a description with ${what} is refused`, () => {
    assert.throws(
      () => checkDescription(change(describePage())),
      (error) => error instanceof DescriptionError && message.test(error.message),
    );
  });
}
