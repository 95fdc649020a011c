// Written by scripts/types.js from docs/reference/compare.schema.json.

/** Everything that the report of a comparison shows. */
export interface Comparison {
  /** `plimsoll.comparison-findings/3`. */
  format: string;
  /** What was compared. */
  name: string;
  /** Address of the service. */
  target: string;
  /** When the comparison began, RFC 3339, UTC. */
  started_at: string;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** Version of plimsoll. */
  version: string;
  /** The machine; `None` before the first round. */
  host: Host | null;
  /** What it comes to. */
  verdict: CompareVerdict;
  /** The same in more detail. */
  headline: CompareHeadline;
  /** What to do next. */
  next_step: CompareNextStep;
  /** What was compared; every other is set against the first. */
  variants: VariantFinding[];
  /** What every round offered and where that came from, one sentence. */
  load: string;
  /** Confidence that all intervals of judged figures hold at once, 0 to 1; of the others, that each holds. */
  confidence: number;
  /** The share by which a figure may be worse before the comparison fails; `None` when it never fails for that. */
  fail_if_worse: number | null;
  /** Whether a judged figure is worse by more than that. */
  failed: boolean;
  /** Every figure of every variant but the first, judged ones first. */
  figures: FigureFinding[];
  /** What was predicted of the second variant, beside what came of it; `None` where nothing was. */
  prediction: PredictionFinding | null;
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** What came back to each variant, over all its rounds. */
  responses: ResponsesFinding[];
  /** What the reader should know besides. */
  notices: Notice[];
  /** What became of the threshold that was set, where there is one. */
  threshold_text: string;
}

/** The machine that ran it (`host.json`). */
export interface Host {
  /** Operating system and kernel version. */
  kernel: string;
  /** Processor model. */
  cpu_model: string;
  /** Cores online. */
  cores: number;
  /** Memory, bytes. */
  memory_bytes: number;
  /** Cores of the generator; empty is not pinned. */
  generator_cpus: number[];
  /** Cores of the service; empty is not pinned. */
  target_cpus: number[];
  /** I/O backend of the engine. */
  io: string;
  /** How exactly the engine was told to keep times, such as `precise` or `coalesce 1ms`; empty by default. */
  wakeups: string;
  /** The machine in one line. */
  text: string;
}

/** What a comparison comes to. */
export type CompareVerdict =
  | 'better'
  | 'worse'
  | 'mixed'
  | 'no_difference'
  | 'invalid'
  | 'interrupted'
  | 'failed';

/** What a comparison comes to. */
export interface CompareHeadline {
  code: string;
  /** The same in words. */
  text: string;
}

/** A figure that changed. */
export interface Changed {
  /** Which. */
  figure: Metric;
  /** Of which variant, where there are several besides the first. */
  variant: string | null;
  /** By which share. */
  change: number;
  /** Lower end of the interval that holds the true change. */
  low: number;
  /** Upper end of that interval. */
  high: number;
}

/** A figure of a run, or of a law that was fitted to runs. */
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

/** What to do after a comparison. */
export interface CompareNextStep {
  code: string;
  /** The same in words. */
  text: string;
}

/** A variant. */
export interface VariantFinding {
  /** What it is called. */
  name: string;
  /** What it is: its command, environment, revision or plan. */
  what: string;
  /** Rounds of it that the figures are made from. */
  rounds_used: number;
}

