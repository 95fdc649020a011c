/** Reads what the page is given, its findings and what it says, and draws it; draws charts again when their width changes. */

import { type Chart, chartNames, charts, type Found } from './charts/all.ts';
import type { Document } from './document.ts';
import { explore } from './explore.ts';
import { flameGraph } from './flame.ts';
import { nothingHere } from './labels.ts';
import { page } from './page.ts';
import { h, mount } from './tree.ts';

const report = document.getElementById('report');
/** A page that nobody has written anything into holds a text in its place. */
const given = <T>(id: string): T | string => JSON.parse(document.getElementById(id)?.textContent ?? '""');
const said = given<Document>('document');
const findings = given<Found>('findings');

if (report && (typeof said === 'string' || typeof findings === 'string')) {
  report.append(mount(h('p', { class: 'plain-message' }, nothingHere), document));
} else if (report && typeof said === 'object' && typeof findings === 'object') {
  document.title = said.title;
  report.append(mount(page(said), document));
  const places = [...report.querySelectorAll<HTMLElement>('[data-chart]')];
  const chart = (name: string, width: number) => charts[name]?.(findings, width, said.verdicts) ?? null;
  drawCharts(places, chart);
  const flame = 'diagnosis' in findings ? (findings.diagnosis?.flame ?? []) : [];
  for (const place of report.querySelectorAll<HTMLElement>('[data-flame]')) flameGraph(place, flame);
  prepareForPaper(places, chart);
}

type ChartOf = (name: string, width: number) => Chart | null;

function draw(place: HTMLElement, chartOf: ChartOf, width: number): void {
  const name = place.dataset.chart ?? '';
  const chart = chartOf(name, width);
  if (chart) explore(place, chart, chartNames[name] ?? '');
}

function drawCharts(places: HTMLElement[], chartOf: ChartOf): void {
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
function prepareForPaper(places: HTMLElement[], chartOf: ChartOf): void {
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
