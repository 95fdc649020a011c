// @ts-check
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { examine } from '../lib/doctor.js';
import { createFigures, sizeOf } from '../lib/figures.js';

test('figures_are_printed_as_a_study_reads_them', () => {
  const { add, figures } = createFigures();
  add('pause', 'ms', 1, 2);
  add('pause', 'ms', 3);
  assert.deepEqual(figures, { pause: { unit: 'ms', values: [1, 2, 3] } });
  assert.throws(() => add('lost', '', Number.NaN), /lost was not measured/);
});

test('size_is_a_whole_number', () => {
  assert.equal(sizeOf({ fallback: 5 }, {}), 5);
  assert.equal(sizeOf({ fallback: 5 }, { STUDY_SIZE: '7' }), 7);
  for (const wrong of ['0', 'many', '1.5'])
    assert.throws(() => sizeOf({ fallback: 5 }, { STUDY_SIZE: wrong }), /whole number from 1; found/);
  assert.throws(() => sizeOf({ fallback: 5, least: 9 }, { STUDY_SIZE: '8' }), /from 9/);
});

test('machine_that_is_not_ready_ends_a_study_with_what_fixes_it', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'study-doctor-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const program = join(directory, 'plimsoll');
  const before = process.env.PLIMSOLL;
  t.after(() => {
    if (before === undefined) delete process.env.PLIMSOLL;
    else process.env.PLIMSOLL = before;
  });
  process.env.PLIMSOLL = program;
  /** @param {object[]} checks */
  const doctor = (checks) => {
    writeFileSync(program, `#!/bin/sh\necho '${JSON.stringify(checks)}'\n`);
    chmodSync(program, 0o755);
  };
  const check = { name: 'memory', found: '1 MiB', why: 'w', fix: null };
  const queue = { ...check, name: 'queue', state: 'warning', fix: 'sysctl -w x=1' };
  /** @type {string[]} */
  const said = [];
  const say = (/** @type {string} */ text) => void said.push(text);
  doctor([{ ...check, state: 'ok' }, queue]);
  assert.equal(examine({ connections: 9, say }).length, 2);
  assert.deepEqual(said, ['warning: queue: 1 MiB; hint: sysctl -w x=1']);
  doctor([{ ...check, state: 'bad' }]);
  assert.throws(() => examine({ connections: 9, say }), /not ready for 9 connections: memory: 1 MiB.*--size/);
  process.env.PLIMSOLL = join(directory, 'none');
  assert.throws(() => examine({ say }), /hint: PLIMSOLL=/);
});
