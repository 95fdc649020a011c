// @ts-check
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { start } from './support.js';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip =
  existsSync(executablePath) || process.env.CI === 'true'
    ? false
    : `${executablePath} is not there: apt-get install chromium, or set CHROMIUM to the path of a browser`;
const PHONE = { viewport: { width: 360, height: 720 } };

test('page_throws_a_sprite_into_another_window_and_back', { skip }, async (t) => {
  const { url, service } = await start(t, {}, 1_000);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  /** @type {string[]} */
  const errors = [];

  /** @param {import('playwright-core').BrowserContextOptions} options */
  async function open(options) {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(`${error}`));
    await page.goto(url);
    await page.getByText('You are').waitFor();
    return page;
  }

  const left = await open({});
  const right = await open({ ...PHONE, reducedMotion: 'reduce' });
  await left.getByRole('button', { name: 'Throw right' }).click();
  await right.getByText('boat from the left side.').waitFor();
  await right.getByLabel('Told by').selectOption('socket');
  await right.getByRole('application').press('ArrowLeft');
  await left.getByText('from the right side.').waitFor();
  await left.getByLabel('Told by').selectOption('events');
  await right.getByRole('application').press('ArrowLeft');
  await left.getByText('boat from the right side.').nth(1).waitFor();

  const wide = await right.evaluate('document.documentElement.scrollWidth');
  assert.ok(Number(wide) <= PHONE.viewport.width, `${wide} pixels wide`);
  assert.equal(service.clients.counts.missed, 0);
  assert.deepEqual(errors, []);
});
