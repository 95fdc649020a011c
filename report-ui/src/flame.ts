/**
 * The call tree of the CPU profile on a canvas: as wide as the time, callers above the called. Mouse or keyboard select
 * a call and zoom to it; a search marks calls and says how much time they are.
 */

import type { FlameCall } from './findings.ts';
import { calls as words } from './labels.ts';

const ROW = 20;
const LETTERS = '12px system-ui, sans-serif';

/** A call with its place in the picture, in shares of the whole. */
export interface Bar {
  call: FlameCall;
  index: number;
  depth: number;
  from: number;
  /** Indices of what it calls. */
  calls: number[];
}

/** The bars of a call tree in the order of the calls; callers stand before the called. */
export function layout(calls: FlameCall[]): Bar[] {
  const bars: Bar[] = [];
  const used: number[] = [];
  for (const [index, call] of calls.entries()) {
    const caller = call.caller === null ? undefined : bars[call.caller];
    const from = caller ? (used[caller.index] ?? caller.from) : 0;
    bars.push({ call, index, depth: caller ? caller.depth + 1 : 0, from, calls: [] });
    used[index] = from;
    if (caller) {
      caller.calls.push(index);
      used[caller.index] = from + call.share;
    }
  }
  return bars;
}

/** Share of the time in calls that match, each moment counted once. */
export function matchedShare(bars: Bar[], query: string): number {
  const inside: boolean[] = [];
  let sum = 0;
  for (const { call, index } of bars) {
    const above = call.caller !== null && inside[call.caller] === true;
    const here = matches(call, query);
    if (here && !above) sum += call.share;
    inside[index] = above || here;
  }
  return sum;
}

/** Whether name or place of a call hold what is searched; nothing matches an empty search. */
export function matches(call: FlameCall, query: string): boolean {
  const wanted = query.trim().toLowerCase();
  return wanted !== '' && `${call.function} ${call.place}`.toLowerCase().includes(wanted);
}

/** What a call is, in words. */
export const describe = ({ function: name, place, share, self_share }: FlameCall): string =>
  words.described(name || words.anonymous, place, share, self_share);

/** Which bar an arrow key leads to. */
export function neighbour(bars: Bar[], from: number, key: string): number {
  const bar = bars[from];
  if (!bar) return from;
  const callers = bar.call.caller;
  const siblings = callers === null ? [from] : (bars[callers]?.calls ?? []);
  const at = siblings.indexOf(from);
  const to = {
    ArrowUp: callers,
    ArrowDown: widest(bars, bar.calls),
    ArrowLeft: siblings[at - 1],
    ArrowRight: siblings[at + 1],
  }[key];
  return to ?? from;
}

function widest(bars: Bar[], among: number[]): number | undefined {
  return [...among].sort((a, b) => (bars[b]?.call.share ?? 0) - (bars[a]?.call.share ?? 0))[0];
}

/** Draws the calls into `place` and lets mouse and keyboard select them. */
export function flameGraph(place: HTMLElement, calls: FlameCall[]): void {
  const bars = layout(calls);
  const canvas = document.createElement('canvas');
  const search = document.createElement('input');
  const said = document.createElement('p');
  const found = document.createElement('span');
  const head = document.createElement('div');
  canvas.tabIndex = 0;
  canvas.setAttribute('role', 'application');
  canvas.setAttribute('aria-label', words.label);
  search.type = 'search';
  search.placeholder = words.searched;
  search.setAttribute('aria-label', words.search);
  said.setAttribute('aria-live', 'polite');
  head.className = 'flame-head';
  head.append(search, found);
  place.replaceChildren(head, canvas, said);
  let zoomed = 0;
  let selected = 0;

  const scale = () => {
    const root = bars[zoomed];
    return { from: root?.from ?? 0, share: Math.max(root?.call.share ?? 1, 1e-9) };
  };
  const draw = () => {
    const width = Math.max(240, Math.floor(place.clientWidth));
    const { from, share } = scale();
    const visible = bars.filter((bar) => bar.from < from + share && bar.from + bar.call.share > from);
    const rows = Math.max(...visible.map((bar) => bar.depth), 0) + 1;
    const density = devicePixelRatio || 1;
    canvas.width = width * density;
    canvas.height = rows * ROW * density;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${rows * ROW}px`;
    const context = canvas.getContext('2d');
    if (!context) return;
    const style = getComputedStyle(place);
    context.scale(density, density);
    context.font = LETTERS;
    context.textBaseline = 'middle';
    for (const bar of visible) {
      const left = Math.max(0, ((bar.from - from) / share) * width);
      const right = Math.min(width, ((bar.from + bar.call.share - from) / share) * width);
      if (right - left < 0.5) continue;
      const marked = matches(bar.call, search.value);
      context.globalAlpha = search.value.trim() === '' || marked ? 1 : 0.35;
      context.fillStyle = style.getPropertyValue(`--flame-${bar.call.class}`) || '#999';
      context.fillRect(left, bar.depth * ROW, Math.max(0.5, right - left - 1), ROW - 1);
      context.fillStyle = style.getPropertyValue('--flame-ink');
      if (right - left > 30) text(context, bar.call.function || words.anonymous, left, right, bar.depth);
      context.globalAlpha = 1;
      if (bar.index === selected) {
        context.lineWidth = 2;
        context.strokeStyle = style.getPropertyValue('--ink');
        context.strokeRect(left + 1, bar.depth * ROW + 1, Math.max(1, right - left - 3), ROW - 3);
      }
    }
    const chosen = bars[selected];
    said.textContent = chosen ? describe(chosen.call) : '';
    found.textContent = search.value.trim() === '' ? '' : words.found(matchedShare(bars, search.value));
  };
  const at = (event: MouseEvent): Bar | undefined => {
    const box = canvas.getBoundingClientRect();
    const { from, share } = scale();
    const x = from + ((event.clientX - box.left) / box.width) * share;
    const depth = Math.floor((event.clientY - box.top) / ROW);
    return bars.find((bar) => bar.depth === depth && bar.from <= x && x < bar.from + bar.call.share);
  };
  const select = (index: number, zoom: boolean) => {
    selected = index;
    if (zoom) zoomed = index;
    draw();
  };

  canvas.addEventListener('mousemove', (event) => {
    const bar = at(event);
    if (bar && bar.index !== selected) select(bar.index, false);
  });
  canvas.addEventListener('click', (event) => {
    const bar = at(event);
    if (bar) select(bar.index, true);
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') select(0, true);
    else if (event.key === 'Enter') select(selected, true);
    else if (event.key.startsWith('Arrow')) select(neighbour(bars, selected, event.key), false);
    else return;
    event.preventDefault();
  });
  search.addEventListener('input', draw);
  new ResizeObserver(draw).observe(place);
  draw();
}

function text(context: CanvasRenderingContext2D, name: string, left: number, right: number, depth: number) {
  context.save();
  context.beginPath();
  context.rect(left, depth * ROW, right - left - 4, ROW);
  context.clip();
  context.fillText(name, left + 4, depth * ROW + ROW / 2);
  context.restore();
}
