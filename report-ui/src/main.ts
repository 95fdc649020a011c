/** Reads the findings that the page holds, of a run or of a comparison, and draws them; draws the charts again when their width changes. */

import type { Chart } from './charts/frame.ts';
import type { Comparison } from './comparison.ts';
import { comparisonCharts, comparisonPage, comparisonTitle } from './comparison-page.ts';
import { explore } from './explore.ts';
import type { Findings, FlameCall } from './findings.ts';
import { flameGraph } from './flame.ts';
import { chartNames, charts, page } from './page.ts';
import type { Scaling } from './scaling.ts';
import { scalingCharts, scalingPage, scalingTitle } from './scaling-page.ts';
import { title } from './sections/answer.ts';
import { h, mount, type Tree } from './tree.ts';

const report = document.getElementById('report');
const findings: Findings | Comparison | Scaling | string = JSON.parse(
  document.getElementById('findings')?.textContent ?? '""',
);

if (report && typeof findings === 'string') {
  const message = 'This page holds no findings. plimsoll writes it with those of a run.';
  report.append(mount(h('p', { class: 'plain-message' }, message), document));
} else if (report && typeof findings === 'object') {
  const shown = shownOf(findings);
  document.title = shown.title;
  report.append(mount(shown.page, document));
  const places = [...report.querySelectorAll<HTMLElement>('[data-chart]')];
  drawCharts(places, shown.chart);
  for (const place of report.querySelectorAll<HTMLElement>('[data-flame]')) flameGraph(place, shown.flame);
  prepareForPaper(places, shown.chart);
}

interface Shown {
  title: string;
  page: Tree;
  chart(name: string, width: number): Chart | null;
  flame: FlameCall[];
}

function shownOf(findings: Findings | Comparison | Scaling): Shown {
  if ('variants' in findings) return comparison(findings);
  if ('sizes_of' in findings) return scaling(findings);
  return run(findings);
}

function run(findings: Findings): Shown {
  return {
    title: title(findings),
    page: page(findings),
    chart: (name, width) => charts[name]?.(findings, width) ?? null,
    flame: findings.diagnosis?.flame ?? [],
  };
}

function comparison(findings: Comparison): Shown {
  return {
    title: comparisonTitle(findings),
    page: comparisonPage(findings),
    chart: (name, width) => comparisonCharts[name]?.(findings, width) ?? null,
    flame: [],
  };
}

function scaling(findings: Scaling): Shown {
  return {
    title: scalingTitle(findings),
    page: scalingPage(findings),
    chart: (name, width) => scalingCharts[name]?.(findings, width) ?? null,
    flame: [],
  };
}

function draw(place: HTMLElement, chartOf: Shown['chart'], width: number): void {
  const name = place.dataset.chart ?? '';
  const chart = chartOf(name, width);
  if (chart) explore(place, chart, chartNames[name] ?? '');
}

function drawCharts(places: HTMLElement[], chartOf: Shown['chart']): void {
  const widths = new Map<Element, number>();
  const fit = (place: HTMLElement) => {
    const width = Math.max(240, Math.floor(place.clientWidth));
    if (widths.get(place) === width) return;
    widths.set(place, width);
    draw(place, chartOf, width);
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) fit(target as HTMLElement);
  });
  for (const place of places) {
    fit(place);
    observer.observe(place);
  }
}

/** Paper cannot be unfolded, and its width is not that of the window. */
function prepareForPaper(places: HTMLElement[], chartOf: Shown['chart']): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of folded) details.open = true;
    for (const place of places) draw(place, chartOf, place.dataset.chart === 'curve' ? 400 : 700);
  });
  addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
    for (const place of places) draw(place, chartOf, Math.max(240, Math.floor(place.clientWidth)));
  });
}
