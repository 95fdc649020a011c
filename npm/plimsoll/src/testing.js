// @ts-check
/**
 * Assertions about capacity for node:test, Vitest and their like.
 *
 * The interval of a measurement decides, not its middle: what is certainly too low fails. A capacity that is not certain either way is
 * an `InconclusiveError`, and neither passes; a regression has to be certain, and what few rounds cannot see passes.
 */

import { AssertionError } from 'node:assert';
import { CONNECTIONS, decide, searched, USERS } from './decide.js';
import { InconclusiveError } from './errors.js';
import { capacity, compare, run } from './index.js';

export { AbortError, InconclusiveError, PlimsollError } from './errors.js';

/** @import { CapacityOptions, Comparison, CompareOptions, Findings, PlanSource, RunOptions, Session } from './index.js' */

/**
 * A time limit for a test with one assertion about capacity: the budget of its search, and what starting and stopping a service may take.
 */
export const CAPACITY_TIMEOUT_MS = 120_000;

/** A search that only has to decide needs less time than one that places the line closely. */
const BUDGET = '60s';
/** The search goes this much farther than asked for, so that a line right above is told from one right below. */
const MARGIN = 1.25;
/** How far below `atLeast` the interval may begin. */
const TOLERANCE = 0.2;

/**
 * @typedef {object} AtLeast
 * @property {number} atLeast requests per second at which every objective has to hold; with `in: 'users'`, users at a time, and with `in: 'connections'`, connections that are held
 * @property {number} [tolerance] how far below `atLeast` the interval may begin, as a share of it; 0.2 unless set, and 0 asks for proof
 */

/**
 * Fails unless the service carries `atLeast` requests per second, or users at a time, within its objectives.
 *
 * - **fails** with an `AssertionError` where the whole interval of the load line lies below `atLeast`;
 * - **passes** where it reaches `atLeast` and begins no further below it than `tolerance`;
 * - throws an **`InconclusiveError`** otherwise: the interval is too wide to tell, or the measurement is invalid.
 *
 * So a service whose load line is lower than `atLeast` by more than `tolerance` does not pass, with the confidence of the interval (95 %).
 *
 * @param {PlanSource} plan
 * @param {AtLeast & CapacityOptions} options
 * @returns {Promise<Findings>}
 */
export async function assertCapacity(plan, { atLeast, tolerance = TOLERANCE, ...options }) {
  if (!(atLeast > 0)) throw new TypeError(`atLeast has to be a number above 0, found ${atLeast}`);
  if (!(tolerance >= 0 && tolerance < 1))
    throw new TypeError(`tolerance has to be a share from 0 to less than 1, found ${tolerance}`);
  const session = capacity(plan, { ...bounds(plan, atLeast), ...options });
  const findings = await session;
  const { unit, line } = searched(findings);
  const wanted = `expected a load line of at least ${atLeast} ${unitOf(plan, options) ?? unit}`;
  switch (decide(findings, atLeast, tolerance)) {
    case 'carries':
      return findings;
    case 'falls short':
      throw assertion(assertCapacity, wanted, session, findings, line ?? 0, atLeast);
    default:
      throw unknown(wanted, session, findings);
  }
}

/**
 * Fails unless every objective of the plan holds under its load.
 *
 * @param {PlanSource} plan
 * @param {RunOptions} [options]
 * @returns {Promise<Findings>}
 */
export async function assertObjectives(plan, options = {}) {
  const session = run(plan, options);
  const findings = await session;
  const wanted = 'expected every objective to hold';
  if (findings.verdict === 'passed') return findings;
  if (findings.verdict !== 'breached') throw unknown(wanted, session, findings);
  const broken = findings.objectives.filter(({ passed }) => passed === false);
  const names = broken.map(({ objective }) => objective.text);
  throw assertion(assertObjectives, wanted, session, findings, names, []);
}

/**
 * Fails if a variant is worse than the first one beyond doubt, and by more than `failIfWorse`. It passes as well where the rounds are too
 * few, or the machine too noisy, to see so much: `headline.bound` of what it returns says which difference is ruled out.
 *
 * @param {PlanSource | PlanSource[]} plans
 * @param {CompareOptions & { failIfWorse: string | number }} options such as `{ rev: 'main', failIfWorse: '5%' }`
 * @returns {Promise<Comparison>}
 */
export async function assertNoRegression(plans, options) {
  // Without it nothing is judged, and nothing fails.
  if (options?.failIfWorse == null)
    throw new TypeError(
      `failIfWorse has to be the share that is forgiven, such as '5%', found ${options?.failIfWorse}`,
    );
  const session = compare(plans, options);
  const comparison = await session;
  const wanted = `expected no judged metric to be worse by more than ${options.failIfWorse}`;
  if (comparison.failed)
    throw assertion(assertNoRegression, wanted, session, comparison, comparison.verdict, 'no_difference');
  if (comparison.verdict === 'invalid') throw unknown(wanted, session, comparison);
  return comparison;
}

/** What is counted, where it is asked for; findings without a line do not say it. @param {PlanSource} plan @param {CapacityOptions} options */
function unitOf(plan, options) {
  const search = (typeof plan === 'object' && 'target' in plan && plan.search) || {};
  switch (options.in ?? search.in) {
    case 'users':
      return USERS;
    case 'connections':
      return CONNECTIONS;
    default:
      return undefined;
  }
}

/** Where a search begins and ends that only has to decide; a plan in a file has its own. @param {PlanSource} plan @param {number} atLeast */
function bounds(plan, atLeast) {
  if (typeof plan === 'string' && !plan.includes('://')) return {};
  const search = (typeof plan === 'object' && 'target' in plan && plan.search) || {};
  return {
    budget: search.budget === undefined ? BUDGET : undefined,
    start: search.start === undefined ? Math.max(1, Math.floor(atLeast / 2)) : undefined,
    max: search.max === undefined ? Math.ceil(atLeast * MARGIN) : undefined,
  };
}

/**
 * @param {Function} stackStartFn
 * @param {string} wanted
 * @param {Session<any>} session
 * @param {Findings | Comparison} findings
 * @param {unknown} actual
 * @param {unknown} expected
 */
function assertion(stackStartFn, wanted, session, findings, actual, expected) {
  const message = told(wanted, session, findings);
  const { name: operator } = stackStartFn;
  return Object.assign(new AssertionError({ message, actual, expected, operator, stackStartFn }), {
    directory: session.directory,
  });
}

/** @param {string} wanted @param {Session<any>} session @param {Findings | Comparison} findings */
function unknown(wanted, session, findings) {
  return new InconclusiveError(told(`${wanted}; the measurement is inconclusive`, session, findings), {
    directory: session.directory,
    findings,
  });
}

/** What was expected, and what the program says of what it found. @param {string} wanted @param {Session<any>} session @param {Findings | Comparison} findings */
function told(wanted, session, findings) {
  const line = 'load_line' in findings ? findings.load_line : undefined;
  const lines = [
    wanted,
    findings.headline.text,
    line && `interval: ${line.interval_text}`,
    `next: ${findings.next_step.text}`,
    `report: ${session.directory}/report.html`,
  ];
  return lines.filter(Boolean).join('\n  ');
}
