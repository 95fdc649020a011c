/**
 * The charts of the samples as SVG files in golden/, which a browser shows as they are.
 * UPDATE_GOLDEN=1 npm test -w report-ui writes them.
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { charts, runCharts } from '../src/charts/all.ts';
import type { Chart } from '../src/charts/frame.ts';
import { nearest } from '../src/explore.ts';
import { h, print } from '../src/tree.ts';
import { comparisonNames, comparisonSample, documentOf, sample, sampleNames } from './samples.ts';

const golden = fileURLToPath(new URL('../test/golden/', import.meta.url));
const drawn = ['capacity-passed', 'capacity-open-end', 'capacity-interrupted', 'run-breached', 'bench'];
const files = new Map<string, string>();

for (const name of drawn) {
  for (const [kind, draw] of Object.entries(runCharts)) {
    const chart = draw(sample(name), 720, documentOf(name).verdicts);
    if (chart) files.set(`${name}-${kind}.svg`, standalone(chart));
  }
}

for (const name of comparisonNames) {
  const chart = charts.changes(comparisonSample(name), 720, documentOf(`compare-${name}`).verdicts);
  if (chart) files.set(`compare-${name}-changes.svg`, standalone(chart));
}

test('charts look as before', () => {
  for (const [file, svg] of files) {
    const path = golden + file;
    if (process.env.UPDATE_GOLDEN) writeFileSync(path, svg);
    assert.ok(existsSync(path), `${file} is missing: UPDATE_GOLDEN=1 npm test -w report-ui`);
    assert.equal(
      svg,
      readFileSync(path, 'utf8'),
      `${file} differs: UPDATE_GOLDEN=1 npm test -w report-ui, then look`,
    );
  }
  assert.deepEqual(readdirSync(golden).sort(), [...files.keys()].sort());
});

test('no chart of any sample holds a coordinate that is no number, at any width', () => {
  for (const name of sampleNames) {
    for (const width of [240, 720, 1600]) {
      for (const [kind, draw] of Object.entries(runCharts)) {
        const chart = draw(sample(name), width, documentOf(name).verdicts);
        if (!chart) continue;
        assert.doesNotMatch(print(chart.svg), /NaN|Infinity|undefined|null/, `${name} ${kind} ${width}`);
        for (const stop of chart.stops) {
          assert.ok(stop.x >= 0 && stop.x <= width, `${name} ${kind}: stop at ${stop.x}`);
        }
      }
    }
  }
});

test('the changes of a comparison are numbers at any width, and each figure is a stop', () => {
  for (const name of comparisonNames) {
    const comparison = comparisonSample(name);
    for (const width of [240, 720, 1600]) {
      const chart = charts.changes(comparison, width, documentOf(`compare-${name}`).verdicts);
      const drawn = comparison.figures.filter((figure) => figure.figure !== 'errors');
      assert.equal(chart?.stops.length ?? 0, drawn.length, name);
      if (chart) assert.doesNotMatch(print(chart.svg), /NaN|Infinity|undefined|null/, `${name} ${width}`);
    }
  }
});

test('a chart without figures is not drawn', () => {
  const failed = sample('run-failed');
  assert.equal(charts.curve(failed, 720, {}), null);
  assert.equal(charts['load-line']({ ...failed, steps: [] }, 720, {}), null);
  assert.equal(charts.timeline({ ...failed, timeline: [] }, 720, {}), null);
});

test('the cursor goes to the nearest stop, and to the nearest ring among equals', () => {
  const stop = (x: number, y: number) => ({ x, title: '', rows: [], rings: [[x, y] as [number, number]] });
  const stops = [stop(10, 50), stop(40, 20), stop(40, 90)];
  assert.equal(nearest({ stops }, 0, 0), 0);
  assert.equal(nearest({ stops }, 26, 0), 1);
  assert.equal(nearest({ stops }, 500, 80), 2);
});

test('every step and every point of time is a stop', () => {
  const findings = sample('capacity-passed');
  const { verdicts } = documentOf('capacity-passed');
  assert.equal(charts['load-line'](findings, 720, verdicts)?.stops.length, findings.steps.length);
  assert.equal(charts.timeline(findings, 720, verdicts)?.stops.length, findings.timeline.length);
});

/** With the sizes and the style that the page gives it. */
function standalone({ svg, width, height }: Chart): string {
  const style = `text{font:12px sans-serif;fill:#15212b}.title{font-weight:600}.grid{stroke:#eceeea}.base,.boundary{stroke:#566470}
.bound line{stroke:#b53512;stroke-dasharray:5 4}.bound .beyond{fill:#b5351212}.bound text{fill:#b53512}.interval{fill:#17598a24}
line.load-line,circle.load-line{fill:none;stroke:#17598a;stroke-width:2}.line,.thread{fill:none;stroke:#566470}.line.first{stroke:#17598a}
.line.second{stroke:#15212b;stroke-dasharray:1.5 3}.line.errors{stroke:#b53512}.mark{fill:none;stroke:#8a5a00}.mark.good{fill:#0b6e69;stroke:none}
.mark.bad{stroke:#b53512;stroke-width:2.4}.aside{opacity:.4}.unjudged{fill:#15212b12}`;
  return print({
    ...svg,
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      width: String(width),
      height: String(height),
      ...svg.attributes,
    },
    children: [h('style', {}, style.replaceAll('\n', '')), ...svg.children],
  });
}
