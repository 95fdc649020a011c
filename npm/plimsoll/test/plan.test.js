// @ts-check
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { argumentsOf, OPTIONS } from '../src/options.js';
import { FILE_KEYS, given, givenAll, NESTING } from '../src/plan.js';

/** @param {string} name */
const reference = (name) => readFile(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');

test('path and URL are arguments, an object is standard input', () => {
  assert.deepEqual(given('plan.yaml', '/srv'), { args: ['plan.yaml'] });
  assert.deepEqual(given('-x.yaml', '/srv'), { args: ['./-x.yaml'] });
  assert.deepEqual(given('-', '/srv'), { args: ['./-'] });
  assert.deepEqual(given(new URL('http://127.0.0.1:3000/a'), '/srv'), { args: ['http://127.0.0.1:3000/a'] });
  assert.deepEqual(given({ name: 'shop', target: 'http://127.0.0.1:1/' }, '/srv'), {
    args: ['-'],
    input: '{\n  "name": "shop",\n  "target": "http://127.0.0.1:1/"\n}\n',
  });
});

test('service alone is a plan called after its directory', () => {
  const { input } = given({ url: 'http://127.0.0.1:3000/', command: 'node server.js' }, '/srv/shop');
  assert.deepEqual(JSON.parse(input ?? ''), {
    name: 'shop',
    target: { url: 'http://127.0.0.1:3000/', command: 'node server.js' },
  });
});

test('what is no plan is a TypeError', () => {
  for (const source of [undefined, null, 7, ['plan.yaml']])
    assert.throws(() => given(/** @type {any} */ (source), '/srv'), TypeError);
});

test('files of a plan are relative to the working directory', () => {
  /** @type {import('../src/types/plan.js').Neighbour[]} */
  const beside = [
    { name: 'store', working_dir: 'store' },
    {
      name: 'prices',
      stand_in: { port: 4000, responses: [{ response_time: { run: 'runs/a' } }, { response_time: '5ms' }] },
    },
  ];
  const plan = {
    target: {
      url: 'https://127.0.0.1:1/',
      working_dir: 'app',
      tls: { ca: 'ca.pem', key: '/etc/key.pem' },
      beside,
    },
    scenario: {
      variables: { account: { file: 'accounts.csv' } },
      requests: [
        { body_file: 'one.json' },
        { grpc: { call: 'shop.Cart/Add', proto: 'cart.proto', import_paths: ['a', '/b'] } },
        { body_file: '../two.json' },
      ],
    },
  };
  const { input } = given(plan, '/srv/shop');
  assert.deepEqual(JSON.parse(input ?? ''), {
    name: 'shop',
    target: {
      url: 'https://127.0.0.1:1/',
      working_dir: '/srv/shop/app',
      tls: { ca: '/srv/shop/ca.pem', key: '/etc/key.pem' },
      beside: [
        { name: 'store', working_dir: '/srv/shop/store' },
        {
          name: 'prices',
          stand_in: {
            port: 4000,
            responses: [{ response_time: { run: '/srv/shop/runs/a' } }, { response_time: '5ms' }],
          },
        },
      ],
    },
    scenario: {
      variables: { account: { file: '/srv/shop/accounts.csv' } },
      requests: [
        { body_file: '/srv/shop/one.json' },
        {
          grpc: { call: 'shop.Cart/Add', proto: '/srv/shop/cart.proto', import_paths: ['/srv/shop/a', '/b'] },
        },
        { body_file: '/srv/two.json' },
      ],
    },
  });
  assert.equal(plan.target.working_dir, 'app', 'the plan is not changed');
});

test('files of actions are found in actions at any depth', () => {
  const request = { body_file: 'a.json' };
  const [once, chance] = [{ actions: [{ request }] }, { of: '50%', actions: [{ request }, { pause: '1s' }] }];
  const when = { value: 'a', is: 'a', actions: [{ once }] };
  const actions = [{ request }, { repeat: { times: 2, actions: [{ when }, { chance }] } }];
  const sent = { json: { body_file: 'a.json', actions: [{ request }] } };
  const scenario = {
    before: actions,
    after: actions,
    journeys: [{ actions }, { actions: [{ request: sent }] }],
  };
  const plan = /** @type {any} */ ({ name: 'shop', target: 'http://127.0.0.1:1/', scenario });
  const absolute = JSON.stringify(plan).replaceAll('"a.json"', '"/srv/a.json"');
  const expected = JSON.parse(absolute);
  // What is sent is no name of a file.
  expected.scenario.journeys[1].actions[0].request = sent;
  assert.deepEqual(JSON.parse(given(plan, '/srv').input ?? ''), expected);
});

test('every key that is a file is known, and where it may be', async () => {
  const schema = JSON.parse(await reference('plan.schema.json'));
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {Set<string>} */
  const nesting = new Set();
  /** @param {any} node @param {string[]} place @param {string[]} within */
  const visit = (node, place, within) => {
    if (/relative to the directory of the plan/i.test(node.description ?? '')) found.add(place.join('.'));
    const type = node.$ref?.split('/').at(-1);
    if (type === 'action' && within.includes(type)) nesting.add(place.slice(-3).join('.'));
    if (type && !within.includes(type)) visit(schema.$defs[type], place, [...within, type]);
    for (const alternative of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])])
      visit(alternative, place, within);
    for (const each of [node.items, node.additionalProperties])
      if (typeof each === 'object')
        visit(each, [...place, each.$ref?.endsWith('/action') ? '**' : '[]'], within);
    for (const [key, value] of Object.entries(node.properties ?? {})) visit(value, [...place, key], within);
  };
  visit(schema, [], []);
  assert.deepEqual([...found].sort(), FILE_KEYS);
  assert.deepEqual(
    [...nesting].sort(),
    NESTING.map((key) => `${key}.actions.**`),
  );
});

test('several plans become private files called after their names', async () => {
  const { args, remove } = givenAll(
    [{ name: 'before', target: 'http://127.0.0.1:1/' }, 'after.yaml', { target: 'http://127.0.0.1:2/' }],
    '/srv/shop',
  );
  const [before = '', after, third = ''] = args;
  assert.match(before, /\/before\.json$/);
  assert.equal(after, 'after.yaml');
  assert.match(third, /\/c\.json$/);
  assert.equal((await stat(before)).mode & 0o777, 0o600);
  assert.equal((await stat(join(before, '..'))).mode & 0o777, 0o700);
  remove?.();
  await assert.rejects(stat(join(before, '..')), { code: 'ENOENT' });
});

test('options become arguments of one word', () => {
  assert.deepEqual(
    argumentsOf('run', {
      rate: 500,
      thinkTime: '1s',
      poisson: true,
      junit: undefined,
      objective: ['a', '-b'],
    }),
    ['--rate=500', '--think-time=1s', '--poisson', '--objective=a', '--objective=-b'],
  );
});

test('unknown option is a TypeError', () => {
  assert.throws(() => argumentsOf('run', { header: 'a: b' }), /run has no option header; it has runsDir/);
});

test('every option is one of the command line', async () => {
  const commands = (await reference('commands.md')).split(/^## plimsoll /m);
  for (const [command, options] of Object.entries(OPTIONS)) {
    const help = commands.find((section) => section.startsWith(`${command}\n`)) ?? '';
    for (const option of options) {
      const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      assert.match(help, new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'), `${command} ${flag}`);
    }
  }
});
