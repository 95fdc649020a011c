// @ts-check
/** What coding assistants may ask for: one measurement at a time, of this machine, and not for ever. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AbortError, PlimsollError } from './errors.js';
import { brief, capacity, compare, diagnose, validate } from './index.js';
import { printed } from './program.js';
import { refuseOthers } from './reach.js';
import * as z from './vendor/mcp-sdk.js';

/** @import { Comparison, Findings, PlanSource, ProgressEvent, Session } from './index.js' */

/**
 * @typedef {object} Reach
 * @property {string[]} allowed hosts that may be loaded besides this machine
 * @property {number} limit_s of one call
 */
/** @typedef {{ signal: AbortSignal, _meta?: { progressToken?: string | number }, sendNotification: (notification: any) => Promise<void> }} Extra */
/** @typedef {{ directory?: string, plan?: string | Record<string, unknown>, command?: string[], url?: string }} Service */
/** @typedef {{ cwd: string, signal: AbortSignal }} Place */
/** @typedef {(args: any, place: Place) => Session<any>} Begin */

const DEFAULT_PLAN = 'plimsoll.yaml';
const DEFAULT_URL = 'http://127.0.0.1:3000/';
/** Figures of the last second are told this often. */
const TELL_MS = 5000;
const MOST_CAUSES = 10;

const service = {
  directory: z.string().optional().describe('Directory of the service; the one of the server unless given'),
  plan: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe(`Path of a plan, or the plan itself; ${DEFAULT_PLAN} unless a command is given`),
  command: z
    .array(z.string())
    .optional()
    .describe('Command that starts the service, instead of a plan; it listens on $PORT'),
  url: z.string().optional().describe(`URL to load, with command; ${DEFAULT_URL} unless given`),
};

const result = {
  verdict: z.string(),
  headline: z.string(),
  next_step: z.string(),
  directory: z.string().optional().describe('Run directory: findings.json, report.html'),
  load_line: z
    .object({
      rate_per_s: z.number(),
      interval_low_per_s: z.number(),
      interval_high_per_s: z.number().nullable(),
      users: z
        .object({ line: z.number(), interval_low: z.number(), interval_high: z.number().nullable() })
        .optional()
        .describe(
          'The line in users at a time, where the search was in users; the rates are what they ask for',
        ),
      connections: z
        .object({ line: z.number(), interval_low: z.number(), interval_high: z.number().nullable() })
        .optional()
        .describe('The line in connections that are held, where the search was in connections'),
      broke: z.string().nullable(),
    })
    .optional(),
  sizing: z.string().optional().describe('How many instances carry the demand, predicted'),
  causes: z
    .array(
      z.object({
        kind: z.string(),
        file: z.string().nullable(),
        line: z.number().nullable(),
        title: z.string(),
        costs: z.string(),
        remedy: z.string(),
        predicted: z.string().nullable(),
      }),
    )
    .optional(),
};

const objectives = z
  .array(z.string())
  .optional()
  .describe("Such as 'p99 <= 100ms'; those of the plan unless given");
const seconds = (/** @type {number} */ least, /** @type {number} */ most) =>
  z.number().min(least).max(most).optional();
const measures = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

