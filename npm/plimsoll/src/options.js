// @ts-check
/** Options of a call as those of the command line. What may be a secret has none: it belongs into the plan. */

/**
 * Options of every command. Names are those of the command line in camel case, and so are the values: durations such as `'30s'`,
 * rates such as `500` or `'500/s'`, shares such as `'5%'`.
 *
 * @typedef {object} Options
 * @property {AbortSignal} [signal] ends the run as Ctrl-C does: with what was measured until then
 * @property {string} [cwd] where the service is started, and what paths are relative to
 * @property {NodeJS.ProcessEnv} [env] environment of plimsoll and of the service; a plan finds `${env.NAME}` in it
 * @property {string} [runsDir] keep run directories here; `runs` unless set
 * @property {string} [junit] write a JUnit XML report to this file
 * @property {string} [markdown] write a Markdown summary to this file
 * @property {number} [connections]
 * @property {number} [threads] of the generator
 * @property {string} [timeout]
 * @property {string} [targetCpus] pin the service to these cores, such as `'0,2-3'`
 * @property {string} [generatorCpus]
 * @property {number} [seed]
 */

/**
 * @typedef {object} SearchOptions
 * @property {string | string[]} [objective] such as `'p99 <= 100ms'`; replaces those of the plan
 * @property {string} [budget] end the search after this time
 * @property {string | number} [bracket] narrow the bracket to this share of the load line, such as `'5%'`
 * @property {'rate' | 'users' | 'connections'} [in] what is searched: arrivals per second, users at a time, or connections that are held
 * @property {string} [thinkTime] pause of a user at a time between a response and its next request
 * @property {string | number} [start] offer this first
 * @property {string | number} [max] never offer more
 * @property {string} [step] hold each judged step for this time
 */

/**
 * @typedef {object} SizingOptions
 * @property {string | number} [demand] say how many instances carry this rate together, in `findings.sizing`
 * @property {string} [headroom] share of the load line kept free in each; `'30%'` unless set
 * @property {string} [price] of an instance per hour, such as `'0.12/h'` or `'0.12 EUR/h'`
 */

/**
 * @typedef {object} LoadOptions
 * @property {string | string[]} [objective]
 * @property {string | number} [rate]
 * @property {string | string[]} [stage] such as `'30s:1000'`
 * @property {string} [duration]
 * @property {boolean} [poisson]
 * @property {number} [requests] closed model
 * @property {string} [thinkTime] closed model
 */

/**
 * @typedef {object} PassOptions
 * @property {string | string[]} [objective]
 * @property {string | number} [rate] of each pass; 70 % of the load line unless set, which is searched first
 * @property {string} [duration] of each pass
 * @property {string} [warmUp]
 * @property {string} [budget] of the search
 * @property {boolean} [packageMaps]
 * @property {string | string[]} [whatIf] leave this out of the service and measure what that gives; `'causes'` takes the first causes
 * @property {string} [whatIfBudget]
 */

/**
 * @typedef {object} VariantOptions
 * @property {string} [rev] git revisions, such as `'main..HEAD'`; a single one is compared with the working tree
 * @property {string} [setup] run this in the checkout of each revision, such as `'npm ci'`
 * @property {string | string[]} [without] compare the service with itself without this
 * @property {string} [diagnosis] run directory of a diagnosis: its prediction is shown beside the outcome
 * @property {string} [fixed] the line that was fixed, as the diagnosis names it
 * @property {string | number} [failIfWorse] sets `failed` if a judged metric is worse by more than this
 * @property {number} [rounds] of each variant
 * @property {boolean} [loadLine] search the load line in each round
 * @property {string | number} [rate]
 * @property {string} [duration] judged part of a round
 * @property {string} [warmUp]
 * @property {boolean} [closed]
 * @property {boolean} [poisson]
 * @property {string | string[]} [objective]
 */

/** @typedef {Options & SearchOptions & SizingOptions} CapacityOptions */
/** @typedef {Options & LoadOptions} RunOptions */
/** @typedef {Options & PassOptions} DiagnoseOptions */
/** @typedef {Options & VariantOptions} CompareOptions */
/** @typedef {'capacity' | 'run' | 'diagnose' | 'compare'} Command */

/** @param {string} names */
const words = (names) => names.split(/\s+/);

const COMMON = words(
  'runsDir junit markdown connections threads timeout targetCpus generatorCpus seed objective',
);

/** What each command takes. @type {Record<Command, string[]>} */
export const OPTIONS = {
  capacity: [...COMMON, ...words('budget bracket in thinkTime start max step demand headroom price')],
  run: [...COMMON, ...words('rate stage duration poisson requests thinkTime')],
  diagnose: [...COMMON, ...words('rate duration warmUp budget packageMaps whatIf whatIfBudget')],
  compare: [
    ...COMMON,
    ...words(
      'rev setup without diagnosis fixed failIfWorse rounds loadLine rate duration warmUp closed poisson',
    ),
  ],
};

/** @param {Command} command @param {Record<string, unknown>} options @returns {string[]} */
export function argumentsOf(command, options) {
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (!OPTIONS[command].includes(name))
      throw new TypeError(`${command} has no option ${name}; it has ${OPTIONS[command].join(', ')}`);
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    // In one word, so that no value is taken for an option.
    return [value].flat().map((each) => `${flag}=${each}`);
  });
}
