/** Reads the findings that the page holds and draws them; draws the charts again when their width changes. */

import { explore } from './explore.ts';
import type { Findings } from './findings.ts';
import { chartNames, charts, page } from './page.ts';
import { title } from './sections/answer.ts';
import { h, mount } from './tree.ts';

const report = document.getElementById('report');
const findings: Findings | string = JSON.parse(document.getElementById('findings')?.textContent ?? '""');

if (report && typeof findings === 'string') {
  report.append(
    mount(
      h(
        'p',
        { class: 'plain-message' },
        'This page holds no findings. plimsoll writes it with those of a run.',
      ),
      document,
    ),
  );
} else if (report && typeof findings === 'object') {
  document.title = title(findings);
  report.append(mount(page(findings), document));
  drawCharts(report, findings);
  unfoldForPrint();
}

function drawCharts(report: HTMLElement, findings: Findings): void {
  const widths = new Map<Element, number>();
  const draw = (place: HTMLElement) => {
    const name = place.dataset.chart ?? '';
    const width = Math.max(240, Math.floor(place.clientWidth));
    if (widths.get(place) === width) return;
    widths.set(place, width);
    const chart = charts[name]?.(findings, width);
    if (chart) explore(place, chart, chartNames[name] ?? '');
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) draw(target as HTMLElement);
  });
  for (const place of report.querySelectorAll<HTMLElement>('[data-chart]')) {
    draw(place);
    observer.observe(place);
  }
}

/** Paper cannot be unfolded. */
function unfoldForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const details of opened) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of opened) details.open = false;
  });
}
