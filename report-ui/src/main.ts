/** Reads the findings that the page holds and draws them; draws the charts again when their width changes. */

import { explore } from './explore.ts';
import type { Findings } from './findings.ts';
import { chartNames, charts, page } from './page.ts';
import { title } from './sections/answer.ts';
import { h, mount } from './tree.ts';

const report = document.getElementById('report');
const findings: Findings | string = JSON.parse(document.getElementById('findings')?.textContent ?? '""');

if (report && typeof findings === 'string') {
  const message = 'This page holds no findings. plimsoll writes it with those of a run.';
  report.append(mount(h('p', { class: 'plain-message' }, message), document));
} else if (report && typeof findings === 'object') {
  document.title = title(findings);
  report.append(mount(page(findings), document));
  const places = [...report.querySelectorAll<HTMLElement>('[data-chart]')];
  drawCharts(places, findings);
  prepareForPaper(places, findings);
}

function draw(place: HTMLElement, findings: Findings, width: number): void {
  const name = place.dataset.chart ?? '';
  const chart = charts[name]?.(findings, width);
  if (chart) explore(place, chart, chartNames[name] ?? '');
}

function drawCharts(places: HTMLElement[], findings: Findings): void {
  const widths = new Map<Element, number>();
  const fit = (place: HTMLElement) => {
    const width = Math.max(240, Math.floor(place.clientWidth));
    if (widths.get(place) === width) return;
    widths.set(place, width);
    draw(place, findings, width);
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
function prepareForPaper(places: HTMLElement[], findings: Findings): void {
  let folded: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of folded) details.open = true;
    for (const place of places) draw(place, findings, place.dataset.chart === 'curve' ? 400 : 700);
  });
  addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
    for (const place of places) draw(place, findings, Math.max(240, Math.floor(place.clientWidth)));
  });
}
