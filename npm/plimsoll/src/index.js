// @ts-check
/**
 * plimsoll from JavaScript: plans in, findings out. The program measures and judges; nothing here does either.
 *
 * A session is a promise of the findings and an iterable of what happens meanwhile:
 *
 *     const session = capacity(plan);
 *     for await (const event of session) console.error(event.text);
 *     const findings = await session;
 */

import { argumentsOf } from './options.js';
import { given, givenAll } from './plan.js';
import { printed } from './program.js';
import { launch } from './session.js';

export { AbortError, PlimsollError } from './errors.js';

/** @typedef {import('./types/plan.js').Plan} Plan */
/** @typedef {import('./types/results.js').Findings} Findings */
/** @typedef {import('./types/results.js').Comparison} Comparison */
/** @typedef {import('./types/results.js').Event} ProgressEvent */
/** @typedef {import('./plan.js').Target} Target */
/** @typedef {import('./plan.js').PlanSource} PlanSource */
/** @typedef {import('./program.js').Place} Place */
/** @typedef {import('./options.js').Options} Options */
/** @typedef {import('./options.js').CapacityOptions} CapacityOptions */
/** @typedef {import('./options.js').RunOptions} RunOptions */
/** @typedef {import('./options.js').DiagnoseOptions} DiagnoseOptions */
/** @typedef {import('./options.js').CompareOptions} CompareOptions */
/**
 * @template {Findings | Comparison} Result
 * @typedef {import('./session.js').Session<Result>} Session
 */

/**
 * Finds the load line: the highest rate at which every objective holds.
 *
 * @param {PlanSource} plan
 * @param {CapacityOptions} [options]
 * @returns {Session<Findings>}
 */
export function capacity(plan, options = {}) {
  return begin('capacity', options, (cwd) => given(plan, cwd));
}

/**
 * Runs the load of a plan and judges its objectives.
 *
 * @param {PlanSource} plan
 * @param {RunOptions} [options]
 * @returns {Session<Findings>}
 */
export function run(plan, options = {}) {
  return begin('run', options, (cwd) => given(plan, cwd));
}

/**
 * Explains what limits the service: ranked causes with file and line, in `findings.diagnosis`.
 *
 * @param {PlanSource} plan
 * @param {DiagnoseOptions} [options]
 * @returns {Session<Findings>}
 */
export function diagnose(plan, options = {}) {
  return begin('diagnose', options, (cwd) => given(plan, cwd));
}

/**
 * Compares variants of a service: several plans, or one plan and what differs (`rev`, `without`).
 *
 * @param {PlanSource | PlanSource[]} plans
 * @param {CompareOptions} [options]
 * @returns {Session<Comparison>}
 */
export function compare(plans, options = {}) {
  return begin('compare', options, (cwd) => givenAll(Array.isArray(plans) ? plans : [plans], cwd));
}

/**
 * Reads a plan without running it.
 *
 * @param {PlanSource} plan
 * @param {Place} [place]
 * @returns {Promise<Plan>} the plan with its defaults, without what may be a secret
 */
export async function validate(plan, { cwd = process.cwd(), ...place } = {}) {
  const { args, input } = given(plan, cwd);
  return JSON.parse(await printed(['validate', ...args], { cwd, input, ...place }));
}

/**
 * What a run directory holds, as Markdown of at most 4 kB: what it came to, where that comes from, and how a fix is proven.
 *
 * @param {string} directory
 * @param {Place} [place]
 * @returns {Promise<string>}
 */
export function brief(directory, place) {
  return printed(['report', '--brief', directory.startsWith('-') ? `./${directory}` : directory], place);
}

/**
 * @template {Findings | Comparison} Result
 * @param {import('./options.js').Command} command
 * @param {Options} options
 * @param {(cwd: string) => import('./plan.js').Given} give
 * @returns {Session<Result>}
 */
function begin(command, { cwd = process.cwd(), env = process.env, signal, ...options }, give) {
  const flags = argumentsOf(command, options);
  const plan = give(cwd);
  return launch({
    args: [command, ...flags, '--json', '--progress=json', ...plan.args],
    plan,
    cwd,
    env,
    signal,
  });
}
