// @ts-check
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { METHODS } from '../src/page/scale/methods.js';
import { SPRITE, start } from './support.js';

/** @import { BrowserContextOptions, Page } from 'playwright-core' */

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const skip =
  existsSync(executablePath) || process.env.CI === 'true'
    ? false
    : `${executablePath} is not there: apt-get install chromium, or set CHROMIUM to the path of a browser`;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** At a page that is drawing. */
const MOST_LOOKS = 1_000;

/** A finger on the tile, from its middle by so much of its width. @param {Page} page @param {number} dx */
async function swipe(page, dx) {
  await page.locator('#tile').scrollIntoViewIfNeeded();
  const box = await page.locator('#tile').boundingBox();
  if (box === null) throw new Error('the tile is not to be seen');
  const touch = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  for (let step = 1; step <= 4; step += 1) {
    const touchPoints = [{ x: x + (dx * box.width * step) / 4, y }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints });
  }
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('page_on_a_desk_and_a_phone', { skip }, async (t) => {
  const { url, service, post } = await start(t, { SPRITES_LIMITS: 'on' }, 1_000);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  t.after(() => browser.close());
  /** @type {string[]} */
  const errors = [];

  /** @param {BrowserContextOptions} options */
  async function open(options) {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(`${error}`));
    page.on('dialog', (dialog) => errors.push(`a dialog: ${dialog.message()}`));
    await page.goto(url);
    await page.getByText('You are').waitFor();
    return page;
  }

  const left = await open({});
  const right = await open({ ...PHONE, reducedMotion: 'reduce' });

  await t.test('page_throws_a_sprite_into_another_window_and_back', async () => {
    await left.getByRole('button', { name: 'Throw right' }).click();
    await right.getByText('boat from the left side.').waitFor();
    await right.getByLabel('Told by').selectOption('socket');
    await right.getByRole('application').press('ArrowLeft');
    await left.getByText('from the right side.').waitFor();
    await left.getByLabel('Told by').selectOption('events');
    await right.getByRole('application').press('ArrowLeft');
    await left.getByText('boat from the right side.').nth(1).waitFor();
    assert.equal(service.clients.counts.missed, 0);
  });

  await t.test('page_draws_the_chosen_sprite_by_each_method_at_any_size', async () => {
    await right.getByRole('button', { name: 'ghost' }).tap();
    await right.getByRole('img', { name: 'ghost, Vector' }).waitFor();
    await right.locator('#methods').scrollIntoViewIfNeeded();
    const sides = `[...document.querySelectorAll('#methods canvas')].map((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return [canvas.width, data.some((value) => value !== 0)];
    })`;
    for (const size of [8, 100, 336]) {
      await right.locator('#size').fill(`${size}`);
      await right.getByText(`${size} × ${size}`, { exact: true }).waitFor();
      const drawn = JSON.stringify(new Array(METHODS.length).fill([size, true]));
      let found = '';
      for (let look = 0; look < MOST_LOOKS && found !== drawn; look += 1) {
        found = JSON.stringify(await right.evaluate(sides));
      }
      assert.equal(found, drawn);
      const wide = await right.evaluate('document.documentElement.scrollWidth');
      assert.ok(Number(wide) <= PHONE.viewport.width, `${wide} pixels wide`);
    }
    await right.getByRole('radio', { name: 'hq3x' }).tap();
    assert.equal(await right.getByRole('radio', { name: 'hq3x' }).isChecked(), true);
  });

  await t.test('page_writes_hostile_names_as_text', async () => {
    const { ticket } = JSON.parse(await left.evaluate('sessionStorage.getItem("sprites")'));
    const names = [
      '<img src=x onerror=a()>',
      '<script>alert(1)</script',
      '"><svg onload=alert(1)>',
      '</li><b>&lt;',
    ];
    for (const name of names) {
      const sprite = { ...SPRITE, name, pixels: '4'.repeat(64) };
      assert.equal((await post('/throw', { ticket, to: 'right', sprite })).status, 202);
      await right.getByText(`${name} from the left side.`).waitFor();
      await right.getByRole('heading', { name }).waitFor();
    }
    assert.equal(await right.locator('#log :not(li), #specimen *').count(), 0);
    assert.equal(await right.locator('script').count(), 1);
  });

  // The last one: a browser takes the tap that follows a swipe for the end of a fling.
  await t.test('page_throws_by_touch', async () => {
    // It begins again with a boat in the middle, and at its place.
    await right.reload();
    await right.getByText('You are').waitFor();
    await left.evaluate('document.getElementById("log").replaceChildren()');
    await swipe(right, -0.45);
    await left.getByText('boat from the right side.').waitFor();
  });

  assert.deepEqual(errors, []);
});
