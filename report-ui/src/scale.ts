/** From values to pixels, and which values deserve a tick. */

export interface Scale {
  /** Pixel of a value; values outside the domain are held at its ends. */
  at(value: number): number;
  /** About `wanted` values worth a tick, ascending. */
  ticks(wanted: number): number[];
}

type Range = readonly [number, number];

/** Even distances for even differences. */
export function linear(domain: Range, range: Range): Scale {
  const [low, high] = widened(domain);
  return {
    at: (value) => between(range, (value - low) / (high - low)),
    ticks: (wanted) => roundSteps(low, high, roundStep((high - low) / Math.max(wanted, 1))),
  };
}

/** Even distances for even ratios. What is not above zero stands at the lower end. */
export function logarithmic(domain: Range, range: Range): Scale {
  const [low, high] = widened([Math.log10(domain[0]), Math.log10(domain[1])]);
  return {
    at: (value) => between(range, value > 0 ? (Math.log10(value) - low) / (high - low) : 0),
    ticks: (wanted) => logarithmicTicks(low, high, wanted),
  };
}

/**
 * A quantile by how rarely it is exceeded: 0, 0.9, 0.99 and so on stand at even distances, as in the percentile plots
 * of HdrHistogram.
 */
export function quantile(highest: number, range: Range): Scale {
  const last = Math.max(nines(highest), 1);
  return {
    at: (value) => between(range, nines(value) / last),
    ticks: () => [0, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999].filter((q) => nines(q) <= last + 1e-9),
  };
}

/** Seconds, with ticks at times that people count in. */
export function time(domain: Range, range: Range): Scale {
  const [low, high] = widened(domain);
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400];
  return {
    at: linear(domain, range).at,
    ticks: (wanted) => {
      const least = (high - low) / Math.max(wanted, 1);
      return roundSteps(low, high, steps.find((step) => step >= least) ?? roundStep(least));
    },
  };
}

/** Least and greatest of the values that are numbers; null when there is none. */
export function extent(values: Iterable<number | null | undefined>): [number, number] | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value == null || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : null;
}

/** How many nines: 0.99 has two. */
function nines(value: number): number {
  return -Math.log10(Math.max(1 - value, 1e-9));
}

function between([from, to]: Range, share: number): number {
  return from + (to - from) * Math.min(Math.max(share, 0), 1);
}

/** A domain with a width, also where all values are the same. */
function widened([low, high]: Range): Range {
  return high > low ? [low, high] : [low, low + (Math.abs(low) || 1)];
}

/** The nearest of 1, 2, 5, 10, … that is not less. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least * 0.999) ?? 10) * power;
}

function roundSteps(low: number, high: number, step: number): number[] {
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) {
    ticks.push(Number.parseFloat((n * step).toPrecision(12)));
  }
  return ticks;
}

function logarithmicTicks(low: number, high: number, wanted: number): number[] {
  const inside = (factors: number[], every: number) => {
    const ticks: number[] = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
      if (power % every !== 0) continue;
      for (const factor of factors) {
        const position = power + Math.log10(factor);
        if (position >= low - 1e-9 && position <= high + 1e-9) {
          ticks.push(Number.parseFloat((factor * 10 ** power).toPrecision(12)));
        }
      }
    }
    return ticks;
  };
  const decades = Math.max(high - low, 0.1);
  if (decades * 3 <= wanted + 1) return inside([1, 2, 5], 1);
  return inside([1], Math.max(1, Math.ceil(decades / Math.max(wanted, 1))));
}
