// @ts-check
/** Whether a load line is high enough, as far as its interval says. */

/** @import { Findings } from './index.js' */

/** @typedef {Pick<Findings, 'verdict' | 'headline' | 'load_line'>} Judged */

/** Units of a search that is not in a rate. */
export const USERS = 'users at a time';
export const CONNECTIONS = 'connections';

/**
 * What was searched, and in which words its numbers are: users at a time, connections that are held, or a rate of requests or of users on journeys.
 *
 * @param {Judged} findings
 * @returns {{ unit: string, line?: number, low?: number, high?: number | null, lowest?: number | null }}
 */
export function searched({ headline, load_line: line }) {
  const none = headline.code === 'no_load_line' ? headline : undefined;
  if (line?.concurrent || none?.lowest_users != null) {
    const { users, interval_low: low, interval_high: high } = line?.concurrent ?? {};
    return { unit: USERS, line: users, low, high, lowest: none?.lowest_users };
  }
  if (line?.held || none?.lowest_connections != null) {
    const { connections, interval_low: low, interval_high: high } = line?.held ?? {};
    return { unit: CONNECTIONS, line: connections, low, high, lowest: none?.lowest_connections };
  }
  const { rate_per_s, interval_low_per_s: low, interval_high_per_s: high } = line ?? {};
  const unit = (line?.users ?? none?.users) ? 'users/s' : 'req/s';
  return { unit, line: rate_per_s, low, high, lowest: none?.lowest_per_s };
}

/**
 * What an interval says of a rate, or of a number of users or connections at a time.
 *
 * @param {Judged} findings
 * @param {number} atLeast
 * @param {number} tolerance
 * @returns {'carries' | 'falls short' | 'unknown'}
 */
export function decide(findings, atLeast, tolerance) {
  const { low, high, lowest } = searched(findings);
  if (low !== undefined && findings.verdict === 'passed') {
    if ((high ?? Number.POSITIVE_INFINITY) < atLeast) return 'falls short';
    return low < atLeast * (1 - tolerance) ? 'unknown' : 'carries';
  }
  // Not even the least that was tried passed.
  return findings.verdict === 'breached' && lowest != null && lowest <= atLeast ? 'falls short' : 'unknown';
}
