/** The cursor of a chart: by pointer, by touch and by keyboard, with the exact figures beside it. */

import type { Chart, Stop } from './charts/frame.ts';
import { slider as words } from './labels.ts';
import { badge } from './marks.ts';
import { h, mount } from './tree.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** Draws the chart into its place and lets the reader explore it. Drawn again, it forgets the old chart. */
export function explore(place: HTMLElement, chart: Chart, name: string): void {
  const svg = mount(chart.svg, document) as SVGSVGElement;
  const tip = mount(h('div', { class: 'tip', hidden: true }), document) as HTMLElement;
  const slider = mount(
    h('div', {
      class: 'slider',
      role: 'slider',
      tabindex: 0,
      'aria-label': words.label(name),
      'aria-orientation': 'horizontal',
      'aria-valuemin': 1,
      'aria-valuemax': chart.stops.length,
      'aria-valuenow': 1,
      'aria-valuetext': spoken(chart.stops[0]),
    }),
    document,
  ) as HTMLElement;
  place.replaceChildren(svg, slider, tip);
  if (chart.stops.length === 0) return;
  const cursor = svg.querySelector<SVGGElement>('.cursor');
  let current: number | null = null;

  const show = (index: number) => {
    const stop = chart.stops[index];
    if (!stop || !cursor) return;
    current = index;
    slider.setAttribute('aria-valuenow', String(index + 1));
    slider.setAttribute('aria-valuetext', spoken(stop));
    moveCursor(cursor, stop);
    tip.replaceChildren(...tipContent(stop));
    tip.hidden = false;
    placeTip(tip, place, (stop.x / chart.width) * place.clientWidth);
  };
  const hide = () => {
    current = null;
    tip.hidden = true;
    cursor?.setAttribute('visibility', 'hidden');
  };
  const point = (event: PointerEvent) => {
    const box = slider.getBoundingClientRect();
    show(
      nearest(
        chart,
        ((event.clientX - box.left) / box.width) * chart.width,
        ((event.clientY - box.top) / box.height) * chart.height,
      ),
    );
  };

  slider.addEventListener('pointermove', point);
  slider.addEventListener('pointerdown', point);
  slider.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse' && document.activeElement !== slider) hide();
  });
  slider.addEventListener('focus', () => {
    if (slider.matches(':focus-visible')) show(current ?? 0);
  });
  slider.addEventListener('blur', hide);
  slider.addEventListener('keydown', (event) => {
    const last = chart.stops.length - 1;
    const from = current ?? 0;
    const leap = Math.max(1, Math.round(last / 10));
    const target: Record<string, number> = {
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      PageUp: from + leap,
      PageDown: from - leap,
      Home: 0,
      End: last,
    };
    const to = target[event.key];
    if (to !== undefined) {
      event.preventDefault();
      show(Math.min(Math.max(to, 0), last));
    } else if (event.key === 'Escape') {
      hide();
    }
  });
}

/** The stop at the nearest x; among those that share it, the one with the nearest ring. */
export function nearest(chart: Pick<Chart, 'stops'>, x: number, y: number): number {
  let best = 0;
  let least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  chart.stops.forEach((stop, index) => {
    const aside = Math.abs(stop.x - x);
    const above = Math.min(...stop.rings.map(([, ring]) => Math.abs(ring - y)));
    if (aside < least[0] || (aside === least[0] && above <= least[1])) {
      best = index;
      least = [aside, above];
    }
  });
  return best;
}

function spoken(stop: Stop | undefined): string {
  if (!stop) return words.nothing;
  const head = stop.verdict ? `${stop.title}, ${stop.verdict}` : stop.title;
  return `${head}: ${stop.rows.map(([name, figure]) => `${name} ${figure}`).join(', ')}`;
}

function moveCursor(cursor: SVGGElement, stop: Stop): void {
  const line = cursor.querySelector('line');
  line?.setAttribute('x1', String(stop.x));
  line?.setAttribute('x2', String(stop.x));
  for (const ring of cursor.querySelectorAll('circle')) ring.remove();
  for (const [x, y] of stop.rings) {
    const ring = document.createElementNS(svgNamespace, 'circle');
    ring.setAttribute('cx', String(x));
    ring.setAttribute('cy', String(y));
    ring.setAttribute('r', '7');
    cursor.append(ring);
  }
  cursor.setAttribute('visibility', 'visible');
}

function tipContent(stop: Stop): Node[] {
  const word = stop.tone && stop.verdict ? badge({ tone: stop.tone, text: stop.verdict }) : null;
  return [
    h('p', {}, stop.title, word),
    h(
      'dl',
      {},
      stop.rows.map(([name, figure]) => h('div', {}, h('dt', {}, name), h('dd', {}, figure))),
    ),
  ].map((tree) => mount(tree, document));
}

/** Beside the cursor, on the side that has room; below the chart where it would hide most of it. */
function placeTip(tip: HTMLElement, place: HTMLElement, x: number): void {
  const room = place.clientWidth;
  tip.classList.toggle('below', room < 480);
  if (room < 480) {
    tip.style.left = '0';
    return;
  }
  const width = tip.offsetWidth;
  const right = x + 14 + width <= room;
  const left = right ? x + 14 : Math.max(0, x - 14 - width);
  tip.style.left = `${Math.min(left, Math.max(0, room - width))}px`;
}