/** @param {Reach} reach */
export function tools(reach) {
  const turn = inTurn();
  /** @param {Begin} begin @returns {(args: Service, extra: Extra) => Promise<any>} */
  const measuring = (begin) => (args, extra) =>
    told(() => turn(extra.signal, () => measure(begin, args, extra, reach)));
  return [
    {
      name: 'plan',
      title: 'Write or check a plan',
      description: `Writes a first plan for the service of a directory (${DEFAULT_PLAN}) if there is none, and checks it; with plan, checks that one. Measures nothing.`,
      inputSchema: service,
      annotations: measures,
      call: (/** @type {Service} */ args, /** @type {Extra} */ extra) =>
        told(() => plan(args, extra, reach, turn)),
    },
    {
      name: 'capacity',
      title: 'Find the load line',
      description:
        'Finds the highest request rate, or the most users at a time or connections held, at which every objective holds, with its interval and what breaks first.',
      inputSchema: {
        ...service,
        objectives,
        budget_s: seconds(5, 600).describe('End the search after this time; 60 unless given'),
        in: z
          .enum(['rate', 'users', 'connections'])
          .optional()
          .describe(
            'What is searched: requests per second, users at a time who wait for responses and pause, or connections that are held',
          ),
        think_time: z
          .string()
          .optional()
          .describe(
            "Pause of each user after a response, such as '2s', with in: users; the one in the plan unless given",
          ),
        max: z
          .number()
          .positive()
          .optional()
          .describe('Never offer more requests per second, or users at a time'),
        demand: z
          .number()
          .positive()
          .optional()
          .describe('Say how many instances carry this many requests per second together; a prediction'),
        headroom: z.string().optional().describe("Share of the load line they keep free; '30%' unless given"),
        price: z.string().optional().describe("Price of an instance per hour, such as '0.12/h'"),
      },
      outputSchema: result,
      annotations: measures,
      call: measuring((args, place) =>
        capacity(sourceOf(args), {
          ...place,
          objective: args.objectives,
          budget: `${args.budget_s ?? 60}s`,
          in: args.in,
          thinkTime: args.think_time,
          max: args.max,
          demand: args.demand,
          headroom: args.headroom,
          price: args.price,
        }),
      ),
    },
    {
      name: 'diagnose',
      title: 'Explain what limits the service',
      description:
        'Ranks causes of what limits the service, with file, line, cost and predicted gain. Needs a service that plimsoll starts.',
      inputSchema: {
        ...service,
        rate: z
          .number()
          .positive()
          .optional()
          .describe('Requests per second; 70 % of the load line unless given, which is searched first'),
        budget_s: seconds(5, 600).describe('End that search after this time; 60 unless given'),
        pass_s: seconds(2, 120).describe('Length of each of the three passes; 15 unless given'),
        what_if: z
          .array(z.string())
          .optional()
          .describe(
            "Leave this out and measure the gain, such as 'log' or 'middleware:NAME'; two minutes each",
          ),
      },
      outputSchema: result,
      annotations: measures,
      call: measuring((args, place) =>
        diagnose(sourceOf(args), {
          ...place,
          rate: args.rate,
          budget: args.rate === undefined ? `${args.budget_s ?? 60}s` : undefined,
          duration: `${args.pass_s ?? 15}s`,
          whatIf: args.what_if,
        }),
      ),
    },
    {
      name: 'compare',
      title: 'Measure a change',
      description:
        'Measures the files as they are now against a git revision (HEAD unless given), in alternating rounds; or one plan against another. Proves a fix that is not committed.',
      inputSchema: {
        ...service,
        rev: z.string().optional().describe('Revision to compare with; HEAD unless given'),
        other: z.string().optional().describe('Path of another plan to compare with, instead of a revision'),
        diagnosis: z
          .string()
          .optional()
          .describe('Run directory of a diagnosis: its prediction is set beside the outcome'),
        fixed: z.string().optional().describe('Line that was fixed, FILE:LINE as the diagnosis names it'),
        rate: z
          .number()
          .positive()
          .optional()
          .describe('Requests per second; the rate of the plan unless given'),
        rounds: z.number().int().min(4).max(40).optional().describe('Rounds of each variant; 8 unless given'),
        judged_s: seconds(1, 60).describe('Judged part of a round; 4 unless given'),
      },
      outputSchema: result,
      annotations: measures,
      call: measuring((args, place) => {
        const plans = args.other === undefined ? [sourceOf(args)] : [sourceOf(args), args.other];
        return compare(plans, {
          ...place,
          rev: args.other === undefined ? (args.rev ?? 'HEAD') : undefined,
          diagnosis: args.diagnosis,
          fixed: args.fixed,
          rate: args.rate,
          rounds: args.rounds ?? 8,
          duration: `${args.judged_s ?? 4}s`,
        });
      }),
    },
  ];
}

/** @param {Service} args @returns {PlanSource} */
function sourceOf({ plan, command, url }) {
  if (plan !== undefined) return /** @type {PlanSource} */ (plan);
  return command || url ? { url: url ?? DEFAULT_URL, command } : DEFAULT_PLAN;
}

/**
 * @param {Service} args
 * @param {Extra} extra
 * @param {Reach} reach
 * @param {ReturnType<typeof inTurn>} turn
 */
async function plan(args, { signal }, reach, turn) {
  const cwd = resolve(args.directory ?? '.');
  const isThere = args.plan !== undefined || existsSync(join(cwd, DEFAULT_PLAN));
  // That starts the service, which must not meet a measurement of it.
  const written = isThere ? '' : await turn(signal, () => init(args, { cwd, signal }, reach));
  const source = /** @type {PlanSource} */ (args.plan ?? DEFAULT_PLAN);
  const checked = await validate(source, { cwd, signal });
  refuseOthers(checked, reach.allowed);
  const { name, target, objectives } = checked;
  const url = typeof target === 'string' ? target : target.url;
  const text = JSON.stringify({ name, url, objectives, load: checked.load, search: checked.search }, null, 2);
  return { content: [{ type: 'text', text: `${written}valid plan:\n${text}\n` }] };
}

