/**
 * The words of what only this page has: the axes of its charts, the figures beside a cursor, and what is said to those who use
 * them without seeing or without a mouse. All other words come with what the page is given.
 */

import * as figures from './figures.ts';
import type { Condition, Findings } from './findings.ts';

export const nothingHere = 'This page holds no findings. plimsoll writes it with those of a run.';

/** What the cursor of each chart moves over. */
export const chartNames: Record<string, string> = {
  'load-line': 'Steps by offered rate',
  curve: 'Response time by percentile',
  timeline: 'The run over time',
  changes: 'Changes by metric',
  scaling: 'Throughput by size',
};

export const slider = {
  label: (chart: string) => `${chart}: arrow keys step through the figures`,
  nothing: 'no figures',
};

/** Names of lines and of the figures beside a cursor. */
export const names = {
  change: 'change',
  completed: 'completed',
  cpu: 'CPU',
  broke: 'broke',
  detectable: 'detectable',
  dropped: 'dropped',
  efficiency: 'efficiency',
  errors: 'errors',
  fittedLaw: 'fitted law',
  goodput: 'goodput',
  interval: 'interval',
  law: 'law',
  memory: 'memory',
  offered: 'offered',
  p50: 'p50',
  p99: 'p99',
  responseTime: 'response time',
  serviceTime: 'service time',
  slower: 'slower than that',
  step: 'step',
  throttled: 'throttled',
  users: 'users',
  variant: 'variant',
  why: 'why',
};

export const axes = {
  change: 'change against the first variant',
  offered: 'offered rate, requests per second',
  users: 'users at a time',
  connections: 'connections held',
  percentile: 'percentile of the requests',
  perSecond: 'req/s',
  time: 'time since the beginning',
};

export const panels = {
  cpu: 'CPU of the service',
  errorsPerSecond: 'Errors per second',
  memory: 'Memory, resident',
  p99: 'Response time, p99',
  requestsPerSecond: 'Requests per second',
  requestsPerSecondShort: 'Requests/s',
  responseTime: 'Response time',
  users: 'Users at a time',
};

/** A label of figures about requests, in the words of what the service was asked by. */
export function asked(findings: Pick<Findings, 'openings' | 'diagnosis'>, label: string): string {
  if (!findings.openings && !findings.diagnosis?.by_message) return label;
  return label
    .replaceAll('requests', 'messages')
    .replaceAll('Requests', 'Messages')
    .replaceAll('req/s', 'msg/s');
}

/** The panel of an objective. */
export function panelOf({
  quantity,
  quantile,
  request,
  zone,
}: Pick<Condition, 'quantity' | 'quantile' | 'request' | 'zone'>): string {
  const of = zone ? ` in ${zone}` : request ? ` of ${request}` : '';
  switch (quantity) {
    case 'cpu':
      return panels.cpu;
    case 'errors':
      return `Errors${of}`;
    case 'achieved_rate':
      return `Completed of scheduled${of}`;
    case 'response_time':
      return `Response time${of}, ${figures.quantile(quantile ?? 1)}`;
    case 'handshake_time':
      return `TLS handshake, ${figures.quantile(quantile ?? 1)}`;
    case 'opening_time':
      return `Opening, ${figures.quantile(quantile ?? 1)}`;
    case 'journey_time':
      return `Journey time${of}, ${figures.quantile(quantile ?? 1)}`;
    case 'journey_failed':
      return `Journeys that failed${of}`;
    case 'message_time':
      return `Message time, ${figures.quantile(quantile ?? 1)}`;
    case 'held':
      return 'Connections held';
    case 'loop_delay':
      return `Loop delay, ${figures.quantile(quantile ?? 1)}`;
    case 'memory':
      return panels.memory;
    case 'throttled':
      return 'Throttled';
  }
}

export const loadLine = (perSecond: number): string => `load line ${figures.number(perSecond)}`;
export const offeredRate = (perSecond: number): string => `${figures.rate(perSecond)} offered`;
export const users = (number: number): string => `${figures.count(number)} users`;
export const connections = (number: number): string => `${figures.count(number)} connections`;
export const offeredUsers = (number: number): string => `${users(number)} at a time`;
export const range = (low: string, high: string): string => `${low} to ${high}`;
export const oneIn = (others: number): string => `1 in ${figures.number(others)}`;
export const stepName = (step: number): string => `step ${step + 1}`;
export const perSecond = (figure: string): string => `${figure} /s`;

/** A time of the cursor. */
export function moment(from: string, to: string, step: number | null, judged: boolean): string {
  const of = step === null ? '' : `, ${stepName(step)}`;
  return `${range(from, to)}${of}${judged ? '' : ', not judged'}`;
}

/** What a chart shows, for those who do not see it. */
export const summaries = {
  changes: (rows: number) => `Change of ${rows} metrics with their intervals`,
  curve: (points: [string, string][]) =>
    `Response time by percentile: ${points.map(([quantile, time]) => `${quantile} ${time}`).join(', ')}.`,
  loadLine: (tried: number, passed: number, breached: number, line: string | null) =>
    `Steps by what was offered: ${tried} tried, ${passed} passed, ${breached} breached${
      line === null ? '' : `; the load line is at ${line}`
    }. The table below holds every figure.`,
  scaling: (of: string, points: [number, number][]) =>
    `Throughput by ${of}: ${points.map(([size, perSecond]) => `${size} ${figures.rate(perSecond)}`).join(', ')}.`,
  timeline: (length: number, panels: string[]) =>
    `The run over ${figures.elapsed(length)}: ${panels.map((panel) => panel.toLowerCase()).join(', ')}.`,
};

/** The call tree. */
export const calls = {
  label: 'Call tree. Arrows move, Enter zooms, Escape shows all.',
  search: 'Search calls',
  searched: 'Function, file or package',
  anonymous: '(anonymous)',
  found: (share: number) => `${figures.share(share)} of the time`,
  described: (name: string, place: string, share: number, own: number) =>
    `${name}${place ? ` at ${place}` : ''}: ${figures.share(share)}, ${figures.share(own)} in itself`,
};
