import assert from 'node:assert/strict';
import test from 'node:test';
import { h, print } from '../src/tree.ts';

test('text is text', () => {
  assert.equal(
    print(h('p', { title: '"><script>' }, '<b>&</b>')),
    '<p title="&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;&lt;/b&gt;</p>\n',
  );
});

test('control characters and direction marks are made visible', () => {
  assert.deepEqual(h('p', { title: 'a\u202eb' }, 'c\u001b[31m\u2066d'), {
    tag: 'p',
    attributes: { title: 'a\ufffdb' },
    children: ['c\ufffd[31m\ufffdd'],
  });
});

test('what is absent leaves no trace', () => {
  const tree = h(
    'p',
    { hidden: false, id: null, title: undefined, open: true },
    null,
    false,
    undefined,
    [],
    '',
    0,
  );
  assert.deepEqual(tree, { tag: 'p', attributes: { open: '' }, children: ['', '0'] });
});
