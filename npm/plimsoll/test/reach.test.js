// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseOthers } from '../src/reach.js';

/** @import { Plan } from '../src/index.js' */

test('plan that loads another machine is refused unless its host is allowed', () => {
  for (const [target, allowed, refused] of /** @type {[Plan['target'], string[], string?][]} */ ([
    ['http://127.0.0.1:3000/', []],
    ['http://127.8.8.8:3000/', []],
    ['http://localhost/', []],
    ['https://[::1]:3000/', []],
    ['http+unix://%2Frun%2Fapp.sock/', []],
    ['http://example.com/', [], 'example.com'],
    ['http://127.0.0.1.example.com/', [], '127.0.0.1.example.com'],
    ['http://10.0.0.1/', ['10.0.0.2'], '10.0.0.1'],
    ['http://example.com/', ['example.com']],
    ['http://example.com/', ['*']],
    [{ url: 'http://example.com/', resolve: ['example.com:80:127.0.0.1'] }, []],
    [{ url: 'http://example.com/', resolve: ['example.com:80:127.0.0.1,10.0.0.1'] }, [], '10.0.0.1'],
    [{ url: 'http://127.0.0.1/', resolve: ['127.0.0.1:80:10.0.0.1'] }, [], '10.0.0.1'],
    [{ url: 'http://[::1]/', resolve: ['[::1]:80:[fe80::1]'] }, [], 'fe80::1'],
    [{ url: 'http://127.0.0.1/', proxy: 'http://127.0.0.1:3128' }, []],
    [{ url: 'http://127.0.0.1/', proxy: 'http://10.0.0.1:3128' }, [], '10.0.0.1'],
    [{ url: 'http://example.com/', proxy: 'http://127.0.0.1:3128' }, [], 'example.com'],
    [{ url: 'http://example.com/', proxy: 'http://10.0.0.1:3128' }, ['10.0.0.1', 'example.com']],
  ])) {
    const look = () => refuseOthers({ target }, allowed);
    if (refused === undefined) look();
    else
      assert.throws(look, {
        code: 'ERR_PLIMSOLL_PLAN',
        message: `the plan loads ${refused}, which is not this machine`,
      });
  }
});
