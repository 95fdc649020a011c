// @ts-check
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError } from '@plimsoll/service-common/settings.js';
import { readGroups } from '../src/groups.js';
import { parseWanted } from '../src/names.js';
import { fits } from '../src/types.js';

for (const [text, wanted] of /** @type {[string, { name: string, expected?: string }][]} */ ([
  ['BL:M01', { name: 'BL:M01' }],
  ['BL:M01.DESC', { name: 'BL:M01.DESC' }],
  ['13IDC:m1@number', { name: '13IDC:m1', expected: 'number' }],
  ['a_b-c+d[1]<e>;@enum', { name: 'a_b-c+d[1]<e>;', expected: 'enum' }],
])) {
  test(`${text} is a name`, () => {
    assert.deepEqual(parseWanted(text), { expected: undefined, ...wanted });
  });
}

for (const text of [
  '',
  '@enum',
  '7',
  'a b',
  'a\n',
  'ä',
  'BL:M01.',
  'BL:M01@',
  'BL:M01@int',
  'x'.repeat(61),
  'constructor',
  '__proto__',
]) {
  test(`${JSON.stringify(text)} is refused`, () => {
    assert.match(/** @type {string} */ (parseWanted(text)), /^found .*, expected /);
  });
}

test('number is any type of number, and nothing expected is anything', () => {
  assert.ok(
    fits('double', 'number') && fits('short', 'number') && fits('enum', 'enum') && fits('string', undefined),
  );
  assert.ok(!fits('string', 'number') && !fits('enum', 'number') && !fits('long', 'double'));
});

test('without a file there are no groups', () => {
  assert.equal(readGroups(undefined).size, 0);
});

/** @param {import('node:test').TestContext} t @param {string} text */
async function groupsFile(t, text) {
  const directory = await mkdtemp(join(tmpdir(), 'snapshot-groups-'));
  t.after(() => rm(directory, { recursive: true }));
  const file = join(directory, 'groups.json');
  await writeFile(file, text);
  return file;
}

test('a group is a list of names, with types if wanted', async (t) => {
  const groups = readGroups(await groupsFile(t, '{"slits": ["A:1@number", "A:2"]}'));
  assert.deepEqual(groups.get('slits'), [
    { name: 'A:1', expected: 'number' },
    { name: 'A:2', expected: undefined },
  ]);
});

for (const [text, reason] of [
  ['{', /JSON/],
  ['[]', /the whole must be object/],
  ['{"slits": []}', /\/slits must NOT have fewer than 1/],
  ['{"slits": [1]}', /\/slits\/0 must be string/],
  ['{"Slits!": ["A"]}', /pattern/],
  ['{"slits": ["a b"]}', /in "slits" found "a b"/],
]) {
  test(`the groups ${text} stop the boot`, async (t) => {
    const file = await groupsFile(t, /** @type {string} */ (text));
    assert.throws(
      () => readGroups(file),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes(file) &&
        /** @type {RegExp} */ (reason).test(error.message),
    );
  });
}
