/** The built page in a real browser, opened from disk with each of the samples. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import {
  comparisonNames,
  comparisonText,
  documentText,
  sample,
  sampleNames,
  sampleText,
  sweepText,
} from './samples.ts';

const sweepNames = ['peaks', 'failed'];
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const absent = !existsSync(executablePath);
const skip =
  absent && !process.env.CI
    ? `${executablePath} is not there: apt-get install chromium, or set CHROMIUM to the path of a browser`
    : false;

describe('the page in a browser', { skip }, () => {
  let browser: Browser;
  let directory: string;

  before(async () => {
    assert.ok(!absent, `${executablePath} is not there, and on CI this test must run`);
    directory = mkdtempSync(join(tmpdir(), 'plimsoll-report-'));
    const built = readFileSync(new URL('../../crates/report/assets/report.html', import.meta.url), 'utf8');
    const write = (name: string, findings: string) => {
      // As `plimsoll_report::html` does it.
      const data = (text: string) => JSON.stringify(JSON.parse(text)).replaceAll('<', '\\u003c');
      const page = built
        .replace('"plimsoll:document"', () => data(documentText(name)))
        .replace('"plimsoll:findings"', () => data(findings));
      writeFileSync(join(directory, `${name}.html`), page);
    };
    for (const name of sampleNames) write(name, sampleText(name));
    for (const name of comparisonNames) write(`compare-${name}`, comparisonText(name));
    for (const name of sweepNames) write(`scale-${name}`, sweepText(name));
    writeFileSync(join(directory, 'empty.html'), built);
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-sync',
      ],
    });
  });

  after(async () => {
    await browser?.close();
    if (directory) rmSync(directory, { recursive: true });
  });

  /** Opens a page; anything it says to the console and anything it asks of the network fails the test. */
  async function opened(name: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const address = pathToFileURL(join(directory, `${name}.html`)).href;
    const faults: string[] = [];
    page.on('console', (message) => faults.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => faults.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url() !== address && !request.url().startsWith('data:'))
        faults.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    await use(page);
    assert.deepEqual(faults, [], name);
    await context.close();
  }

  const overflow = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  for (const name of sampleNames) {
    test(`${name}: all sections, quiet, and as wide as the screen`, async () => {
      const findings = sample(name);
      const expected = ['result', 'errors', 'service', 'generator', 'timeline'];
      // Held connections are judged by whether they last.
      expected.push(findings.hold ? 'held' : 'objectives');
      if (findings.notices.length > 0) expected.push('notices');
      if (findings.response_time.count > 0) expected.push('glance', 'times');
      if (findings.command === 'capacity') expected.push('load-line');
      await opened(name, { viewport: { width: 320, height: 640 } }, async (page) => {
        for (const id of expected) assert.equal(await page.locator(`section#${id}`).count(), 1, id);
        assert.equal(await page.locator('details#setting').count(), 1);
        assert.equal(await page.locator('details#glossary').count(), 1);
        assert.equal(await page.locator('h1').count(), 1);
        assert.match(await page.title(), /plimsoll$/);
        assert.equal(await page.locator('html').getAttribute('lang'), 'en');
        assert.equal(await overflow(page), 0, 'at 320 px');
        for (const summary of await page.locator('summary').all()) await summary.click();
        assert.equal(await overflow(page), 0, 'unfolded');
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.equal(await overflow(page), 0, 'at 1280 px');
      });
    });
  }

  for (const name of comparisonNames) {
    test(`comparison ${name}: quiet, and as wide as the screen`, async () => {
      await opened(`compare-${name}`, { viewport: { width: 320, height: 640 } }, async (page) => {
        assert.equal(await page.locator('h1').count(), 1);
        assert.match(await page.title(), /plimsoll$/);
        for (const summary of await page.locator('summary').all()) await summary.click();
        assert.equal(await overflow(page), 0, 'at 320 px');
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.equal(await overflow(page), 0, 'at 1280 px');
      });
    });
  }

  test('a change can be read with the keyboard', async () => {
    await opened('compare-worse', {}, async (page) => {
      const place = page.locator('[data-chart="changes"]');
      await place.getByRole('slider').press('End');
      const tip = await place.locator('.tip').innerText();
      for (const part of ['CPU per request', '+11.1%', '+9.5% to +12.8%']) assert.ok(tip.includes(part), tip);
    });
  });

  for (const name of sweepNames.map((name) => `scale-${name}`)) {
    test(`${name}: quiet, and as wide as the screen`, async () => {
      await opened(name, { viewport: { width: 320, height: 640 } }, async (page) => {
        assert.equal(await page.locator('h1').count(), 1);
        assert.match(await page.title(), /by workers – plimsoll$/);
        for (const summary of await page.locator('summary').all()) await summary.click();
        assert.equal(await overflow(page), 0, 'at 320 px');
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.equal(await overflow(page), 0, 'at 1280 px');
      });
    });
  }

  test('a sweep shows its law, its peak and each size', async () => {
    await opened('scale-peaks', {}, async (page) => {
      const result = await page.locator('#result').innerText();
      for (const part of ['0.049397 (0.044516 to 0.054472)', '9.77', '9.86) workers']) {
        assert.ok(result.includes(part), `${part} in ${result}`);
      }
      const place = page.locator('[data-chart="scaling"]');
      assert.equal(await place.locator('circle.dot').count(), 15);
      assert.equal(await place.locator('path.load-line').count(), 1, 'the peak');
      await place.getByRole('slider').press('End');
      const tip = await place.locator('.tip').innerText();
      for (const part of ['16 workers', 'efficiency']) assert.ok(tip.includes(part), tip);
      await place.getByRole('slider').press('Home');
      assert.match(await place.locator('.tip').innerText(), /1 workers?[\s\S]*100/);
    });
  });

  test('the result of a capacity search comes first', async () => {
    await opened('capacity-passed', {}, async (page) => {
      const text = await page.locator('#result').innerText();
      for (const part of ['Passed', '4,885', 'req/s', 'cpu <= 80%', '5,105', '4,714 to 5,151', 'Next step']) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
    });
  });

  test('the keyboard reaches every figure of a chart', async () => {
    await opened('capacity-passed', {}, async (page) => {
      const place = page.locator('[data-chart="load-line"]');
      const slider = place.getByRole('slider');
      const tip = place.locator('.tip');
      assert.equal(await tip.isVisible(), false);
      await slider.press('Home');
      assert.equal(await tip.isVisible(), true);
      assert.match(await tip.innerText(), /100 req\/s offered/);
      await slider.press('ArrowRight');
      assert.match(await tip.innerText(), /400 req\/s offered/);
      await slider.press('End');
      assert.match(await tip.innerText(), /5,105 req\/s offered/);
      assert.match(await tip.innerText(), /breached/);
      assert.match(
        (await slider.getAttribute('aria-valuetext')) ?? '',
        /5,105 req\/s offered, breached: .*p99/,
      );
      await slider.press('Escape');
      assert.equal(await tip.isVisible(), false);
    });
  });

  test('the pointer shows the figures beneath it', async () => {
    await opened('run-breached', {}, async (page) => {
      const place = page.locator('[data-chart="timeline"]');
      await place.getByRole('slider').hover({ position: { x: 300, y: 60 } });
      assert.match(await place.locator('.tip').innerText(), /p99/);
    });
  });

  test('a finger shows the figures too', async () => {
    await opened(
      'capacity-passed',
      { viewport: { width: 375, height: 700 }, hasTouch: true },
      async (page) => {
        const place = page.locator('[data-chart="curve"]');
        await place.getByRole('slider').tap({ position: { x: 150, y: 100 } });
        assert.match(await place.locator('.tip').innerText(), /response time/);
      },
    );
  });

  test('the charts follow the width of the window', async () => {
    await opened('capacity-passed', { viewport: { width: 1200, height: 800 } }, async (page) => {
      const svg = page.locator('[data-chart="timeline"] svg.chart');
      const wide = await svg.getAttribute('viewBox');
      await page.setViewportSize({ width: 400, height: 800 });
      await page.waitForFunction(
        (before) =>
          document.querySelector('[data-chart="timeline"] svg.chart')?.getAttribute('viewBox') !== before,
        wide,
      );
    });
  });

  test('text keeps its contrast in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await opened('run-breached', { colorScheme }, async (page) => {
        const ratios = await page.evaluate(contrasts);
        assert.ok(ratios.length > 50);
        for (const { text, ratio } of ratios) {
          assert.ok(ratio >= 4.5, `${colorScheme}: “${text}” has a contrast of ${ratio.toFixed(2)}`);
        }
      });
    }
  });

  test('printing unfolds what is folded', async () => {
    await opened('capacity-passed', {}, async (page) => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      assert.equal(await page.locator('details:not([open])').count(), 0);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      assert.equal(await page.locator('details[open]').count(), 0);
    });
  });

  test('a page without findings says so', async () => {
    await opened('empty', {}, async (page) => {
      assert.match(await page.locator('body').innerText(), /holds no findings/);
    });
  });

  test('foreign markup stays text', async () => {
    await opened('hostile', {}, async (page) => {
      assert.equal(await page.locator('#report img, #report script, #report a').count(), 0);
      assert.match(await page.locator('h1').innerText(), /1,000/);
      assert.match(await page.locator('.subject').innerText(), /<\/script><script>alert\(1\)<\/script>/);
    });
  });
});

/** Runs in the page: the contrast of each text with the background of the page (WCAG 2.2, 1.4.3). */
function contrasts(): { text: string; ratio: number }[] {
  const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('#report *')].flatMap((element) => {
    const text = [...element.childNodes].find(
      (node) => node.nodeType === 3 && node.textContent?.trim(),
    )?.textContent;
    if (!text) return [];
    const style = getComputedStyle(element);
    const ink = luminance(element instanceof SVGElement ? style.fill : style.color);
    return [{ text, ratio: (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) }];
  });
}
