/**
 * Figures as people read them: three significant digits, a unit that suits the size, thousands apart.
 * The same rules as crates/report/src/figures.rs; both are tested against the same files, crates/report/tests/figures*.json.
 */

import type { Unit } from './shared.ts';

/** What stands for a figure that is not known. */
export const unknown = '-';

/** An exact number: `1,234,567`. */
export function count(value: number): string {
  return BigInt(Math.round(value))
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** A figure without a unit: whole from 100 on, three significant digits below. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size >= 99.95) return sign + count(size);
  return sign + trim(fixed(size, size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3));
}

/** A rate: `4,870 req/s`. */
export const rate = (perSecond: number): string => `${number(perSecond)} req/s`;

/** A duration given in milliseconds, in µs, ms or s. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '-';
  const size = Math.abs(ms);
  if (size === 0) return '0 ms';
  if (size < 0.9995) return `${significant(ms * 1e3)} µs`;
  if (size < 999.5) return `${significant(ms)} ms`;
  return `${significant(ms / 1e3)} s`;
}

/** The length of a run: `8.4 s`, `1 min 24 s`, `2 h 5 min`. */
export function elapsed(seconds: number): string {
  if (!Number.isFinite(seconds)) return '-';
  if (seconds < 9.95) return `${trim(fixed(seconds, 1))} s`;
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (h > 0) return m > 0 ? `${count(h)} h ${m} min` : `${count(h)} h`;
  if (m > 0) return s > 0 ? `${m} min ${s} s` : `${m} min`;
  return `${s} s`;
}

/** A share of 1 in per cent. What is not quite all or not quite nothing never rounds to it. */
export function share(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const percent = value * 100;
  if (percent === 0) return '0%';
  if (percent > 0 && percent < 0.0005) return '<0.001%';
  if (percent >= 99.95 && percent < 100) return '>99.9%';
  return `${trim(fixed(percent, percent < 0.0995 ? 3 : percent < 9.995 ? 2 : 1))}%`;
}

/** A change by a share of 1 in per cent, with its sign and one decimal: `+12.1%`. */
export function signedShare(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const text = fixed(value * 100, 1);
  if (text === '0.0' || text === '-0.0') return '0.0%';
  return `${value > 0 ? '+' : ''}${text}%`;
}

/** Bytes in binary units. */
export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let size = value / 1024;
  let unit = 0;
  while (size >= 999.5 && unit + 1 < units.length) {
    size /= 1024;
    unit += 1;
  }
  return `${significant(size)} ${units[unit]}`;
}

/** A figure without a unit that may be far below 1: three significant digits down to a millionth. */
export function small(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || size >= 0.0995 || !Number.isFinite(value)) return number(value);
  const zeros = Math.min(Math.max(Math.floor(-Math.log10(size)), 0), 12);
  return trim(fixed(value, zeros + 3));
}

/** A figure in its unit. */
export function inUnit(value: number, unit: Unit): string {
  switch (unit) {
    case 'us':
      return duration(value / 1e3);
    case 'ms':
      return duration(value);
    case 'bytes':
      return bytes(Math.floor(value));
    case 'share':
      return share(value);
    case 'per_s':
      return rate(value);
    case 'users_per_s':
      return `${number(value)} users/s`;
    case 'users':
      return `${number(Math.round(value))} users`;
    case 'connections':
      return `${number(Math.round(value))} connections`;
    case 'number':
      return small(value);
  }
}

/** `p99.9`; the greatest is `max`. */
export const quantile = (of: number): string =>
  of < 1 ? `p${Number.parseFloat((of * 100).toFixed(4))}` : 'max';

/** `draw(value)`, or a dash where there is no value. */
export function orDash(value: number | null | undefined, draw: (value: number) => string): string {
  return value == null ? unknown : draw(value);
}

/** As `toFixed`, but of two that are as near it takes the even one, as Rust does. */
function fixed(value: number, decimals: number): string {
  const nearest = value.toFixed(decimals);
  // All decimals: no double of a size to be shown has more.
  const exact = value.toFixed(100);
  const end = exact.indexOf('.') + 1 + decimals;
  const isOdd = '13579'.includes(nearest.at(-1) ?? '');
  return isOdd && /^50*$/.test(exact.slice(end)) ? exact.slice(0, end) : nearest;
}

function significant(value: number): string {
  const size = Math.abs(value);
  return size >= 99.95 ? number(value) : fixed(value, size >= 9.995 ? 1 : 2);
}

function trim(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
