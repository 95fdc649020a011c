// @ts-check
/** Lines of users, right and wrong. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand } from '../src/commands.js';

const URL_OF = 'https://nodejs.org/api/';

test('lines_become_commands', () => {
  for (const [line, command] of /** @type {[string, object][]} */ ([
    [`add ${URL_OF}`, { name: 'add', url: URL_OF, title: '', tags: [] }],
    [
      `  ADD ${URL_OF}  Node.js   API #Docs #js #docs `,
      { name: 'add', url: URL_OF, title: 'Node.js API', tags: ['docs', 'js'] },
    ],
    ['add HTTP://Example.test', { name: 'add', url: 'http://example.test/', title: '', tags: [] }],
    ['remove 12', { name: 'remove', id: 12 }],
    ['search node #js', { name: 'search', words: ['node'], tags: ['js'] }],
    ['export', { name: 'export', format: 'json' }],
    ['export html', { name: 'export', format: 'html' }],
    ['help', { name: 'help' }],
  ])) {
    assert.deepEqual(readCommand(line), command, line);
  }
});

test('wrong_lines_are_refused_with_what_was_expected', () => {
  for (const [line, code] of /** @type {[unknown, string][]} */ ([
    [undefined, 'invalid_line'],
    [{ add: URL_OF }, 'invalid_line'],
    ['x'.repeat(4001), 'invalid_line'],
    ['', 'unknown_command'],
    ['delete 1', 'unknown_command'],
    ['add', 'invalid_url'],
    ['add nodejs.org', 'invalid_url'],
    ['add javascript:alert(1)', 'invalid_url'],
    ['add file:///etc/passwd', 'invalid_url'],
    [`add https://example.test/${'a'.repeat(2000)}`, 'invalid_url'],
    [`add ${URL_OF} ${'a'.repeat(201)}`, 'invalid_title'],
    [`add ${URL_OF} #`, 'invalid_tag'],
    [`add ${URL_OF} #a_b`, 'invalid_tag'],
    [`add ${URL_OF} ${Array.from({ length: 11 }, (_, n) => `#t${n}`).join(' ')}`, 'invalid_tag'],
    ['remove', 'invalid_id'],
    ['remove 0', 'invalid_id'],
    ['remove 1 2', 'invalid_id'],
    ['remove one', 'invalid_id'],
    ['search', 'nothing_to_search'],
    ['search #', 'invalid_tag'],
    ['export pdf', 'invalid_format'],
    ['export html now', 'invalid_format'],
  ])) {
    assert.throws(() => readCommand(line), { code, message: /expected/ }, String(line).slice(0, 60));
  }
});
