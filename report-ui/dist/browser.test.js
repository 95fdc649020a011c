// test/browser.test.ts
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync as readFileSync2, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

// test/samples.ts
import { readdirSync, readFileSync } from "node:fs";
var folder = new URL("../../crates/report/tests/samples/", import.meta.url);
var sampleNames = readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length)).sort();
var sampleText = (name) => readFileSync(new URL(`${name}.json`, folder), "utf8");
var sample = (name) => JSON.parse(sampleText(name));

// test/browser.test.ts
var executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
var absent = !existsSync(executablePath);
var skip = absent && !process.env.CI ? `${executablePath} is not there: apt-get install chromium, or set CHROMIUM to the path of a browser` : false;
describe("the page in a browser", { skip }, () => {
  let browser;
  let folder2;
  before(async () => {
    assert.ok(!absent, `${executablePath} is not there, and on CI this test must run`);
    folder2 = mkdtempSync(join(tmpdir(), "plimsoll-report-"));
    const built = readFileSync2(new URL("../../crates/report/assets/report.html", import.meta.url), "utf8");
    for (const name of sampleNames) {
      const data = JSON.stringify(JSON.parse(sampleText(name))).replaceAll("<", "\\u003c");
      writeFileSync(
        join(folder2, `${name}.html`),
        built.replace('"plimsoll:findings"', () => data)
      );
    }
    writeFileSync(join(folder2, "empty.html"), built);
    browser = await chromium.launch({
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-sync"
      ]
    });
  });
  after(async () => {
    await browser?.close();
    if (folder2) rmSync(folder2, { recursive: true });
  });
  async function opened(name, options, use) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const address = pathToFileURL(join(folder2, `${name}.html`)).href;
    const faults = [];
    page.on("console", (message) => faults.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => faults.push(`dialog: ${dialog.message()}`));
    page.on("request", (request) => {
      if (request.url() !== address && !request.url().startsWith("data:"))
        faults.push(`request: ${request.url()}`);
    });
    await page.goto(address);
    await use(page);
    assert.deepEqual(faults, [], name);
    await context.close();
  }
  const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (const name of sampleNames) {
    test(`${name}: all sections, quiet, and as wide as the screen`, async () => {
      const findings = sample(name);
      const expected = ["answer", "objectives", "errors", "service", "generator", "timeline"];
      if (findings.notices.length > 0) expected.push("notices");
      if (findings.response_time.count > 0) expected.push("glance", "times");
      if (findings.command === "capacity") expected.push("load-line");
      await opened(name, { viewport: { width: 320, height: 640 } }, async (page) => {
        for (const id of expected) assert.equal(await page.locator(`section#${id}`).count(), 1, id);
        assert.equal(await page.locator("details#setting").count(), 1);
        assert.equal(await page.locator("details#glossary").count(), 1);
        assert.equal(await page.locator("h1").count(), 1);
        assert.match(await page.title(), /plimsoll$/);
        assert.equal(await page.locator("html").getAttribute("lang"), "en");
        assert.equal(await overflow(page), 0, "at 320 px");
        for (const summary of await page.locator("summary").all()) await summary.click();
        assert.equal(await overflow(page), 0, "unfolded");
        await page.setViewportSize({ width: 1280, height: 800 });
        assert.equal(await overflow(page), 0, "at 1280 px");
      });
    });
  }
  test("the answer of a capacity search stands first", async () => {
    await opened("capacity-passed", {}, async (page) => {
      const text = await page.locator("#answer").innerText();
      for (const part of ["Passed", "4,860", "req/s", "cpu <= 80%", "5,010", "4,790 to 4,980", "Next step"]) {
        assert.ok(text.includes(part), `${part} in ${text}`);
      }
    });
  });
  test("the keyboard reaches every figure of a chart", async () => {
    await opened("capacity-passed", {}, async (page) => {
      const place = page.locator('[data-chart="load-line"]');
      const slider = place.getByRole("slider");
      const tip = place.locator(".tip");
      assert.equal(await tip.isVisible(), false);
      await slider.press("Home");
      assert.equal(await tip.isVisible(), true);
      assert.match(await tip.innerText(), /100 req\/s offered/);
      await slider.press("ArrowRight");
      assert.match(await tip.innerText(), /400 req\/s offered/);
      await slider.press("End");
      assert.match(await tip.innerText(), /6,400 req\/s offered/);
      assert.match(await tip.innerText(), /breached/);
      assert.match(
        await slider.getAttribute("aria-valuetext") ?? "",
        /6,400 req\/s offered, breached: .*p99/
      );
      await slider.press("Escape");
      assert.equal(await tip.isVisible(), false);
    });
  });
  test("the pointer shows the figures beneath it", async () => {
    await opened("run-breached", {}, async (page) => {
      const place = page.locator('[data-chart="timeline"]');
      await place.getByRole("slider").hover({ position: { x: 300, y: 60 } });
      assert.match(await place.locator(".tip").innerText(), /p99/);
    });
  });
  test("a finger shows the figures too", async () => {
    await opened(
      "capacity-passed",
      { viewport: { width: 375, height: 700 }, hasTouch: true },
      async (page) => {
        const place = page.locator('[data-chart="curve"]');
        await place.getByRole("slider").tap({ position: { x: 150, y: 100 } });
        assert.match(await place.locator(".tip").innerText(), /response time/);
      }
    );
  });
  test("the charts follow the width of the window", async () => {
    await opened("capacity-passed", { viewport: { width: 1200, height: 800 } }, async (page) => {
      const svg = page.locator('[data-chart="timeline"] svg.chart');
      const wide = await svg.getAttribute("viewBox");
      await page.setViewportSize({ width: 400, height: 800 });
      await page.waitForFunction(
        (before2) => document.querySelector('[data-chart="timeline"] svg.chart')?.getAttribute("viewBox") !== before2,
        wide
      );
    });
  });
  test("text keeps its contrast in light and dark", async () => {
    for (const colorScheme of ["light", "dark"]) {
      await opened("run-breached", { colorScheme }, async (page) => {
        const ratios = await page.evaluate(contrasts);
        assert.ok(ratios.length > 50);
        for (const { text, ratio } of ratios) {
          assert.ok(ratio >= 4.5, `${colorScheme}: \u201C${text}\u201D has a contrast of ${ratio.toFixed(2)}`);
        }
      });
    }
  });
  test("printing unfolds what is folded", async () => {
    await opened("capacity-passed", {}, async (page) => {
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      assert.equal(await page.locator("details:not([open])").count(), 0);
      await page.evaluate(() => dispatchEvent(new Event("afterprint")));
      assert.equal(await page.locator("details[open]").count(), 0);
    });
  });
  test("a page without findings says so", async () => {
    await opened("empty", {}, async (page) => {
      assert.match(await page.locator("body").innerText(), /holds no findings/);
    });
  });
  test("foreign markup stays text", async () => {
    await opened("hostile", {}, async (page) => {
      assert.equal(await page.locator("#report img, #report script, #report a").count(), 0);
      assert.match(await page.locator("h1").innerText(), /4,860/);
      assert.match(await page.locator(".subject").innerText(), /<\/script><script>alert\(1\)<\/script>/);
    });
  });
});
function contrasts() {
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll("#report *")].flatMap((element) => {
    const text = [...element.childNodes].find(
      (node) => node.nodeType === 3 && node.textContent?.trim()
    )?.textContent;
    if (!text) return [];
    const style = getComputedStyle(element);
    const ink = luminance(element instanceof SVGElement ? style.fill : style.color);
    return [{ text, ratio: (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) }];
  });
}
//# sourceMappingURL=data:application/json;base64,ewogICJ2ZXJzaW9uIjogMywKICAic291cmNlcyI6IFsiLi4vdGVzdC9icm93c2VyLnRlc3QudHMiLCAiLi4vdGVzdC9zYW1wbGVzLnRzIl0sCiAgInNvdXJjZXNDb250ZW50IjogWyIvKiogVGhlIGJ1aWx0IHBhZ2UgaW4gYSByZWFsIGJyb3dzZXIsIG9wZW5lZCBmcm9tIGRpc2sgd2l0aCBlYWNoIG9mIHRoZSBzYW1wbGVzLiAqL1xuXG5pbXBvcnQgYXNzZXJ0IGZyb20gJ25vZGU6YXNzZXJ0L3N0cmljdCc7XG5pbXBvcnQgeyBleGlzdHNTeW5jLCBta2R0ZW1wU3luYywgcmVhZEZpbGVTeW5jLCBybVN5bmMsIHdyaXRlRmlsZVN5bmMgfSBmcm9tICdub2RlOmZzJztcbmltcG9ydCB7IHRtcGRpciB9IGZyb20gJ25vZGU6b3MnO1xuaW1wb3J0IHsgam9pbiB9IGZyb20gJ25vZGU6cGF0aCc7XG5pbXBvcnQgdGVzdCwgeyBhZnRlciwgYmVmb3JlLCBkZXNjcmliZSB9IGZyb20gJ25vZGU6dGVzdCc7XG5pbXBvcnQgeyBwYXRoVG9GaWxlVVJMIH0gZnJvbSAnbm9kZTp1cmwnO1xuaW1wb3J0IHsgdHlwZSBCcm93c2VyLCB0eXBlIEJyb3dzZXJDb250ZXh0T3B0aW9ucywgY2hyb21pdW0sIHR5cGUgUGFnZSB9IGZyb20gJ3BsYXl3cmlnaHQtY29yZSc7XG5pbXBvcnQgeyBzYW1wbGUsIHNhbXBsZU5hbWVzLCBzYW1wbGVUZXh0IH0gZnJvbSAnLi9zYW1wbGVzLnRzJztcblxuY29uc3QgZXhlY3V0YWJsZVBhdGggPSBwcm9jZXNzLmVudi5DSFJPTUlVTSA/PyAnL3Vzci9iaW4vY2hyb21pdW0nO1xuY29uc3QgYWJzZW50ID0gIWV4aXN0c1N5bmMoZXhlY3V0YWJsZVBhdGgpO1xuY29uc3Qgc2tpcCA9XG4gIGFic2VudCAmJiAhcHJvY2Vzcy5lbnYuQ0lcbiAgICA/IGAke2V4ZWN1dGFibGVQYXRofSBpcyBub3QgdGhlcmU6IGFwdC1nZXQgaW5zdGFsbCBjaHJvbWl1bSwgb3Igc2V0IENIUk9NSVVNIHRvIHRoZSBwYXRoIG9mIGEgYnJvd3NlcmBcbiAgICA6IGZhbHNlO1xuXG5kZXNjcmliZSgndGhlIHBhZ2UgaW4gYSBicm93c2VyJywgeyBza2lwIH0sICgpID0+IHtcbiAgbGV0IGJyb3dzZXI6IEJyb3dzZXI7XG4gIGxldCBmb2xkZXI6IHN0cmluZztcblxuICBiZWZvcmUoYXN5bmMgKCkgPT4ge1xuICAgIGFzc2VydC5vayghYWJzZW50LCBgJHtleGVjdXRhYmxlUGF0aH0gaXMgbm90IHRoZXJlLCBhbmQgb24gQ0kgdGhpcyB0ZXN0IG11c3QgcnVuYCk7XG4gICAgZm9sZGVyID0gbWtkdGVtcFN5bmMoam9pbih0bXBkaXIoKSwgJ3BsaW1zb2xsLXJlcG9ydC0nKSk7XG4gICAgY29uc3QgYnVpbHQgPSByZWFkRmlsZVN5bmMobmV3IFVSTCgnLi4vLi4vY3JhdGVzL3JlcG9ydC9hc3NldHMvcmVwb3J0Lmh0bWwnLCBpbXBvcnQubWV0YS51cmwpLCAndXRmOCcpO1xuICAgIGZvciAoY29uc3QgbmFtZSBvZiBzYW1wbGVOYW1lcykge1xuICAgICAgLy8gQXMgYHBsaW1zb2xsX3JlcG9ydDo6aHRtbGAgZG9lcyBpdC5cbiAgICAgIGNvbnN0IGRhdGEgPSBKU09OLnN0cmluZ2lmeShKU09OLnBhcnNlKHNhbXBsZVRleHQobmFtZSkpKS5yZXBsYWNlQWxsKCc8JywgJ1xcXFx1MDAzYycpO1xuICAgICAgd3JpdGVGaWxlU3luYyhcbiAgICAgICAgam9pbihmb2xkZXIsIGAke25hbWV9Lmh0bWxgKSxcbiAgICAgICAgYnVpbHQucmVwbGFjZSgnXCJwbGltc29sbDpmaW5kaW5nc1wiJywgKCkgPT4gZGF0YSksXG4gICAgICApO1xuICAgIH1cbiAgICB3cml0ZUZpbGVTeW5jKGpvaW4oZm9sZGVyLCAnZW1wdHkuaHRtbCcpLCBidWlsdCk7XG4gICAgYnJvd3NlciA9IGF3YWl0IGNocm9taXVtLmxhdW5jaCh7XG4gICAgICBleGVjdXRhYmxlUGF0aCxcbiAgICAgIGFyZ3M6IFtcbiAgICAgICAgJy0tbm8tc2FuZGJveCcsXG4gICAgICAgICctLWRpc2FibGUtZ3B1JyxcbiAgICAgICAgJy0tbm8tZmlyc3QtcnVuJyxcbiAgICAgICAgJy0tZGlzYWJsZS1iYWNrZ3JvdW5kLW5ldHdvcmtpbmcnLFxuICAgICAgICAnLS1kaXNhYmxlLXN5bmMnLFxuICAgICAgXSxcbiAgICB9KTtcbiAgfSk7XG5cbiAgYWZ0ZXIoYXN5bmMgKCkgPT4ge1xuICAgIGF3YWl0IGJyb3dzZXI/LmNsb3NlKCk7XG4gICAgaWYgKGZvbGRlcikgcm1TeW5jKGZvbGRlciwgeyByZWN1cnNpdmU6IHRydWUgfSk7XG4gIH0pO1xuXG4gIC8qKiBPcGVucyBhIHBhZ2U7IGFueXRoaW5nIGl0IHNheXMgdG8gdGhlIGNvbnNvbGUgYW5kIGFueXRoaW5nIGl0IGFza3Mgb2YgdGhlIG5ldHdvcmsgZmFpbHMgdGhlIHRlc3QuICovXG4gIGFzeW5jIGZ1bmN0aW9uIG9wZW5lZChuYW1lOiBzdHJpbmcsIG9wdGlvbnM6IEJyb3dzZXJDb250ZXh0T3B0aW9ucywgdXNlOiAocGFnZTogUGFnZSkgPT4gUHJvbWlzZTx2b2lkPikge1xuICAgIGNvbnN0IGNvbnRleHQgPSBhd2FpdCBicm93c2VyLm5ld0NvbnRleHQob3B0aW9ucyk7XG4gICAgY29uc3QgcGFnZSA9IGF3YWl0IGNvbnRleHQubmV3UGFnZSgpO1xuICAgIGNvbnN0IGFkZHJlc3MgPSBwYXRoVG9GaWxlVVJMKGpvaW4oZm9sZGVyLCBgJHtuYW1lfS5odG1sYCkpLmhyZWY7XG4gICAgY29uc3QgZmF1bHRzOiBzdHJpbmdbXSA9IFtdO1xuICAgIHBhZ2Uub24oJ2NvbnNvbGUnLCAobWVzc2FnZSkgPT4gZmF1bHRzLnB1c2goYGNvbnNvbGU6ICR7bWVzc2FnZS50ZXh0KCl9YCkpO1xuICAgIHBhZ2Uub24oJ3BhZ2VlcnJvcicsIChlcnJvcikgPT4gZmF1bHRzLnB1c2goYGVycm9yOiAke2Vycm9yLm1lc3NhZ2V9YCkpO1xuICAgIHBhZ2Uub24oJ2RpYWxvZycsIChkaWFsb2cpID0+IGZhdWx0cy5wdXNoKGBkaWFsb2c6ICR7ZGlhbG9nLm1lc3NhZ2UoKX1gKSk7XG4gICAgcGFnZS5vbigncmVxdWVzdCcsIChyZXF1ZXN0KSA9PiB7XG4gICAgICBpZiAocmVxdWVzdC51cmwoKSAhPT0gYWRkcmVzcyAmJiAhcmVxdWVzdC51cmwoKS5zdGFydHNXaXRoKCdkYXRhOicpKVxuICAgICAgICBmYXVsdHMucHVzaChgcmVxdWVzdDogJHtyZXF1ZXN0LnVybCgpfWApO1xuICAgIH0pO1xuICAgIGF3YWl0IHBhZ2UuZ290byhhZGRyZXNzKTtcbiAgICBhd2FpdCB1c2UocGFnZSk7XG4gICAgYXNzZXJ0LmRlZXBFcXVhbChmYXVsdHMsIFtdLCBuYW1lKTtcbiAgICBhd2FpdCBjb250ZXh0LmNsb3NlKCk7XG4gIH1cblxuICBjb25zdCBvdmVyZmxvdyA9IChwYWdlOiBQYWdlKSA9PlxuICAgIHBhZ2UuZXZhbHVhdGUoKCkgPT4gZG9jdW1lbnQuZG9jdW1lbnRFbGVtZW50LnNjcm9sbFdpZHRoIC0gZG9jdW1lbnQuZG9jdW1lbnRFbGVtZW50LmNsaWVudFdpZHRoKTtcblxuICBmb3IgKGNvbnN0IG5hbWUgb2Ygc2FtcGxlTmFtZXMpIHtcbiAgICB0ZXN0KGAke25hbWV9OiBhbGwgc2VjdGlvbnMsIHF1aWV0LCBhbmQgYXMgd2lkZSBhcyB0aGUgc2NyZWVuYCwgYXN5bmMgKCkgPT4ge1xuICAgICAgY29uc3QgZmluZGluZ3MgPSBzYW1wbGUobmFtZSk7XG4gICAgICBjb25zdCBleHBlY3RlZCA9IFsnYW5zd2VyJywgJ29iamVjdGl2ZXMnLCAnZXJyb3JzJywgJ3NlcnZpY2UnLCAnZ2VuZXJhdG9yJywgJ3RpbWVsaW5lJ107XG4gICAgICBpZiAoZmluZGluZ3Mubm90aWNlcy5sZW5ndGggPiAwKSBleHBlY3RlZC5wdXNoKCdub3RpY2VzJyk7XG4gICAgICBpZiAoZmluZGluZ3MucmVzcG9uc2VfdGltZS5jb3VudCA+IDApIGV4cGVjdGVkLnB1c2goJ2dsYW5jZScsICd0aW1lcycpO1xuICAgICAgaWYgKGZpbmRpbmdzLmNvbW1hbmQgPT09ICdjYXBhY2l0eScpIGV4cGVjdGVkLnB1c2goJ2xvYWQtbGluZScpO1xuICAgICAgYXdhaXQgb3BlbmVkKG5hbWUsIHsgdmlld3BvcnQ6IHsgd2lkdGg6IDMyMCwgaGVpZ2h0OiA2NDAgfSB9LCBhc3luYyAocGFnZSkgPT4ge1xuICAgICAgICBmb3IgKGNvbnN0IGlkIG9mIGV4cGVjdGVkKSBhc3NlcnQuZXF1YWwoYXdhaXQgcGFnZS5sb2NhdG9yKGBzZWN0aW9uIyR7aWR9YCkuY291bnQoKSwgMSwgaWQpO1xuICAgICAgICBhc3NlcnQuZXF1YWwoYXdhaXQgcGFnZS5sb2NhdG9yKCdkZXRhaWxzI3NldHRpbmcnKS5jb3VudCgpLCAxKTtcbiAgICAgICAgYXNzZXJ0LmVxdWFsKGF3YWl0IHBhZ2UubG9jYXRvcignZGV0YWlscyNnbG9zc2FyeScpLmNvdW50KCksIDEpO1xuICAgICAgICBhc3NlcnQuZXF1YWwoYXdhaXQgcGFnZS5sb2NhdG9yKCdoMScpLmNvdW50KCksIDEpO1xuICAgICAgICBhc3NlcnQubWF0Y2goYXdhaXQgcGFnZS50aXRsZSgpLCAvcGxpbXNvbGwkLyk7XG4gICAgICAgIGFzc2VydC5lcXVhbChhd2FpdCBwYWdlLmxvY2F0b3IoJ2h0bWwnKS5nZXRBdHRyaWJ1dGUoJ2xhbmcnKSwgJ2VuJyk7XG4gICAgICAgIGFzc2VydC5lcXVhbChhd2FpdCBvdmVyZmxvdyhwYWdlKSwgMCwgJ2F0IDMyMCBweCcpO1xuICAgICAgICBmb3IgKGNvbnN0IHN1bW1hcnkgb2YgYXdhaXQgcGFnZS5sb2NhdG9yKCdzdW1tYXJ5JykuYWxsKCkpIGF3YWl0IHN1bW1hcnkuY2xpY2soKTtcbiAgICAgICAgYXNzZXJ0LmVxdWFsKGF3YWl0IG92ZXJmbG93KHBhZ2UpLCAwLCAndW5mb2xkZWQnKTtcbiAgICAgICAgYXdhaXQgcGFnZS5zZXRWaWV3cG9ydFNpemUoeyB3aWR0aDogMTI4MCwgaGVpZ2h0OiA4MDAgfSk7XG4gICAgICAgIGFzc2VydC5lcXVhbChhd2FpdCBvdmVyZmxvdyhwYWdlKSwgMCwgJ2F0IDEyODAgcHgnKTtcbiAgICAgIH0pO1xuICAgIH0pO1xuICB9XG5cbiAgdGVzdCgndGhlIGFuc3dlciBvZiBhIGNhcGFjaXR5IHNlYXJjaCBzdGFuZHMgZmlyc3QnLCBhc3luYyAoKSA9PiB7XG4gICAgYXdhaXQgb3BlbmVkKCdjYXBhY2l0eS1wYXNzZWQnLCB7fSwgYXN5bmMgKHBhZ2UpID0+IHtcbiAgICAgIGNvbnN0IHRleHQgPSBhd2FpdCBwYWdlLmxvY2F0b3IoJyNhbnN3ZXInKS5pbm5lclRleHQoKTtcbiAgICAgIGZvciAoY29uc3QgcGFydCBvZiBbJ1Bhc3NlZCcsICc0LDg2MCcsICdyZXEvcycsICdjcHUgPD0gODAlJywgJzUsMDEwJywgJzQsNzkwIHRvIDQsOTgwJywgJ05leHQgc3RlcCddKSB7XG4gICAgICAgIGFzc2VydC5vayh0ZXh0LmluY2x1ZGVzKHBhcnQpLCBgJHtwYXJ0fSBpbiAke3RleHR9YCk7XG4gICAgICB9XG4gICAgfSk7XG4gIH0pO1xuXG4gIHRlc3QoJ3RoZSBrZXlib2FyZCByZWFjaGVzIGV2ZXJ5IGZpZ3VyZSBvZiBhIGNoYXJ0JywgYXN5bmMgKCkgPT4ge1xuICAgIGF3YWl0IG9wZW5lZCgnY2FwYWNpdHktcGFzc2VkJywge30sIGFzeW5jIChwYWdlKSA9PiB7XG4gICAgICBjb25zdCBwbGFjZSA9IHBhZ2UubG9jYXRvcignW2RhdGEtY2hhcnQ9XCJsb2FkLWxpbmVcIl0nKTtcbiAgICAgIGNvbnN0IHNsaWRlciA9IHBsYWNlLmdldEJ5Um9sZSgnc2xpZGVyJyk7XG4gICAgICBjb25zdCB0aXAgPSBwbGFjZS5sb2NhdG9yKCcudGlwJyk7XG4gICAgICBhc3NlcnQuZXF1YWwoYXdhaXQgdGlwLmlzVmlzaWJsZSgpLCBmYWxzZSk7XG4gICAgICBhd2FpdCBzbGlkZXIucHJlc3MoJ0hvbWUnKTtcbiAgICAgIGFzc2VydC5lcXVhbChhd2FpdCB0aXAuaXNWaXNpYmxlKCksIHRydWUpO1xuICAgICAgYXNzZXJ0Lm1hdGNoKGF3YWl0IHRpcC5pbm5lclRleHQoKSwgLzEwMCByZXFcXC9zIG9mZmVyZWQvKTtcbiAgICAgIGF3YWl0IHNsaWRlci5wcmVzcygnQXJyb3dSaWdodCcpO1xuICAgICAgYXNzZXJ0Lm1hdGNoKGF3YWl0IHRpcC5pbm5lclRleHQoKSwgLzQwMCByZXFcXC9zIG9mZmVyZWQvKTtcbiAgICAgIGF3YWl0IHNsaWRlci5wcmVzcygnRW5kJyk7XG4gICAgICBhc3NlcnQubWF0Y2goYXdhaXQgdGlwLmlubmVyVGV4dCgpLCAvNiw0MDAgcmVxXFwvcyBvZmZlcmVkLyk7XG4gICAgICBhc3NlcnQubWF0Y2goYXdhaXQgdGlwLmlubmVyVGV4dCgpLCAvYnJlYWNoZWQvKTtcbiAgICAgIGFzc2VydC5tYXRjaChcbiAgICAgICAgKGF3YWl0IHNsaWRlci5nZXRBdHRyaWJ1dGUoJ2FyaWEtdmFsdWV0ZXh0JykpID8/ICcnLFxuICAgICAgICAvNiw0MDAgcmVxXFwvcyBvZmZlcmVkLCBicmVhY2hlZDogLipwOTkvLFxuICAgICAgKTtcbiAgICAgIGF3YWl0IHNsaWRlci5wcmVzcygnRXNjYXBlJyk7XG4gICAgICBhc3NlcnQuZXF1YWwoYXdhaXQgdGlwLmlzVmlzaWJsZSgpLCBmYWxzZSk7XG4gICAgfSk7XG4gIH0pO1xuXG4gIHRlc3QoJ3RoZSBwb2ludGVyIHNob3dzIHRoZSBmaWd1cmVzIGJlbmVhdGggaXQnLCBhc3luYyAoKSA9PiB7XG4gICAgYXdhaXQgb3BlbmVkKCdydW4tYnJlYWNoZWQnLCB7fSwgYXN5bmMgKHBhZ2UpID0+IHtcbiAgICAgIGNvbnN0IHBsYWNlID0gcGFnZS5sb2NhdG9yKCdbZGF0YS1jaGFydD1cInRpbWVsaW5lXCJdJyk7XG4gICAgICBhd2FpdCBwbGFjZS5nZXRCeVJvbGUoJ3NsaWRlcicpLmhvdmVyKHsgcG9zaXRpb246IHsgeDogMzAwLCB5OiA2MCB9IH0pO1xuICAgICAgYXNzZXJ0Lm1hdGNoKGF3YWl0IHBsYWNlLmxvY2F0b3IoJy50aXAnKS5pbm5lclRleHQoKSwgL3A5OS8pO1xuICAgIH0pO1xuICB9KTtcblxuICB0ZXN0KCdhIGZpbmdlciBzaG93cyB0aGUgZmlndXJlcyB0b28nLCBhc3luYyAoKSA9PiB7XG4gICAgYXdhaXQgb3BlbmVkKFxuICAgICAgJ2NhcGFjaXR5LXBhc3NlZCcsXG4gICAgICB7IHZpZXdwb3J0OiB7IHdpZHRoOiAzNzUsIGhlaWdodDogNzAwIH0sIGhhc1RvdWNoOiB0cnVlIH0sXG4gICAgICBhc3luYyAocGFnZSkgPT4ge1xuICAgICAgICBjb25zdCBwbGFjZSA9IHBhZ2UubG9jYXRvcignW2RhdGEtY2hhcnQ9XCJjdXJ2ZVwiXScpO1xuICAgICAgICBhd2FpdCBwbGFjZS5nZXRCeVJvbGUoJ3NsaWRlcicpLnRhcCh7IHBvc2l0aW9uOiB7IHg6IDE1MCwgeTogMTAwIH0gfSk7XG4gICAgICAgIGFzc2VydC5tYXRjaChhd2FpdCBwbGFjZS5sb2NhdG9yKCcudGlwJykuaW5uZXJUZXh0KCksIC9yZXNwb25zZSB0aW1lLyk7XG4gICAgICB9LFxuICAgICk7XG4gIH0pO1xuXG4gIHRlc3QoJ3RoZSBjaGFydHMgZm9sbG93IHRoZSB3aWR0aCBvZiB0aGUgd2luZG93JywgYXN5bmMgKCkgPT4ge1xuICAgIGF3YWl0IG9wZW5lZCgnY2FwYWNpdHktcGFzc2VkJywgeyB2aWV3cG9ydDogeyB3aWR0aDogMTIwMCwgaGVpZ2h0OiA4MDAgfSB9LCBhc3luYyAocGFnZSkgPT4ge1xuICAgICAgY29uc3Qgc3ZnID0gcGFnZS5sb2NhdG9yKCdbZGF0YS1jaGFydD1cInRpbWVsaW5lXCJdIHN2Zy5jaGFydCcpO1xuICAgICAgY29uc3Qgd2lkZSA9IGF3YWl0IHN2Zy5nZXRBdHRyaWJ1dGUoJ3ZpZXdCb3gnKTtcbiAgICAgIGF3YWl0IHBhZ2Uuc2V0Vmlld3BvcnRTaXplKHsgd2lkdGg6IDQwMCwgaGVpZ2h0OiA4MDAgfSk7XG4gICAgICBhd2FpdCBwYWdlLndhaXRGb3JGdW5jdGlvbihcbiAgICAgICAgKGJlZm9yZSkgPT5cbiAgICAgICAgICBkb2N1bWVudC5xdWVyeVNlbGVjdG9yKCdbZGF0YS1jaGFydD1cInRpbWVsaW5lXCJdIHN2Zy5jaGFydCcpPy5nZXRBdHRyaWJ1dGUoJ3ZpZXdCb3gnKSAhPT0gYmVmb3JlLFxuICAgICAgICB3aWRlLFxuICAgICAgKTtcbiAgICB9KTtcbiAgfSk7XG5cbiAgdGVzdCgndGV4dCBrZWVwcyBpdHMgY29udHJhc3QgaW4gbGlnaHQgYW5kIGRhcmsnLCBhc3luYyAoKSA9PiB7XG4gICAgZm9yIChjb25zdCBjb2xvclNjaGVtZSBvZiBbJ2xpZ2h0JywgJ2RhcmsnXSBhcyBjb25zdCkge1xuICAgICAgYXdhaXQgb3BlbmVkKCdydW4tYnJlYWNoZWQnLCB7IGNvbG9yU2NoZW1lIH0sIGFzeW5jIChwYWdlKSA9PiB7XG4gICAgICAgIGNvbnN0IHJhdGlvcyA9IGF3YWl0IHBhZ2UuZXZhbHVhdGUoY29udHJhc3RzKTtcbiAgICAgICAgYXNzZXJ0Lm9rKHJhdGlvcy5sZW5ndGggPiA1MCk7XG4gICAgICAgIGZvciAoY29uc3QgeyB0ZXh0LCByYXRpbyB9IG9mIHJhdGlvcykge1xuICAgICAgICAgIGFzc2VydC5vayhyYXRpbyA+PSA0LjUsIGAke2NvbG9yU2NoZW1lfTogXHUyMDFDJHt0ZXh0fVx1MjAxRCBoYXMgYSBjb250cmFzdCBvZiAke3JhdGlvLnRvRml4ZWQoMil9YCk7XG4gICAgICAgIH1cbiAgICAgIH0pO1xuICAgIH1cbiAgfSk7XG5cbiAgdGVzdCgncHJpbnRpbmcgdW5mb2xkcyB3aGF0IGlzIGZvbGRlZCcsIGFzeW5jICgpID0+IHtcbiAgICBhd2FpdCBvcGVuZWQoJ2NhcGFjaXR5LXBhc3NlZCcsIHt9LCBhc3luYyAocGFnZSkgPT4ge1xuICAgICAgYXdhaXQgcGFnZS5ldmFsdWF0ZSgoKSA9PiBkaXNwYXRjaEV2ZW50KG5ldyBFdmVudCgnYmVmb3JlcHJpbnQnKSkpO1xuICAgICAgYXNzZXJ0LmVxdWFsKGF3YWl0IHBhZ2UubG9jYXRvcignZGV0YWlsczpub3QoW29wZW5dKScpLmNvdW50KCksIDApO1xuICAgICAgYXdhaXQgcGFnZS5ldmFsdWF0ZSgoKSA9PiBkaXNwYXRjaEV2ZW50KG5ldyBFdmVudCgnYWZ0ZXJwcmludCcpKSk7XG4gICAgICBhc3NlcnQuZXF1YWwoYXdhaXQgcGFnZS5sb2NhdG9yKCdkZXRhaWxzW29wZW5dJykuY291bnQoKSwgMCk7XG4gICAgfSk7XG4gIH0pO1xuXG4gIHRlc3QoJ2EgcGFnZSB3aXRob3V0IGZpbmRpbmdzIHNheXMgc28nLCBhc3luYyAoKSA9PiB7XG4gICAgYXdhaXQgb3BlbmVkKCdlbXB0eScsIHt9LCBhc3luYyAocGFnZSkgPT4ge1xuICAgICAgYXNzZXJ0Lm1hdGNoKGF3YWl0IHBhZ2UubG9jYXRvcignYm9keScpLmlubmVyVGV4dCgpLCAvaG9sZHMgbm8gZmluZGluZ3MvKTtcbiAgICB9KTtcbiAgfSk7XG5cbiAgdGVzdCgnZm9yZWlnbiBtYXJrdXAgc3RheXMgdGV4dCcsIGFzeW5jICgpID0+IHtcbiAgICBhd2FpdCBvcGVuZWQoJ2hvc3RpbGUnLCB7fSwgYXN5bmMgKHBhZ2UpID0+IHtcbiAgICAgIGFzc2VydC5lcXVhbChhd2FpdCBwYWdlLmxvY2F0b3IoJyNyZXBvcnQgaW1nLCAjcmVwb3J0IHNjcmlwdCwgI3JlcG9ydCBhJykuY291bnQoKSwgMCk7XG4gICAgICBhc3NlcnQubWF0Y2goYXdhaXQgcGFnZS5sb2NhdG9yKCdoMScpLmlubmVyVGV4dCgpLCAvNCw4NjAvKTtcbiAgICAgIGFzc2VydC5tYXRjaChhd2FpdCBwYWdlLmxvY2F0b3IoJy5zdWJqZWN0JykuaW5uZXJUZXh0KCksIC88XFwvc2NyaXB0PjxzY3JpcHQ+YWxlcnRcXCgxXFwpPFxcL3NjcmlwdD4vKTtcbiAgICB9KTtcbiAgfSk7XG59KTtcblxuLyoqIFJ1bnMgaW4gdGhlIHBhZ2U6IHRoZSBjb250cmFzdCBvZiBlYWNoIHRleHQgd2l0aCB0aGUgYmFja2dyb3VuZCBvZiB0aGUgcGFnZSAoV0NBRyAyLjIsIDEuNC4zKS4gKi9cbmZ1bmN0aW9uIGNvbnRyYXN0cygpOiB7IHRleHQ6IHN0cmluZzsgcmF0aW86IG51bWJlciB9W10ge1xuICBjb25zdCBjaGFubmVscyA9IChjb2xvcjogc3RyaW5nKSA9PiAoY29sb3IubWF0Y2goL1tcXGQuXSsvZykgPz8gW10pLm1hcChOdW1iZXIpO1xuICBjb25zdCBsdW1pbmFuY2UgPSAoY29sb3I6IHN0cmluZykgPT4ge1xuICAgIGNvbnN0IFtyID0gMCwgZyA9IDAsIGIgPSAwXSA9IGNoYW5uZWxzKGNvbG9yKS5tYXAoKHZhbHVlKSA9PiB7XG4gICAgICBjb25zdCBwYXJ0ID0gdmFsdWUgLyAyNTU7XG4gICAgICByZXR1cm4gcGFydCA8PSAwLjA0MDQ1ID8gcGFydCAvIDEyLjkyIDogKChwYXJ0ICsgMC4wNTUpIC8gMS4wNTUpICoqIDIuNDtcbiAgICB9KTtcbiAgICByZXR1cm4gMC4yMTI2ICogciArIDAuNzE1MiAqIGcgKyAwLjA3MjIgKiBiO1xuICB9O1xuICBjb25zdCBwYXBlciA9IGx1bWluYW5jZShnZXRDb21wdXRlZFN0eWxlKGRvY3VtZW50LmJvZHkpLmJhY2tncm91bmRDb2xvcik7XG4gIHJldHVybiBbLi4uZG9jdW1lbnQucXVlcnlTZWxlY3RvckFsbCgnI3JlcG9ydCAqJyldLmZsYXRNYXAoKGVsZW1lbnQpID0+IHtcbiAgICBjb25zdCB0ZXh0ID0gWy4uLmVsZW1lbnQuY2hpbGROb2Rlc10uZmluZChcbiAgICAgIChub2RlKSA9PiBub2RlLm5vZGVUeXBlID09PSAzICYmIG5vZGUudGV4dENvbnRlbnQ/LnRyaW0oKSxcbiAgICApPy50ZXh0Q29udGVudDtcbiAgICBpZiAoIXRleHQpIHJldHVybiBbXTtcbiAgICBjb25zdCBzdHlsZSA9IGdldENvbXB1dGVkU3R5bGUoZWxlbWVudCk7XG4gICAgY29uc3QgaW5rID0gbHVtaW5hbmNlKGVsZW1lbnQgaW5zdGFuY2VvZiBTVkdFbGVtZW50ID8gc3R5bGUuZmlsbCA6IHN0eWxlLmNvbG9yKTtcbiAgICByZXR1cm4gW3sgdGV4dCwgcmF0aW86IChNYXRoLm1heChpbmssIHBhcGVyKSArIDAuMDUpIC8gKE1hdGgubWluKGluaywgcGFwZXIpICsgMC4wNSkgfV07XG4gIH0pO1xufVxuIiwgIi8qKiBUaGUgc2FtcGxlIGZpbmRpbmdzIG9mIGNyYXRlcy9yZXBvcnQsIHdoaWNoIG1ha2UgdGhlbS4gKi9cblxuaW1wb3J0IHsgcmVhZGRpclN5bmMsIHJlYWRGaWxlU3luYyB9IGZyb20gJ25vZGU6ZnMnO1xuaW1wb3J0IHR5cGUgeyBGaW5kaW5ncyB9IGZyb20gJy4uL3NyYy9maW5kaW5ncy50cyc7XG5cbi8vIFRlc3RzIHJ1biBmcm9tIGRpc3QvLCBvbmUgbGV2ZWwgYmVsb3cgdGhlIHdvcmtzcGFjZSBhcyB0aGlzIGZvbGRlciBpcy5cbmNvbnN0IGZvbGRlciA9IG5ldyBVUkwoJy4uLy4uL2NyYXRlcy9yZXBvcnQvdGVzdHMvc2FtcGxlcy8nLCBpbXBvcnQubWV0YS51cmwpO1xuXG5leHBvcnQgY29uc3Qgc2FtcGxlTmFtZXM6IHN0cmluZ1tdID0gcmVhZGRpclN5bmMoZm9sZGVyKVxuICAuZmlsdGVyKChuYW1lKSA9PiBuYW1lLmVuZHNXaXRoKCcuanNvbicpKVxuICAubWFwKChuYW1lKSA9PiBuYW1lLnNsaWNlKDAsIC0nLmpzb24nLmxlbmd0aCkpXG4gIC5zb3J0KCk7XG5cbmV4cG9ydCBjb25zdCBzYW1wbGVUZXh0ID0gKG5hbWU6IHN0cmluZyk6IHN0cmluZyA9PiByZWFkRmlsZVN5bmMobmV3IFVSTChgJHtuYW1lfS5qc29uYCwgZm9sZGVyKSwgJ3V0ZjgnKTtcblxuZXhwb3J0IGNvbnN0IHNhbXBsZSA9IChuYW1lOiBzdHJpbmcpOiBGaW5kaW5ncyA9PiBKU09OLnBhcnNlKHNhbXBsZVRleHQobmFtZSkpO1xuIl0sCiAgIm1hcHBpbmdzIjogIjtBQUVBLE9BQU8sWUFBWTtBQUNuQixTQUFTLFlBQVksYUFBYSxnQkFBQUEsZUFBYyxRQUFRLHFCQUFxQjtBQUM3RSxTQUFTLGNBQWM7QUFDdkIsU0FBUyxZQUFZO0FBQ3JCLE9BQU8sUUFBUSxPQUFPLFFBQVEsZ0JBQWdCO0FBQzlDLFNBQVMscUJBQXFCO0FBQzlCLFNBQW1ELGdCQUEyQjs7O0FDTjlFLFNBQVMsYUFBYSxvQkFBb0I7QUFJMUMsSUFBTSxTQUFTLElBQUksSUFBSSxzQ0FBc0MsWUFBWSxHQUFHO0FBRXJFLElBQU0sY0FBd0IsWUFBWSxNQUFNLEVBQ3BELE9BQU8sQ0FBQyxTQUFTLEtBQUssU0FBUyxPQUFPLENBQUMsRUFDdkMsSUFBSSxDQUFDLFNBQVMsS0FBSyxNQUFNLEdBQUcsQ0FBQyxRQUFRLE1BQU0sQ0FBQyxFQUM1QyxLQUFLO0FBRUQsSUFBTSxhQUFhLENBQUMsU0FBeUIsYUFBYSxJQUFJLElBQUksR0FBRyxJQUFJLFNBQVMsTUFBTSxHQUFHLE1BQU07QUFFakcsSUFBTSxTQUFTLENBQUMsU0FBMkIsS0FBSyxNQUFNLFdBQVcsSUFBSSxDQUFDOzs7QURKN0UsSUFBTSxpQkFBaUIsUUFBUSxJQUFJLFlBQVk7QUFDL0MsSUFBTSxTQUFTLENBQUMsV0FBVyxjQUFjO0FBQ3pDLElBQU0sT0FDSixVQUFVLENBQUMsUUFBUSxJQUFJLEtBQ25CLEdBQUcsY0FBYyxzRkFDakI7QUFFTixTQUFTLHlCQUF5QixFQUFFLEtBQUssR0FBRyxNQUFNO0FBQ2hELE1BQUk7QUFDSixNQUFJQztBQUVKLFNBQU8sWUFBWTtBQUNqQixXQUFPLEdBQUcsQ0FBQyxRQUFRLEdBQUcsY0FBYyw2Q0FBNkM7QUFDakYsSUFBQUEsVUFBUyxZQUFZLEtBQUssT0FBTyxHQUFHLGtCQUFrQixDQUFDO0FBQ3ZELFVBQU0sUUFBUUMsY0FBYSxJQUFJLElBQUksMENBQTBDLFlBQVksR0FBRyxHQUFHLE1BQU07QUFDckcsZUFBVyxRQUFRLGFBQWE7QUFFOUIsWUFBTSxPQUFPLEtBQUssVUFBVSxLQUFLLE1BQU0sV0FBVyxJQUFJLENBQUMsQ0FBQyxFQUFFLFdBQVcsS0FBSyxTQUFTO0FBQ25GO0FBQUEsUUFDRSxLQUFLRCxTQUFRLEdBQUcsSUFBSSxPQUFPO0FBQUEsUUFDM0IsTUFBTSxRQUFRLHVCQUF1QixNQUFNLElBQUk7QUFBQSxNQUNqRDtBQUFBLElBQ0Y7QUFDQSxrQkFBYyxLQUFLQSxTQUFRLFlBQVksR0FBRyxLQUFLO0FBQy9DLGNBQVUsTUFBTSxTQUFTLE9BQU87QUFBQSxNQUM5QjtBQUFBLE1BQ0EsTUFBTTtBQUFBLFFBQ0o7QUFBQSxRQUNBO0FBQUEsUUFDQTtBQUFBLFFBQ0E7QUFBQSxRQUNBO0FBQUEsTUFDRjtBQUFBLElBQ0YsQ0FBQztBQUFBLEVBQ0gsQ0FBQztBQUVELFFBQU0sWUFBWTtBQUNoQixVQUFNLFNBQVMsTUFBTTtBQUNyQixRQUFJQSxRQUFRLFFBQU9BLFNBQVEsRUFBRSxXQUFXLEtBQUssQ0FBQztBQUFBLEVBQ2hELENBQUM7QUFHRCxpQkFBZSxPQUFPLE1BQWMsU0FBZ0MsS0FBb0M7QUFDdEcsVUFBTSxVQUFVLE1BQU0sUUFBUSxXQUFXLE9BQU87QUFDaEQsVUFBTSxPQUFPLE1BQU0sUUFBUSxRQUFRO0FBQ25DLFVBQU0sVUFBVSxjQUFjLEtBQUtBLFNBQVEsR0FBRyxJQUFJLE9BQU8sQ0FBQyxFQUFFO0FBQzVELFVBQU0sU0FBbUIsQ0FBQztBQUMxQixTQUFLLEdBQUcsV0FBVyxDQUFDLFlBQVksT0FBTyxLQUFLLFlBQVksUUFBUSxLQUFLLENBQUMsRUFBRSxDQUFDO0FBQ3pFLFNBQUssR0FBRyxhQUFhLENBQUMsVUFBVSxPQUFPLEtBQUssVUFBVSxNQUFNLE9BQU8sRUFBRSxDQUFDO0FBQ3RFLFNBQUssR0FBRyxVQUFVLENBQUMsV0FBVyxPQUFPLEtBQUssV0FBVyxPQUFPLFFBQVEsQ0FBQyxFQUFFLENBQUM7QUFDeEUsU0FBSyxHQUFHLFdBQVcsQ0FBQyxZQUFZO0FBQzlCLFVBQUksUUFBUSxJQUFJLE1BQU0sV0FBVyxDQUFDLFFBQVEsSUFBSSxFQUFFLFdBQVcsT0FBTztBQUNoRSxlQUFPLEtBQUssWUFBWSxRQUFRLElBQUksQ0FBQyxFQUFFO0FBQUEsSUFDM0MsQ0FBQztBQUNELFVBQU0sS0FBSyxLQUFLLE9BQU87QUFDdkIsVUFBTSxJQUFJLElBQUk7QUFDZCxXQUFPLFVBQVUsUUFBUSxDQUFDLEdBQUcsSUFBSTtBQUNqQyxVQUFNLFFBQVEsTUFBTTtBQUFBLEVBQ3RCO0FBRUEsUUFBTSxXQUFXLENBQUMsU0FDaEIsS0FBSyxTQUFTLE1BQU0sU0FBUyxnQkFBZ0IsY0FBYyxTQUFTLGdCQUFnQixXQUFXO0FBRWpHLGFBQVcsUUFBUSxhQUFhO0FBQzlCLFNBQUssR0FBRyxJQUFJLG9EQUFvRCxZQUFZO0FBQzFFLFlBQU0sV0FBVyxPQUFPLElBQUk7QUFDNUIsWUFBTSxXQUFXLENBQUMsVUFBVSxjQUFjLFVBQVUsV0FBVyxhQUFhLFVBQVU7QUFDdEYsVUFBSSxTQUFTLFFBQVEsU0FBUyxFQUFHLFVBQVMsS0FBSyxTQUFTO0FBQ3hELFVBQUksU0FBUyxjQUFjLFFBQVEsRUFBRyxVQUFTLEtBQUssVUFBVSxPQUFPO0FBQ3JFLFVBQUksU0FBUyxZQUFZLFdBQVksVUFBUyxLQUFLLFdBQVc7QUFDOUQsWUFBTSxPQUFPLE1BQU0sRUFBRSxVQUFVLEVBQUUsT0FBTyxLQUFLLFFBQVEsSUFBSSxFQUFFLEdBQUcsT0FBTyxTQUFTO0FBQzVFLG1CQUFXLE1BQU0sU0FBVSxRQUFPLE1BQU0sTUFBTSxLQUFLLFFBQVEsV0FBVyxFQUFFLEVBQUUsRUFBRSxNQUFNLEdBQUcsR0FBRyxFQUFFO0FBQzFGLGVBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxpQkFBaUIsRUFBRSxNQUFNLEdBQUcsQ0FBQztBQUM3RCxlQUFPLE1BQU0sTUFBTSxLQUFLLFFBQVEsa0JBQWtCLEVBQUUsTUFBTSxHQUFHLENBQUM7QUFDOUQsZUFBTyxNQUFNLE1BQU0sS0FBSyxRQUFRLElBQUksRUFBRSxNQUFNLEdBQUcsQ0FBQztBQUNoRCxlQUFPLE1BQU0sTUFBTSxLQUFLLE1BQU0sR0FBRyxXQUFXO0FBQzVDLGVBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxNQUFNLEVBQUUsYUFBYSxNQUFNLEdBQUcsSUFBSTtBQUNsRSxlQUFPLE1BQU0sTUFBTSxTQUFTLElBQUksR0FBRyxHQUFHLFdBQVc7QUFDakQsbUJBQVcsV0FBVyxNQUFNLEtBQUssUUFBUSxTQUFTLEVBQUUsSUFBSSxFQUFHLE9BQU0sUUFBUSxNQUFNO0FBQy9FLGVBQU8sTUFBTSxNQUFNLFNBQVMsSUFBSSxHQUFHLEdBQUcsVUFBVTtBQUNoRCxjQUFNLEtBQUssZ0JBQWdCLEVBQUUsT0FBTyxNQUFNLFFBQVEsSUFBSSxDQUFDO0FBQ3ZELGVBQU8sTUFBTSxNQUFNLFNBQVMsSUFBSSxHQUFHLEdBQUcsWUFBWTtBQUFBLE1BQ3BELENBQUM7QUFBQSxJQUNILENBQUM7QUFBQSxFQUNIO0FBRUEsT0FBSyxnREFBZ0QsWUFBWTtBQUMvRCxVQUFNLE9BQU8sbUJBQW1CLENBQUMsR0FBRyxPQUFPLFNBQVM7QUFDbEQsWUFBTSxPQUFPLE1BQU0sS0FBSyxRQUFRLFNBQVMsRUFBRSxVQUFVO0FBQ3JELGlCQUFXLFFBQVEsQ0FBQyxVQUFVLFNBQVMsU0FBUyxjQUFjLFNBQVMsa0JBQWtCLFdBQVcsR0FBRztBQUNyRyxlQUFPLEdBQUcsS0FBSyxTQUFTLElBQUksR0FBRyxHQUFHLElBQUksT0FBTyxJQUFJLEVBQUU7QUFBQSxNQUNyRDtBQUFBLElBQ0YsQ0FBQztBQUFBLEVBQ0gsQ0FBQztBQUVELE9BQUssZ0RBQWdELFlBQVk7QUFDL0QsVUFBTSxPQUFPLG1CQUFtQixDQUFDLEdBQUcsT0FBTyxTQUFTO0FBQ2xELFlBQU0sUUFBUSxLQUFLLFFBQVEsMEJBQTBCO0FBQ3JELFlBQU0sU0FBUyxNQUFNLFVBQVUsUUFBUTtBQUN2QyxZQUFNLE1BQU0sTUFBTSxRQUFRLE1BQU07QUFDaEMsYUFBTyxNQUFNLE1BQU0sSUFBSSxVQUFVLEdBQUcsS0FBSztBQUN6QyxZQUFNLE9BQU8sTUFBTSxNQUFNO0FBQ3pCLGFBQU8sTUFBTSxNQUFNLElBQUksVUFBVSxHQUFHLElBQUk7QUFDeEMsYUFBTyxNQUFNLE1BQU0sSUFBSSxVQUFVLEdBQUcsb0JBQW9CO0FBQ3hELFlBQU0sT0FBTyxNQUFNLFlBQVk7QUFDL0IsYUFBTyxNQUFNLE1BQU0sSUFBSSxVQUFVLEdBQUcsb0JBQW9CO0FBQ3hELFlBQU0sT0FBTyxNQUFNLEtBQUs7QUFDeEIsYUFBTyxNQUFNLE1BQU0sSUFBSSxVQUFVLEdBQUcsc0JBQXNCO0FBQzFELGFBQU8sTUFBTSxNQUFNLElBQUksVUFBVSxHQUFHLFVBQVU7QUFDOUMsYUFBTztBQUFBLFFBQ0osTUFBTSxPQUFPLGFBQWEsZ0JBQWdCLEtBQU07QUFBQSxRQUNqRDtBQUFBLE1BQ0Y7QUFDQSxZQUFNLE9BQU8sTUFBTSxRQUFRO0FBQzNCLGFBQU8sTUFBTSxNQUFNLElBQUksVUFBVSxHQUFHLEtBQUs7QUFBQSxJQUMzQyxDQUFDO0FBQUEsRUFDSCxDQUFDO0FBRUQsT0FBSyw0Q0FBNEMsWUFBWTtBQUMzRCxVQUFNLE9BQU8sZ0JBQWdCLENBQUMsR0FBRyxPQUFPLFNBQVM7QUFDL0MsWUFBTSxRQUFRLEtBQUssUUFBUSx5QkFBeUI7QUFDcEQsWUFBTSxNQUFNLFVBQVUsUUFBUSxFQUFFLE1BQU0sRUFBRSxVQUFVLEVBQUUsR0FBRyxLQUFLLEdBQUcsR0FBRyxFQUFFLENBQUM7QUFDckUsYUFBTyxNQUFNLE1BQU0sTUFBTSxRQUFRLE1BQU0sRUFBRSxVQUFVLEdBQUcsS0FBSztBQUFBLElBQzdELENBQUM7QUFBQSxFQUNILENBQUM7QUFFRCxPQUFLLGtDQUFrQyxZQUFZO0FBQ2pELFVBQU07QUFBQSxNQUNKO0FBQUEsTUFDQSxFQUFFLFVBQVUsRUFBRSxPQUFPLEtBQUssUUFBUSxJQUFJLEdBQUcsVUFBVSxLQUFLO0FBQUEsTUFDeEQsT0FBTyxTQUFTO0FBQ2QsY0FBTSxRQUFRLEtBQUssUUFBUSxzQkFBc0I7QUFDakQsY0FBTSxNQUFNLFVBQVUsUUFBUSxFQUFFLElBQUksRUFBRSxVQUFVLEVBQUUsR0FBRyxLQUFLLEdBQUcsSUFBSSxFQUFFLENBQUM7QUFDcEUsZUFBTyxNQUFNLE1BQU0sTUFBTSxRQUFRLE1BQU0sRUFBRSxVQUFVLEdBQUcsZUFBZTtBQUFBLE1BQ3ZFO0FBQUEsSUFDRjtBQUFBLEVBQ0YsQ0FBQztBQUVELE9BQUssNkNBQTZDLFlBQVk7QUFDNUQsVUFBTSxPQUFPLG1CQUFtQixFQUFFLFVBQVUsRUFBRSxPQUFPLE1BQU0sUUFBUSxJQUFJLEVBQUUsR0FBRyxPQUFPLFNBQVM7QUFDMUYsWUFBTSxNQUFNLEtBQUssUUFBUSxtQ0FBbUM7QUFDNUQsWUFBTSxPQUFPLE1BQU0sSUFBSSxhQUFhLFNBQVM7QUFDN0MsWUFBTSxLQUFLLGdCQUFnQixFQUFFLE9BQU8sS0FBSyxRQUFRLElBQUksQ0FBQztBQUN0RCxZQUFNLEtBQUs7QUFBQSxRQUNULENBQUNFLFlBQ0MsU0FBUyxjQUFjLG1DQUFtQyxHQUFHLGFBQWEsU0FBUyxNQUFNQTtBQUFBLFFBQzNGO0FBQUEsTUFDRjtBQUFBLElBQ0YsQ0FBQztBQUFBLEVBQ0gsQ0FBQztBQUVELE9BQUssNkNBQTZDLFlBQVk7QUFDNUQsZUFBVyxlQUFlLENBQUMsU0FBUyxNQUFNLEdBQVk7QUFDcEQsWUFBTSxPQUFPLGdCQUFnQixFQUFFLFlBQVksR0FBRyxPQUFPLFNBQVM7QUFDNUQsY0FBTSxTQUFTLE1BQU0sS0FBSyxTQUFTLFNBQVM7QUFDNUMsZUFBTyxHQUFHLE9BQU8sU0FBUyxFQUFFO0FBQzVCLG1CQUFXLEVBQUUsTUFBTSxNQUFNLEtBQUssUUFBUTtBQUNwQyxpQkFBTyxHQUFHLFNBQVMsS0FBSyxHQUFHLFdBQVcsV0FBTSxJQUFJLDRCQUF1QixNQUFNLFFBQVEsQ0FBQyxDQUFDLEVBQUU7QUFBQSxRQUMzRjtBQUFBLE1BQ0YsQ0FBQztBQUFBLElBQ0g7QUFBQSxFQUNGLENBQUM7QUFFRCxPQUFLLG1DQUFtQyxZQUFZO0FBQ2xELFVBQU0sT0FBTyxtQkFBbUIsQ0FBQyxHQUFHLE9BQU8sU0FBUztBQUNsRCxZQUFNLEtBQUssU0FBUyxNQUFNLGNBQWMsSUFBSSxNQUFNLGFBQWEsQ0FBQyxDQUFDO0FBQ2pFLGFBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxxQkFBcUIsRUFBRSxNQUFNLEdBQUcsQ0FBQztBQUNqRSxZQUFNLEtBQUssU0FBUyxNQUFNLGNBQWMsSUFBSSxNQUFNLFlBQVksQ0FBQyxDQUFDO0FBQ2hFLGFBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxlQUFlLEVBQUUsTUFBTSxHQUFHLENBQUM7QUFBQSxJQUM3RCxDQUFDO0FBQUEsRUFDSCxDQUFDO0FBRUQsT0FBSyxtQ0FBbUMsWUFBWTtBQUNsRCxVQUFNLE9BQU8sU0FBUyxDQUFDLEdBQUcsT0FBTyxTQUFTO0FBQ3hDLGFBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxNQUFNLEVBQUUsVUFBVSxHQUFHLG1CQUFtQjtBQUFBLElBQzFFLENBQUM7QUFBQSxFQUNILENBQUM7QUFFRCxPQUFLLDZCQUE2QixZQUFZO0FBQzVDLFVBQU0sT0FBTyxXQUFXLENBQUMsR0FBRyxPQUFPLFNBQVM7QUFDMUMsYUFBTyxNQUFNLE1BQU0sS0FBSyxRQUFRLHdDQUF3QyxFQUFFLE1BQU0sR0FBRyxDQUFDO0FBQ3BGLGFBQU8sTUFBTSxNQUFNLEtBQUssUUFBUSxJQUFJLEVBQUUsVUFBVSxHQUFHLE9BQU87QUFDMUQsYUFBTyxNQUFNLE1BQU0sS0FBSyxRQUFRLFVBQVUsRUFBRSxVQUFVLEdBQUcsd0NBQXdDO0FBQUEsSUFDbkcsQ0FBQztBQUFBLEVBQ0gsQ0FBQztBQUNILENBQUM7QUFHRCxTQUFTLFlBQStDO0FBQ3RELFFBQU0sV0FBVyxDQUFDLFdBQW1CLE1BQU0sTUFBTSxTQUFTLEtBQUssQ0FBQyxHQUFHLElBQUksTUFBTTtBQUM3RSxRQUFNLFlBQVksQ0FBQyxVQUFrQjtBQUNuQyxVQUFNLENBQUMsSUFBSSxHQUFHLElBQUksR0FBRyxJQUFJLENBQUMsSUFBSSxTQUFTLEtBQUssRUFBRSxJQUFJLENBQUMsVUFBVTtBQUMzRCxZQUFNLE9BQU8sUUFBUTtBQUNyQixhQUFPLFFBQVEsVUFBVSxPQUFPLFVBQVUsT0FBTyxTQUFTLFVBQVU7QUFBQSxJQUN0RSxDQUFDO0FBQ0QsV0FBTyxTQUFTLElBQUksU0FBUyxJQUFJLFNBQVM7QUFBQSxFQUM1QztBQUNBLFFBQU0sUUFBUSxVQUFVLGlCQUFpQixTQUFTLElBQUksRUFBRSxlQUFlO0FBQ3ZFLFNBQU8sQ0FBQyxHQUFHLFNBQVMsaUJBQWlCLFdBQVcsQ0FBQyxFQUFFLFFBQVEsQ0FBQyxZQUFZO0FBQ3RFLFVBQU0sT0FBTyxDQUFDLEdBQUcsUUFBUSxVQUFVLEVBQUU7QUFBQSxNQUNuQyxDQUFDLFNBQVMsS0FBSyxhQUFhLEtBQUssS0FBSyxhQUFhLEtBQUs7QUFBQSxJQUMxRCxHQUFHO0FBQ0gsUUFBSSxDQUFDLEtBQU0sUUFBTyxDQUFDO0FBQ25CLFVBQU0sUUFBUSxpQkFBaUIsT0FBTztBQUN0QyxVQUFNLE1BQU0sVUFBVSxtQkFBbUIsYUFBYSxNQUFNLE9BQU8sTUFBTSxLQUFLO0FBQzlFLFdBQU8sQ0FBQyxFQUFFLE1BQU0sUUFBUSxLQUFLLElBQUksS0FBSyxLQUFLLElBQUksU0FBUyxLQUFLLElBQUksS0FBSyxLQUFLLElBQUksTUFBTSxDQUFDO0FBQUEsRUFDeEYsQ0FBQztBQUNIOyIsCiAgIm5hbWVzIjogWyJyZWFkRmlsZVN5bmMiLCAiZm9sZGVyIiwgInJlYWRGaWxlU3luYyIsICJiZWZvcmUiXQp9Cg==
