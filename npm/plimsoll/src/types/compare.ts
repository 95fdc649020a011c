// Written by scripts/types.js from docs/reference/compare.schema.json.

/**
 * What a comparison comes to.
 */
export type CompareVerdict =
  | 'better'
  | 'worse'
  | 'mixed'
  | 'passed'
  | 'inconclusive'
  | 'no_difference'
  | 'invalid'
  | 'interrupted'
  | 'failed';
/**
 * What a comparison comes to.
 */
export type CompareHeadline =
  | {
      code: 'better';
      /**
       * The variant where there are two.
       */
      variant?: string | null;
      /**
       * Figures that are better.
       */
      better: Changed[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'worse';
      /**
       * The variant where there are two.
       */
      variant?: string | null;
      /**
       * Figures that are worse.
       */
      worse: Changed[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'mixed';
      /**
       * The variant where there are two.
       */
      variant?: string | null;
      /**
       * Figures that are worse.
       */
      worse: Changed[];
      /**
       * Figures that are better.
       */
      better: Changed[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_difference';
      /**
       * The figure that is named first.
       */
      figure: Metric;
      /**
       * The share by which it differs at most.
       */
      bound: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'held';
      /**
       * The metric that rules it out.
       */
      figure: Metric;
      /**
       * The loss that is ruled out.
       */
      threshold: number;
      /**
       * Its change.
       */
      change: number;
      /**
       * The largest loss that is not ruled out, as a change.
       */
      at_most: number;
      /**
       * Whether it is worse beyond doubt, if by less than the threshold.
       */
      worse: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'unseen';
      /**
       * The metric that has to rule it out.
       */
      figure: Metric;
      /**
       * The loss that was looked for.
       */
      threshold: number;
      /**
       * The least loss that nine of ten such checks find.
       */
      sees: number;
      /**
       * How long the rounds could take together.
       */
      within_s: number;
      /**
       * Its change.
       */
      change: number;
      /**
       * Lower end of its interval.
       */
      low: number;
      /**
       * Upper end of its interval.
       */
      high: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'generator_late';
      /**
       * In how many.
       */
      late: number;
      /**
       * Of how many.
       */
      rounds: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'interrupted';
      /**
       * Rounds that were made.
       */
      made: number;
      /**
       * Rounds that were wanted.
       */
      wanted: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'could_not_go_on';
      /**
       * What was said of it.
       */
      why: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'too_few_rounds';
      /**
       * The same in words.
       */
      text: string;
    };
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
 * What to do after a comparison.
 */
export type CompareNextStep =
  | {
      code: 'keep';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_costs';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'decide';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'more_rounds';
      /**
       * Least true change that four of five such comparisons would have found.
       */
      detectable: number;
      /**
       * Rounds that find one of half that size.
       */
      rounds: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'more_time';
      /**
       * The loss that was looked for.
       */
      threshold: number;
      /**
       * The time in which it is found, seconds; `None` where that is longer than a day.
       */
      needs_s?: number | null;
      /**
       * The least loss that is found in the time that there was.
       */
      sees: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'merge';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'relieve_generator';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'run_to_end';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_service_log';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * The unit of a figure.
 */
export type Unit = 'ms' | 'us' | 'per_s' | 'bytes' | 'share' | 'number';
/**
 * How a figure of a variant stands to that of the first variant.
 */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'held' | 'undecided' | 'unjudged';
/**
 * What a check decided.
 */
export type GateDecision = 'worse' | 'passed' | 'undecided';
/**
 * Why a round is not used.
 */
export type Unused =
  | {
      code: 'lost_records';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'came_to';
      /**
       * What it came to.
       */
      headline: Headline;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'cold';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'block_incomplete';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What a run comes to.
 */
export type Headline =
  | {
      code: 'load_line';
      /**
       * Greatest rate that passed, requests per second.
       */
      rate_per_s: number;
      /**
       * Least rate above it that failed.
       */
      failed_per_s?: number | null;
      /**
       * Objective that broke first; `None` where every request failed.
       */
      broke?: Condition | null;
      /**
       * Why the search ended.
       */
      ended_because: EndedBecause;
      /**
       * What was not judged at the line.
       */
      unjudged?: WhatUnjudged | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_load_line';
      /**
       * Objective that broke; `None` where every request failed.
       */
      broke?: Condition | null;
      /**
       * The lowest rate that was tried, requests per second.
       */
      lowest_per_s?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'passed';
      /**
       * Whether there was an objective.
       */
      any_objective: boolean;
      /**
       * Completed per second in the judged part; `None` where nothing was.
       */
      throughput_per_s?: number | null;
      /**
       * Responses in the whole run.
       */
      completed: number;
      /**
       * 99th percentile of the response time, ms.
       */
      p99_ms?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'unjudged';
      /**
       * What.
       */
      what: WhatUnjudged;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'breached';
      /**
       * Which.
       */
      objective: Condition;
      /**
       * Its figure over the run, in its unit.
       */
      observed?: number | null;
      /**
       * Windows that passed.
       */
      windows_passed: number;
      /**
       * Windows that were judged.
       */
      windows_judged: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'every_request_failed';
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
      code: 'interrupted';
      /**
       * What is missing.
       */
      by: InterruptedBy;
      /**
       * How long it took until then, seconds.
       */
      after_s: number;
      /**
       * Whether there are figures.
       */
      has_figures: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'port_taken';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'target_died';
      /**
       * When, seconds.
       */
      after_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_response';
      /**
       * Most frequent failure.
       */
      most?: FailureClass | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'could_not_go_on';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'held';
      /**
       * How many.
       */
      connections: number;
      /**
       * How long, seconds.
       */
      held_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'connections_lost';
      /**
       * How many.
       */
      lost: number;
      /**
       * Of how many that were opened.
       */
      opened: number;
      /**
       * Most frequent failure of open connections.
       */
      most?: FailureClass | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'pace_not_kept';
      /**
       * Connections that were opened.
       */
      opened: number;
      /**
       * Connections that were asked for.
       */
      wanted: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'not_all_opened';
      /**
       * Connections that were opened.
       */
      opened: number;
      /**
       * Connections that were asked for.
       */
      wanted: number;
      /**
       * It is the generator that could not.
       */
      generators_own: boolean;
      /**
       * Most frequent failure to open.
       */
      most?: FailureClass | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'held_with_errors';
      /**
       * Connections that were held.
       */
      connections: number;
      /**
       * Most frequent failure of responses.
       */
      most?: FailureClass | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'none_opened';
      /**
       * Most frequent failure to open.
       */
      most?: FailureClass | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'limit';
      /**
       * What runs out first.
       */
      bound: Bound;
      /**
       * The first cause; `None` where none was found.
       */
      cause?: What | null;
      /**
       * Its line.
       */
      place?: Place | null;
      /**
       * Where none was found: the costliest middleware or hook that could go.
       */
      layer?: LayerCost | null;
      /**
       * Where there is none of these either: the costliest package that could go.
       */
      package?: PackageCost | null;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What an objective bounds.
 */
export type Quantity = 'cpu' | 'response_time' | 'errors' | 'achieved_rate' | 'handshake_time';
/**
 * Why a search ended.
 */
export type EndedBecause =
  | {
      code: 'converged';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'budget_spent';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'max_passed';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'generator_limit';
      /**
       * That rate, requests per second.
       */
      rate_per_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'nothing_passed';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'stopped';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What was not judged.
 */
export type WhatUnjudged =
  | {
      code: 'everything';
      /**
       * Why; `None` where nothing says it.
       */
      because?: Unjudged | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'objectives';
      /**
       * The first of them.
       */
      first: Condition;
      /**
       * Why that was not.
       */
      because: Unjudged;
      /**
       * How many were not.
       */
      count: number;
      /**
       * Of how many.
       */
      of: number;
      /**
       * The same in words.
       */
      text: string;
    };
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
 * What cut a run short.
 */
export type InterruptedBy = 'lost_records' | 'lost_histograms' | 'no_end' | 'stop';
/**
 * A class of failures, or the keep-alive races among them.
 */
export type FailureClass = 'keep_alive_race' | ErrorClass;
/**
 * Why a request failed.
 */
export type ErrorClass =
  | 'refused'
  | 'unreachable'
  | 'connect_timeout'
  | 'tls'
  | 'reset'
  | 'stream_reset'
  | 'closed'
  | 'response_timeout'
  | 'malformed'
  | 'status'
  | 'not_followed'
  | 'no_port'
  | 'no_descriptor';
/**
 * What runs out first.
 */
export type Bound =
  | 'cpu'
  | 'event_loop'
  | 'threadpool'
  | 'connection_pool'
  | 'upstream'
  | 'memory'
  | 'terminal'
  | 'neither'
  | 'unknown';
/**
 * What a cause is.
 */
export type What =
  | {
      code: 'kind';
      /**
       * The kind.
       */
      kind: CauseKind;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'calls';
      /**
       * Their names.
       */
      functions: string[];
      /**
       * Most of them are of a text that came before.
       */
      again: boolean;
      /**
       * They stop the event loop.
       */
      stop_loop: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'regex';
      /**
       * Its pattern.
       */
      pattern: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'garbage_of_function';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'own';
      /**
       * Its name; empty for an anonymous one.
       */
      function: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'package';
      /**
       * Its name.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'stall';
      /**
       * Its name; empty for an anonymous one.
       */
      function: string;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * Kinds of causes.
 */
export type CauseKind =
  | 'blocking-write'
  | 'sync-file-read'
  | 'json'
  | 'sync-crypto'
  | 'sync-zlib'
  | 'regex'
  | 'gc'
  | 'heap-growth'
  | 'event-loop-stall'
  | 'threadpool-saturation'
  | 'connection-pool'
  | 'serial-awaits'
  | 'repeated-upstream'
  | 'upstream-no-keepalive'
  | 'module-or-template-per-request'
  | 'constructed-per-request'
  | 'error-stack'
  | 'process-per-request'
  | 'no-compression'
  | 'no-keepalive'
  | 'full-handshakes'
  | 'no-etag'
  | 'package-hot'
  | 'hot-function'
  | 'one-core-busy';
/**
 * What a function is that a framework calls for a request.
 */
export type LayerRole = 'middleware' | 'hook' | 'handler' | 'server';
/**
 * To what responses came back.
 */
export type ResponsesOf =
  | {
      code: 'run';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'all_sizes';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'variant';
      /**
       * Its name.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * Something that the reader should know.
 */
export type Notice =
  | (Noted & {
      code: 'interrupted';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | (Noted & {
      code: 'target_died';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | (Noted & {
      code: 'port_taken';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | (Noted & {
      code: 'torn';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | (Noted & {
      code: 'warning';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | {
      code: 'notes_left_out';
      /**
       * How many notes.
       */
      count: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'could_not_go_on';
      /**
       * What was said of it.
       */
      why: string;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'no_end';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'histograms_lost';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'generator_late';
      /**
       * What it lacked.
       */
      because: Late;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'generator_near_limit';
      /**
       * Of what.
       */
      resource: Resource;
      /**
       * What was taken.
       */
      taken: number;
      /**
       * All there is.
       */
      of: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'not_converged';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'failed_below_line';
      /**
       * Windows that failed.
       */
      failed: number;
      /**
       * Windows that were judged.
       */
      judged: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'interval_from_step';
      /**
       * Number of the step, from 0.
       */
      step: number;
      /**
       * Its rate, requests per second.
       */
      rate_per_s: number;
      /**
       * Whether it moves the upper end; else the lower one.
       */
      upper: boolean;
      /**
       * Where that end would be without it, requests per second.
       */
      without_per_s: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'one_core_full';
      /**
       * Cores that the service kept busy.
       */
      busy_cores: number;
      /**
       * Cores that it may use.
       */
      cores: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'redirects';
      /**
       * How many.
       */
      count: number;
      /**
       * Responses.
       */
      completed: number;
      /**
       * The first of them.
       */
      first?: ExampleFinding | null;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'error_statuses';
      /**
       * How many.
       */
      count: number;
      /**
       * Responses.
       */
      completed: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'keep_alive_races';
      /**
       * How many.
       */
      count: number;
      /**
       * How many of them were sent again.
       */
      repeated: number;
      /**
       * Share of the finished requests, 0 to 1.
       */
      share: number;
      /**
       * They are so many that they count as errors.
       */
      charged: boolean;
      /**
       * The first of them.
       */
      first?: ExampleFinding | null;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'unrequested_bytes';
      /**
       * Connections that were given up for that.
       */
      connections: number;
      /**
       * The first of them.
       */
      first?: ExampleFinding | null;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'nothing_judged';
      /**
       * Why.
       */
      because: Unjudged;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'unjudged';
      /**
       * Which.
       */
      objective: Condition;
      /**
       * Why.
       */
      because: Unjudged;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'nothing_counted';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'requests_all_alike';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'no_profile';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'diagnosis_incomplete';
      /**
       * What was said of it.
       */
      why: string;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'diagnosis_cut_off';
      /**
       * The first run of it that was not made.
       */
      before?: RunKind | null;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'warming_up';
      /**
       * The share by which its CPU per request fell within the rounds.
       */
      fell: number;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | {
      code: 'not_warm';
      /**
       * How long that was, seconds.
       */
      waited_s: number;
      /**
       * What was not steady.
       */
      because: Unsteady;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    }
  | (ResponsesBeside & {
      code: 'responses_differ';
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
    })
  | {
      code: 'in_round';
      /**
       * Number of the round, from 0.
       */
      round: number;
      /**
       * Its variant.
       */
      variant: string;
      /**
       * What is to be known of it.
       */
      notice: Notice;
      /**
       * The same in words.
       */
      text: string;
      /**
       * What to do about it.
       */
      hint: string | null;
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
 * What a generator may run out of.
 */
export type Resource = 'ports' | 'descriptors' | 'memory';
/**
 * What a run is for: it decides what is done with the plan, and what its records are judged by.
 */
export type RunKind = 'capacity' | 'run' | 'bench' | 'hold' | 'diagnose' | 'plain' | 'counters' | 'profile';
/**
 * What keeps a service from being warm.
 */
export type Unsteady =
  | {
      code: 'cpu_per_request';
      /**
       * By which share, from the last part of the warm-up but one to the last.
       */
      fell: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'queue';
      /**
       * How few they were in these parts.
       */
      least: number;
      /**
       * How many they were.
       */
      most: number;
      /**
       * The same in words.
       */
      text: string;
    };

/**
 * Everything that the report of a comparison shows.
 */
export interface Comparison {
  /**
   * `plimsoll.comparison-findings/3`.
   */
  format: string;
  /**
   * What was compared.
   */
  name: string;
  /**
   * Address of the service.
   */
  target: string;
  /**
   * When the comparison began, RFC 3339, UTC.
   */
  started_at: string;
  /**
   * Length of all rounds together, seconds; what lies between them is not in it.
   */
  duration_s: number;
  /**
   * Version of plimsoll.
   */
  version: string;
  /**
   * The machine; `None` before the first round.
   */
  host?: Host | null;
  /**
   * What it comes to.
   */
  verdict: CompareVerdict;
  /**
   * The same in more detail.
   */
  headline: CompareHeadline;
  /**
   * What to do next.
   */
  next_step: CompareNextStep;
  /**
   * What was compared; every other is set against the first.
   */
  variants: VariantFinding[];
  /**
   * What every round offered and where that came from, one sentence.
   */
  load: string;
  /**
   * Confidence that all intervals of judged figures hold at once, 0 to 1; of the others, that each holds.
   */
  confidence: number;
  /**
   * The share by which a figure may be worse before the comparison fails; `None` when it never fails for that.
   */
  fail_if_worse?: number | null;
  /**
   * Whether a judged figure is worse by more than that.
   */
  failed: boolean;
  /**
   * Every figure of every variant but the first, judged ones first.
   */
  figures: FigureFinding[];
  /**
   * What a check decided and how it came to that; `None` where nothing was to be decided.
   */
  gate?: GateFinding | null;
  /**
   * What was predicted of the second variant, beside what came of it; `None` where nothing was.
   */
  prediction?: PredictionFinding | null;
  /**
   * Every round in the order they were run.
   */
  rounds: RoundFinding[];
  /**
   * What came back to each variant, over all its rounds.
   */
  responses: ResponsesFinding[];
  /**
   * Whether that is the same for both of two variants; `None` where there are more, or one did not respond.
   */
  responses_beside?: ResponsesBeside | null;
  /**
   * What the reader should know besides.
   */
  notices: Notice[];
  /**
   * What became of the threshold that was set, where there is one.
   */
  threshold_text?: string;
}
/**
 * The machine that ran it (`host.json`).
 */
export interface Host {
  /**
   * Operating system and kernel version.
   */
  kernel?: string;
  /**
   * Processor model.
   */
  cpu_model?: string;
  /**
   * Cores online.
   */
  cores?: number;
  /**
   * Memory, bytes.
   */
  memory_bytes?: number;
  /**
   * Cores of the generator; empty is not pinned.
   */
  generator_cpus?: number[];
  /**
   * Cores of the service; empty is not pinned.
   */
  target_cpus?: number[];
  /**
   * I/O backend of the engine.
   */
  io?: string;
  /**
   * How exactly the engine was told to keep times, such as `precise` or `coalesce 1ms`; empty by default.
   */
  wakeups?: string;
  /**
   * The machine in one line.
   */
  text: string;
}
/**
 * A figure that changed.
 */
export interface Changed {
  /**
   * Which.
   */
  figure: Metric;
  /**
   * Of which variant, where there are several besides the first.
   */
  variant?: string | null;
  /**
   * By which share.
   */
  change: number;
  /**
   * Lower end of the interval that holds the true change.
   */
  low: number;
  /**
   * Upper end of that interval.
   */
  high: number;
}
/**
 * A variant.
 */
export interface VariantFinding {
  /**
   * What it is called.
   */
  name: string;
  /**
   * What it is: its command, environment, revision or plan.
   */
  what: string;
  /**
   * Rounds of it that the figures are made from.
   */
  rounds_used: number;
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
/**
 * What a check decided and how it came to that.
 */
export interface GateFinding {
  /**
   * What it decided.
   */
  decision: GateDecision;
  /**
   * The loss that must not get through, as a share: 0.05 is 5 % more CPU per request or 5 % less throughput.
   */
  threshold: number;
  /**
   * The metric that has to rule out such a loss for the check to pass; the others can only fail it. `None` where too few
   * rounds could be used.
   */
  metric?: Metric | null;
  /**
   * How long the rounds could take together.
   */
  within_s: number;
  /**
   * How often the rounds were looked at.
   */
  looks: number;
  /**
   * The share of checks of an unchanged service that fail, at most.
   */
  false_alarms: number;
  /**
   * The share of checks of a loss of the threshold that pass, at most.
   */
  let_through: number;
  /**
   * The least loss that nine of ten checks on a machine as noisy as this find in this time; `None` as `metric`.
   */
  sees?: number | null;
  /**
   * The time in which nine of ten of them find a loss of the threshold, seconds; `None` where that is longer than a day.
   */
  needs_s?: number | null;
  /**
   * Whether a check that could not decide fails.
   */
  fail_if_inconclusive: boolean;
}
/**
 * What fixing a cause was predicted to give, and what it gave: factors on the load line. The proven one is that of the load
 * line where rounds searched it, else that of the requests for which the same CPU is enough.
 */
export interface PredictionFinding {
  /**
   * Run directory of the diagnosis, without its path.
   */
  diagnosis: string;
  /**
   * The cause that the second variant fixes, and its line where it has one.
   */
  cause: string;
  /**
   * The predicted factor.
   */
  predicted: number;
  /**
   * Lower end of its interval; `None` by a diagnosis without one.
   */
  predicted_low?: number | null;
  /**
   * Upper end of its interval.
   */
  predicted_high?: number | null;
  /**
   * It was predicted to be at least the lower end.
   */
  at_least: boolean;
  /**
   * Whether both intervals meet, so that the prediction held; `None` where one is missing.
   */
  held?: boolean | null;
  /**
   * The proven factor; `None` where there are too few rounds.
   */
  proven?: number | null;
  /**
   * Lower end of its interval.
   */
  proven_low?: number | null;
  /**
   * Upper end of its interval.
   */
  proven_high?: number | null;
  /**
   * How far the prediction is off, as a share of the proven gain: -0.5 for × 2 where × 3 was proven. `None` where no gain
   * was proven.
   */
  error?: number | null;
  /**
   * The prediction in words.
   */
  text: string;
  /**
   * What came of it, where that is known.
   */
  outcome_text?: string;
}
/**
 * One round: an ordinary run of one variant.
 */
export interface RoundFinding {
  /**
   * Number, from 0.
   */
  round: number;
  /**
   * The block that it belongs to, from 0; a block has one round of each variant, and block 0 is not used.
   */
  block: number;
  /**
   * Name of the variant.
   */
  variant: string;
  /**
   * Its run directory, inside that of the comparison.
   */
  directory: string;
  /**
   * Whether the figures use it.
   */
  used: boolean;
  /**
   * Why not.
   */
  unused_because?: Unused | null;
  /**
   * CPU of the service per completed request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * Median response time, ms.
   */
  p50_ms?: number | null;
  /**
   * 99th percentile of the response time, ms.
   */
  p99_ms?: number | null;
  /**
   * Requests completed per second in the judged part; `None` when there is none.
   */
  throughput_per_s?: number | null;
  /**
   * Errors as a share of the finished requests, 0 to 1; `None` when none finished.
   */
  error_share?: number | null;
  /**
   * The load line, where that was searched, requests per second.
   */
  load_line_per_s?: number | null;
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
 * A line of code.
 */
export interface Place {
  /**
   * Path, relative to the directory in which the service runs where it lies below it.
   */
  file: string;
  /**
   * From 1.
   */
  line: number;
  /**
   * From 1; `None` where only the line is known.
   */
  column?: number | null;
  /**
   * The function; empty for an anonymous one.
   */
  function: string;
  /**
   * Whether `line` is where the function begins, because the line in it is not known.
   */
  is_function: boolean;
  /**
   * The line with its column and function.
   */
  text: string;
}
/**
 * What one of them costs: what it does, what its callbacks and promises do later, its garbage, its tasks for the threadpool.
 */
export interface LayerCost {
  /**
   * What it is.
   */
  role: LayerRole;
  /**
   * Its name; empty for an anonymous function.
   */
  name: string;
  /**
   * The line that registers it.
   */
  place?: Place | null;
  /**
   * The package that this line is in; `None` for the service's own code.
   */
  package?: string | null;
  /**
   * The line where the function begins, where the profile saw it.
   */
  defined?: Place | null;
  /**
   * The package that this line is in; `None` for the service's own code.
   */
  defined_in?: string | null;
  /**
   * It decides which requests get through.
   */
  guards: boolean;
  /**
   * CPU per request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * That CPU as a share of all CPU per request.
   */
  cpu_share: number;
  /**
   * The part of that share that collects its garbage.
   */
  garbage_share: number;
  /**
   * The part of that share that the threadpool does for it.
   */
  threadpool_share: number;
}
/**
 * What a package costs that is no cause, because it takes little.
 */
export interface PackageCost {
  /**
   * Its name.
   */
  name: string;
  /**
   * The line of the service that calls it, or else its own costliest one.
   */
  place?: Place | null;
  /**
   * Its share of the CPU per request, with all that it calls for the service.
   */
  cpu_share: number;
}
/**
 * What came back to one variant of a comparison, in a sweep, or in a measurement of a study.
 */
export interface ResponsesFinding {
  /**
   * To what.
   */
  of: ResponsesOf;
  /**
   * Requests that finished, those of warm-ups as well.
   */
  finished: number;
  /**
   * Responses by first digit of the status; index 0 is 1xx.
   *
   * @minItems 5
   * @maxItems 5
   */
  status: number[];
  /**
   * Responses with a status outside 100 to 599.
   */
  status_other: number;
  /**
   * Failures by class, most frequent first. The example is that of the first run that has one, its time since the
   * beginning of that run.
   */
  errors: ErrorFinding[];
}
/**
 * Failures of one class.
 */
export interface ErrorFinding {
  /**
   * Class as in the glossary.
   */
  class: FailureClass;
  /**
   * How many.
   */
  count: number;
  /**
   * Share of all finished requests, 0 to 1.
   */
  share: number;
  /**
   * The generator is to blame, not the service.
   */
  generators_own: boolean;
  /**
   * It counts as a failure. Keep-alive races do only where they are many.
   */
  charged: boolean;
  /**
   * The first of them, where the run recorded it.
   */
  example?: ExampleFinding | null;
  /**
   * What the class means.
   */
  meaning: string;
}
/**
 * What one failure looked like. The texts are short and hold printable characters only; no header of a response is in them
 * but `content-type` and where a redirect leads to.
 */
export interface ExampleFinding {
  /**
   * When, since the beginning of the run, seconds.
   */
  at_s: number;
  /**
   * Name of the request in the plan; absent where it belongs to none, or the scenario has only one.
   */
  request?: string | null;
  /**
   * What was expected; empty where that goes without saying.
   */
  expected: string;
  /**
   * What was found instead.
   */
  found: string;
  /**
   * How that begins which the service sent: the body, or what was no HTTP; empty where it sent nothing.
   */
  received: string;
  /**
   * The example in a sentence.
   */
  text: string;
}
/**
 * What came back to one variant beside what came back to another.
 */
export interface ResponsesBeside {
  /**
   * Whether the statuses are the same: the share of no class of them differs by a hundredth.
   */
  same_status: boolean;
  /**
   * Whether they are as long, on average: to a hundredth.
   */
  same_length: boolean;
  /**
   * Whether the first responses to each request had the same status and body. `None` where bodies differ from one response to
   * the next, and where they were not looked at, because the probe was not in the service.
   */
  same_content?: boolean | null;
  /**
   * Bytes of a response to the first of the two, on average, head included.
   */
  mean_bytes: number;
  /**
   * Bytes of a response to the other, on average, head included.
   */
  other_mean_bytes: number;
}
/**
 * What was noted during the run, in the words of then.
 */
export interface Noted {
  /**
   * What was said.
   */
  said: string;
  /**
   * What to do about it, as was said.
   */
  advice?: string | null;
}
