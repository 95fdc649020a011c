// @ts-check
/** Whether a load line is high enough, as far as its interval says. */

/** @import { Findings } from './index.js' */

/**
 * What an interval says of a rate.
 *
 * @param {Pick<Findings, 'verdict' | 'headline' | 'load_line'>} findings
 * @param {number} atLeast
 * @param {number} tolerance
 * @returns {'carries' | 'falls short' | 'unknown'}
 */
export function decide({ verdict, headline, load_line: line }, atLeast, tolerance) {
  if (line && verdict === 'passed') {
    if ((line.interval_high_per_s ?? Number.POSITIVE_INFINITY) < atLeast) return 'falls short';
    return line.interval_low_per_s < atLeast * (1 - tolerance) ? 'unknown' : 'carries';
  }
  // Not even the lowest rate that was tried passed.
  const lowest =
    verdict === 'breached' && headline.code === 'no_load_line' ? headline.lowest_per_s : undefined;
  return lowest != null && lowest <= atLeast ? 'falls short' : 'unknown';
}