/** A figure of a variant, set against that of the first. */
export interface FigureFinding {
  /** What is compared. */
  figure: Metric;
  /** Its unit. */
  unit: Unit;
  /** The variant that is set against the first. */
  variant: string;
  /** Whether it has a part in the verdict. */
  judged: boolean;
  /** Whether less of it is better. */
  lower_is_better: boolean;
  /** Of the first variant: the geometric mean over its rounds; of errors the mean. */
  baseline: number;
  /** Of the variant, likewise. */
  value: number;
  /** Share by which the figure changes, 0.05 is 5 % more; the ratio is 1 more than this. Of errors it is the difference of the shares. */
  change: number;
  /** Lower end of the interval that holds the true change. */
  change_low: number;
  /** Upper end of that interval. */
  change_high: number;
  /** Least true change that four of five such comparisons would have called better or worse. */
  detectable: number;
  /** How it stands. */
  verdict: FigureVerdict;
  /** Whether it is worse by more than `fail_if_worse`. */
  failed: boolean;
  /** The change as each block saw it, in the order of the blocks. */
  block_changes: number[];
  /** What is compared, in words. */
  text: string;
}

/** The unit of a figure. */
export type Unit = 'ms' | 'us' | 'per_s' | 'bytes' | 'share' | 'number';

/** How a figure of a variant stands to that of the first variant. */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'unjudged';

/** What mending a cause was predicted to give, and what it gave: factors on the load line. The proven one is that of the load line where rounds searched it, else that of the requests for which the same CPU is enough. */
export interface PredictionFinding {
  /** Run folder of the diagnosis, without its path. */
  diagnosis: string;
  /** The cause that the second variant mends, and its line where it has one. */
  cause: string;
  /** The predicted factor. */
  predicted: number;
  /** The proven factor; `None` where there are too few rounds. */
  proven: number | null;
  /** Lower end of its interval. */
  proven_low: number | null;
  /** Upper end of its interval. */
  proven_high: number | null;
  /** How far the prediction is off, as a share of the proven gain: -0.5 for × 2 where × 3 was proven. `None` where no gain was proven. */
  error: number | null;
  /** The prediction in words. */
  text: string;
  /** What came of it, where that is known. */
  outcome_text: string;
}

/** One round: an ordinary run of one variant. */
export interface RoundFinding {
  /** Number, from 0. */
  round: number;
  /** The block that it belongs to, from 0; a block has one round of each variant, and block 0 is not used. */
  block: number;
  /** Name of the variant. */
  variant: string;
  /** Its run directory, inside that of the comparison. */
  folder: string;
  /** Whether the figures use it. */
  used: boolean;
  /** Why not. */
  unused_because: Unused | null;
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Median response time, ms. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms. */
  p99_ms: number | null;
  /** Requests completed per second in the judged part; `None` when there is none. */
  throughput_per_s: number | null;
  /** Errors as a share of the finished requests, 0 to 1; `None` when none finished. */
  error_share: number | null;
  /** The load line, where that was searched, requests per second. */
  load_line_per_s: number | null;
}

