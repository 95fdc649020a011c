// Written by scripts/types.js from docs/reference/event.schema.json.

/**
 * Something happened.
 */
export type Event =
  | {
      type: 'directory_created';
      /**
       * Where it is.
       */
      path: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'pass_started';
      /**
       * What it is for.
       */
      pass: RunKind;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'what_if_started';
      /**
       * What is left out.
       */
      without: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'service_starting';
      /**
       * Its command, without what may be a secret.
       */
      command: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'service_ready';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'step_started';
      /**
       * Its number, from 0.
       */
      step: number;
      /**
       * Offered rate per second, where it is constant.
       */
      rate_per_s?: number | null;
      /**
       * Its length without draining, seconds, if it is known.
       */
      duration_s?: number | null;
      /**
       * Why it is run: `climb`, `bisect`, `confirm`, `warm-up`; `None` in a plain run.
       */
      purpose?: string | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | (Progress & {
      type: 'progress';
      /**
       * The same in words.
       */
      text: string;
    })
  | (StepFinding & {
      type: 'step_finished';
      /**
       * The same in words.
       */
      text: string;
    })
  | (Note & {
      type: 'note';
      /**
       * The same in words.
       */
      text: string;
    })
  | {
      type: 'preparing';
      /**
       * What, in words.
       */
      what: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'round_started';
      /**
       * Its number, from 0.
       */
      round: number;
      /**
       * How many are wanted.
       */
      of: number;
      /**
       * Name of its variant.
       */
      variant: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'round_finished';
      /**
       * Its number, from 0.
       */
      round: number;
      /**
       * How many are wanted.
       */
      of: number;
      /**
       * Name of its variant.
       */
      variant: string;
      /**
       * Whether its CPU per request counts although the generator was late, as in a check.
       */
      late_counts: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | (FigureFinding & {
      type: 'looked';
      /**
       * The same in words.
       */
      text: string;
    })
  | {
      type: 'measurement_started';
      /**
       * Its number, from 0.
       */
      measurement: number;
      /**
       * How many there are.
       */
      of: number;
      /**
       * What the study calls it.
       */
      name: string;
      /**
       * `compare`, `scale`, `capacity`, `run` or `command`.
       */
      kind: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      type: 'failed';
      /**
       * Its exit code.
       */
      exit_code: number;
      /**
       * What failed.
       */
      message: string;
      /**
       * What to do about it.
       */
      hint?: string | null;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What a run is for: it decides what is done with the plan, and what its records are judged by.
 */
export type RunKind = 'capacity' | 'run' | 'bench' | 'hold' | 'diagnose' | 'plain' | 'counters' | 'profile';
/**
 * How a step ended.
 */
export type StepVerdict = 'passed' | 'breached' | 'invalid' | 'unjudged';
/**
 * What an objective bounds.
 */
export type Quantity = 'cpu' | 'response_time' | 'errors' | 'achieved_rate' | 'handshake_time';
/**
 * The unit of a figure.
 */
export type Unit = 'ms' | 'us' | 'per_s' | 'bytes' | 'share' | 'number';
/**
 * Why an objective, or a whole run, has no verdict.
 */
export type Unjudged =
  | {
      code: 'nothing_measured';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'warm_up';
      /**
       * Length of the warm-up, seconds.
       */
      warm_up_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'cut_short';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'generator_late';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_cpu';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'short_windows';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_response';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_handshake';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'nothing_finished';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'nothing_scheduled';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'histograms_lost';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * Why a step is invalid: what the generator lacked.
 */
export type Late =
  | {
      code: 'out_of_resources';
      /**
       * Requests that failed for that.
       */
      requests: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'woke_late';
      /**
       * The bound that was passed, ms.
       */
      bound_ms: number;
      /**
       * Windows in which it was so.
       */
      windows: number;
      /**
       * Windows that were judged.
       */
      judged: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'busy';
      /**
       * Busy for at least this share of a window.
       */
      share: number;
      /**
       * Windows in which it was so.
       */
      windows: number;
      /**
       * Windows that were judged.
       */
      judged: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'interrupted';
      /**
       * For at least this share of a window.
       */
      share: number;
      /**
       * Windows in which it was so.
       */
      windows: number;
      /**
       * Windows that were judged.
       */
      judged: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'throttled';
      /**
       * For at least this share of a window.
       */
      share: number;
      /**
       * Windows in which it was so.
       */
      windows: number;
      /**
       * Windows that were judged.
       */
      judged: number;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * Kinds of notes.
 */
export type NoteKind = 'interrupted' | 'target_died' | 'port_taken' | 'warning' | 'torn';
/**
 * A figure of a run, or of a law that was fitted to runs.
 */
export type Metric =
  | 'throughput'
  | 'load_line'
  | 'cpu_per_request'
  | 'cpu_share'
  | 'response_time_mean'
  | 'response_time_p50'
  | 'response_time_p90'
  | 'response_time_p99'
  | 'response_time_p999'
  | 'response_time_max'
  | 'errors'
  | 'resident_memory'
  | 'bytes_per_response'
  | 'lambda'
  | 'sigma'
  | 'kappa'
  | 'peak_throughput'
  | 'fit';
/**
 * How a figure of a variant stands to that of the first variant.
 */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'held' | 'undecided' | 'unjudged';

/**
 * How the run stands after a tick.
 */
export interface Progress {
  /**
   * Number of the current step, from 0.
   */
  step: number;
  /**
   * Since the beginning of the step, seconds.
   */
  elapsed_s: number;
  /**
   * Planned length of the step, seconds, if it is known.
   */
  planned_s?: number | null;
  /**
   * Left until the run must have ended, seconds, if that is known: the rest of the load, or of the search's budget.
   */
  left_s?: number | null;
  /**
   * Share of the run that is over, 0 to 1, if that is known.
   */
  done_share?: number | null;
  /**
   * The rate that the step holds, per second, where it is constant.
   */
  rate_per_s?: number | null;
  /**
   * Starts scheduled per second in this tick.
   */
  offered_per_s: number;
  /**
   * Requests completed per second in this tick.
   */
  throughput_per_s: number;
  /**
   * 99th percentile of the response time in this tick, ms, if any response came.
   */
  p99_ms?: number | null;
  /**
   * Busy share of the service's cores in this tick, 0 to 1, if it could be sampled.
   */
  cpu_share?: number | null;
  /**
   * Errors in this tick.
   */
  errors: number;
  /**
   * The load has ended; responses are still awaited.
   */
  draining: boolean;
  /**
   * Where connections are held, how they stand.
   */
  held?: HeldProgress | null;
}
/**
 * How held connections stand after a tick.
 */
export interface HeldProgress {
  /**
   * Connections that are asked for.
   */
  wanted: number;
  /**
   * Connections that are open.
   */
  live: number;
  /**
   * Connections that were open and are not any more.
   */
  lost: number;
  /**
   * 99th percentile of the delivery time in this tick, ms, if it was sampled.
   */
  delivery_p99_ms?: number | null;
}
/**
 * One step: one rate held, or a whole plain run.
 */
export interface StepFinding {
  /**
   * Number, from 0.
   */
  step: number;
  /**
   * Start since the beginning of the run, seconds.
   */
  start_s: number;
  /**
   * Length, seconds.
   */
  duration_s: number;
  /**
   * Offered rate, requests per second; `None` where it is not constant or the model is closed.
   */
  offered_per_s?: number | null;
  /**
   * Requests completed per second in the judged part; `None` when there is none.
   */
  throughput_per_s?: number | null;
  /**
   * Completed, correct and inside the response-time objectives, per second in the judged part; `None` likewise, and
   * where the histograms are lost.
   */
  goodput_per_s?: number | null;
  /**
   * How it ended.
   */
  verdict: StepVerdict;
  /**
   * First objective that broke.
   */
  broke?: Condition | null;
  /**
   * Every objective.
   */
  objectives: ObjectiveFinding[];
  /**
   * Response time in the judged part.
   */
  response_time: Percentiles;
  /**
   * Busy share of the cores the service may use, 0 to 1, in the judged part.
   */
  cpu_share?: number | null;
  /**
   * CPU of the service per completed request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * Errors as a share of the finished requests, 0 to 1; `None` when none finished.
   */
  error_share?: number | null;
  /**
   * Starts that were never made.
   */
  dropped: number;
  /**
   * Why the step is invalid.
   */
  invalid_because?: Late | null;
}
/**
 * An objective of the plan, such as `p99 <= 100ms`.
 */
export interface Condition {
  /**
   * What it bounds.
   */
  quantity: Quantity;
  /**
   * The quantile of the durations that it bounds, 0 to 1; `None` of other quantities.
   */
  quantile?: number | null;
  /**
   * The request of the scenario that it is about; absent where it is about all of them.
   */
  request?: string | null;
  /**
   * The bound, in `unit`: the least allowed value of an achieved rate, the greatest of anything else.
   */
  bound: number;
  /**
   * Unit of the bound and of what is held against it.
   */
  unit: Unit;
  /**
   * The objective as a plan writes it.
   */
  text: string;
}
/**
 * An objective and how it fared.
 */
export interface ObjectiveFinding {
  /**
   * Which one.
   */
  objective: Condition;
  /**
   * Whether enough windows passed; `None` when that was not judged.
   */
  passed?: boolean | null;
  /**
   * Why it was not judged; `None` when it was.
   */
  unjudged_because?: Unjudged | null;
  /**
   * Figure over all judged windows, in the unit of the objective; `None` when it could not be observed.
   */
  observed?: number | null;
  /**
   * Worst window.
   */
  worst?: number | null;
  /**
   * Windows that passed.
   */
  windows_passed: number;
  /**
   * Windows that were judged.
   */
  windows_judged: number;
}
/**
 * A distribution in milliseconds. Each figure is `None` where there are no values, and where their histograms are lost.
 */
export interface Percentiles {
  /**
   * Number of values.
   */
  count: number;
  /**
   * Mean, ms.
   */
  mean_ms?: number | null;
  /**
   * Median, ms.
   */
  p50_ms?: number | null;
  /**
   * 90th percentile, ms.
   */
  p90_ms?: number | null;
  /**
   * 95th percentile, ms.
   */
  p95_ms?: number | null;
  /**
   * 99th percentile, ms.
   */
  p99_ms?: number | null;
  /**
   * 99.9th percentile, ms.
   */
  p999_ms?: number | null;
  /**
   * Longest, ms.
   */
  max_ms?: number | null;
}
/**
 * Something that the reader of the report should know.
 */
export interface Note {
  /**
   * When, since the beginning of the run, ns.
   */
  at_ns: number;
  /**
   * What kind of thing it is.
   */
  kind: NoteKind;
  /**
   * One sentence.
   */
  message: string;
  /**
   * What to do about it.
   */
  hint?: string | null;
}
/**
 * A figure of a variant, set against that of the first.
 */
export interface FigureFinding {
  /**
   * What is compared.
   */
  figure: Metric;
  /**
   * Its unit.
   */
  unit: Unit;
  /**
   * The variant that is set against the first.
   */
  variant: string;
  /**
   * Whether it has a part in the verdict.
   */
  judged: boolean;
  /**
   * Whether less of it is better.
   */
  lower_is_better: boolean;
  /**
   * Of the first variant: the geometric mean over its rounds; of errors the mean.
   */
  baseline: number;
  /**
   * The same of the variant.
   */
  value: number;
  /**
   * Share by which the figure changes, 0.05 is 5 % more; the ratio is 1 more than this. Of errors it is the
   * difference of the shares.
   */
  change: number;
  /**
   * Lower end of the interval that holds the true change.
   */
  change_low: number;
  /**
   * Upper end of that interval.
   */
  change_high: number;
  /**
   * Least true change that four of five such comparisons would have called better or worse; in a check the least loss that
   * nine of ten of them would have found.
   */
  detectable: number;
  /**
   * How it stands.
   */
  verdict: FigureVerdict;
  /**
   * Whether it is worse by more than `fail_if_worse`.
   */
  failed: boolean;
  /**
   * The change as each block saw it, in the order of the blocks.
   */
  block_changes: number[];
  /**
   * What is compared, in words.
   */
  text: string;
}