/** What the program says of a first plan that it has written. @param {Service} args @param {Place} place @param {Reach} reach */
async function init({ url, command }, { cwd, signal }, reach) {
  const limit = AbortSignal.timeout(reach.limit_s * 1000);
  const words = ['init', ...(url ? [`--url=${url}`] : []), ...(command ? ['--', ...command] : [])];
  try {
    return await printed(words, { cwd, signal: AbortSignal.any([signal, limit]) });
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw new PlimsollError('ABORT_ERR', overLimit(reach), {
      hint: 'no plan was written; does the service start, and where does it listen?',
    });
  }
}

/** @param {Reach} reach */
const overLimit = ({ limit_s }) => `stopped after the limit of ${limit_s} s`;

/**
 * @param {Begin} begin
 * @param {Service & { other?: string }} args
 * @param {Extra} extra
 * @param {Reach} reach
 */
async function measure(begin, args, extra, reach) {
  const cwd = resolve(args.directory ?? '.');
  for (const source of args.other === undefined ? [sourceOf(args)] : [sourceOf(args), args.other])
    refuseOthers(await validate(source, { cwd, signal: extra.signal }), reach.allowed);
  const limit = AbortSignal.timeout(reach.limit_s * 1000);
  const untold = new AbortController();
  const session = begin(args, { cwd, signal: AbortSignal.any([extra.signal, limit, untold.signal]) });
  try {
    await tell(session, extra);
    const findings = await session;
    return {
      content: [{ type: 'text', text: await briefOf(session, cwd) }],
      structuredContent: { directory: session.directory, ...structured(findings) },
    };
  } catch (error) {
    if (!(error instanceof PlimsollError)) {
      // Nobody hears of it any more, and the next call must not meet what this one began.
      untold.abort(error);
      await session.catch(() => {});
      throw error;
    }
    const text = error instanceof AbortError ? overLimit(reach) : error.message;
    // What was measured until then.
    const partial = error.findings ? `\n${await briefOf(session, cwd)}` : '';
    return failed(text + partial, error.hint);
  }
}

/** @param {Session<any>} session @param {string} cwd */
const briefOf = (session, cwd) => brief(session.directory ?? '', { cwd });

/** Passes on what happens, to a client that asked for it. @param {Session<any>} session @param {Extra} extra */
async function tell(session, { _meta, sendNotification }) {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  let told_ms = Number.NEGATIVE_INFINITY;
  for await (const event of session) {
    if (progressToken === undefined) continue;
    if (event.type === 'progress') {
      if (performance.now() - told_ms < TELL_MS) continue;
      told_ms = performance.now();
    }
    progress += 1;
    await sendNotification({
      method: 'notifications/progress',
      params: { progressToken, progress, message: event.text },
    });
  }
}

/** What of the findings a program goes by. @param {Findings | Comparison} findings */
function structured(findings) {
  const { verdict, headline, next_step } = findings;
  const line = 'load_line' in findings ? findings.load_line : undefined;
  const sizing = 'sizing' in findings ? findings.sizing : undefined;
  const diagnosis = 'diagnosis' in findings ? findings.diagnosis : undefined;
  return {
    verdict,
    headline: headline.text,
    next_step: next_step.text,
    load_line: line
      ? {
          rate_per_s: line.rate_per_s,
          interval_low_per_s: line.interval_low_per_s,
          interval_high_per_s: line.interval_high_per_s ?? null,
          users: line.concurrent
            ? {
                line: line.concurrent.users,
                interval_low: line.concurrent.interval_low,
                interval_high: line.concurrent.interval_high ?? null,
              }
            : undefined,
          connections: line.held
            ? {
                line: line.held.connections,
                interval_low: line.held.interval_low,
                interval_high: line.held.interval_high ?? null,
              }
            : undefined,
          broke: line.broke?.text ?? null,
        }
      : undefined,
    sizing: sizing?.text,
    causes: diagnosis?.causes
      .slice(0, MOST_CAUSES)
      .map(({ kind, place, title, costs, remedy, predicted }) => ({
        kind,
        file: place?.file ?? null,
        line: place?.line ?? null,
        title,
        costs,
        remedy,
        predicted: predicted?.text ?? null,
      })),
  };
}

/** An error is a result that says so; an assistant reads its hint. @param {() => Promise<any>} work */
async function told(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlimsollError) return failed(error.message, error.hint);
    if (error instanceof TypeError) return failed(error.message);
    throw error;
  }
}

/** @param {string} message @param {string} [hint] */
function failed(message, hint) {
  return { isError: true, content: [{ type: 'text', text: hint ? `${message}\nhint: ${hint}` : message }] };
}

/** Work one after the other: two measurements would share the machine. */
function inTurn() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {AbortSignal} signal @param {() => Promise<T>} work @returns {Promise<T>} */
  return (signal, work) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = mine.catch(() => {});
    return mine;
  };
}