/** Why a round is not used. */
export interface Unused {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a run comes to. */
export interface Headline {
  code: string;
  /** The same in words. */
  text: string;
}

/** An objective of the plan, such as `p99 <= 100ms`. */
export interface Condition {
  /** What it bounds. */
  quantity: Quantity;
  /** The quantile of the response time that it bounds, 0 to 1; `None` of other quantities. */
  quantile: number | null;
  /** The request of the scenario that it is about; absent where it is about all of them. */
  request: string | null;
  /** The bound, in `unit`: the least allowed value of an achieved rate, the greatest of anything else. */
  bound: number;
  /** Unit of the bound and of what is held against it. */
  unit: Unit;
  /** The objective as a plan writes it. */
  text: string;
}

/** What an objective bounds. */
export type Quantity = 'cpu' | 'response_time' | 'errors' | 'achieved_rate';

/** Why a search ended. */
export interface EndedBecause {
  code: string;
  /** The same in words. */
  text: string;
}

/** What was not judged. */
export interface WhatUnjudged {
  code: string;
  /** Why; `None` where nothing says it. */
  because: Unjudged | null;
  /** The same in words. */
  text: string;
}

/** Why an objective, or a whole run, has no verdict. */
export interface Unjudged {
  code: string;
  /** The same in words. */
  text: string;
}

/** What cut a run short. */
export type InterruptedBy = 'lost_records' | 'lost_histograms' | 'no_end' | 'stop';

/** A class of failures, or the keep-alive races among them. */
export type FailureClass = 'keep_alive_race' | ErrorClass;

/** Why a request failed. */
export type ErrorClass =
  | 'refused'
  | 'unreachable'
  | 'connect_timeout'
  | 'reset'
  | 'closed'
  | 'response_timeout'
  | 'malformed'
  | 'status'
  | 'no_port'
  | 'no_descriptor';

/** What runs out first. */
export type Bound = 'cpu' | 'upstream' | 'neither' | 'unknown';

/** What a cause is. */
export interface What {
  code: string;
  /** The same in words. */
  text: string;
}

/** Kinds of causes. */
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
  | 'serial-awaits'
  | 'repeated-upstream'
  | 'upstream-no-keepalive'
  | 'module-or-template-per-request'
  | 'no-compression'
  | 'no-keepalive'
  | 'no-etag'
  | 'package-hot'
  | 'hot-function'
  | 'one-core-busy';

/** A line of code. */
export interface Place {
  /** Path, relative to the folder in which the service runs where it lies below it. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1; `None` where only the line is known. */
  column: number | null;
  /** The function; empty for an anonymous one. */
  function: string;
  /** Whether `line` is where the function begins, because the line in it is not known. */
  is_function: boolean;
  /** The line with its column and function. */
  text: string;
}

/** What came back to one variant of a comparison, in a sweep, or in a measurement of a study. */
export interface ResponsesFinding {
  /** To what. */
  of: ResponsesOf;
  /** Requests that finished, those of warm-ups as well. */
  finished: number;
  /** Responses by first digit of the status; index 0 is 1xx. */
  status: number[];
  /** Responses with a status outside 100 to 599. */
  status_other: number;
  /** Failures by class, most frequent first. The example is that of the first run that has one, its time since the beginning of that run. */
  errors: ErrorFinding[];
}

/** To what responses came back. */
export interface ResponsesOf {
  code: string;
  /** The same in words. */
  text: string;
}

/** Failures of one class. */
export interface ErrorFinding {
  /** Class as in the glossary. */
  class: FailureClass;
  /** How many. */
  count: number;
  /** Share of all finished requests, 0 to 1. */
  share: number;
  /** The generator is to blame, not the service. */
  generators_own: boolean;
  /** It counts as a failure. Keep-alive races do only where they are many. */
  charged: boolean;
  /** The first of them, where the run recorded it. */
  example: ExampleFinding | null;
  /** What the class means. */
  meaning: string;
}

/** What one failure looked like. The texts are short and hold printable characters only; no header of a response is in them but `content-type` and where a redirect leads to. */
export interface ExampleFinding {
  /** When, since the beginning of the run, seconds. */
  at_s: number;
  /** Name of the request in the plan; absent where it belongs to none, or the scenario has only one. */
  request: string | null;
  /** What was expected; empty where that goes without saying. */
  expected: string;
  /** What was found instead. */
  found: string;
  /** How that begins which the service sent: the body, or what was no HTTP; empty where it sent nothing. */
  received: string;
  /** The example in a sentence. */
  text: string;
}

/** Something that the reader should know. */
export interface Notice {
  code: string;
  /** The same in words. */
  text: string;
  /** What to do about it. */
  hint: string | null;
}

/** What was noted during the run, in the words of then. */
export interface Noted {
  /** What was said. */
  said: string;
  /** What to do about it, as was said. */
  advice: string | null;
}

/** Why a step is invalid: what the generator lacked. */
export interface Late {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a generator may run out of. */
export type Resource = 'ports' | 'descriptors' | 'memory';

/** What a run is for: it decides what is done with the plan, and what its records are judged by. */
export type RunKind = 'capacity' | 'run' | 'bench' | 'hold' | 'diagnose' | 'plain' | 'counters' | 'profile';
