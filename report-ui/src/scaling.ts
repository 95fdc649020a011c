// Written by scripts/types.js from docs/reference/scale.schema.json.

/** Everything that the report of a sweep shows. */
export interface Scaling {
  /** `plimsoll.scale-findings/3`. */
  format: string;
  /** What was swept. */
  name: string;
  /** Address of the service. */
  target: string;
  /** When the sweep began, RFC 3339, UTC. */
  started_at: string;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** Version of plimsoll. */
  version: string;
  /** The machine; `None` before the first round. */
  host: Host | null;
  /** What it comes to. */
  verdict: ScaleVerdict;
  /** The same in more detail. */
  headline: ScaleHeadline;
  /** What to do next. */
  next_step: ScaleNextStep;
  /** What the sizes count, such as `connections`. */
  sizes_of: string;
  /** What every round offered, one sentence. */
  load: string;
  /** Confidence of all intervals, 0 to 1. */
  confidence: number;
  /** What was measured at each size, ascending. */
  points: ScalePoint[];
  /** The law that lies closest to the points. */
  law: LawFinding | null;
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** What came back, over all rounds of all sizes. */
  responses: ResponsesFinding[];
  /** What the reader should know besides. */
  notices: Notice[];
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

/** What a sweep comes to. */
export type ScaleVerdict = 'fitted' | 'invalid' | 'interrupted' | 'failed';

/** What a sweep comes to. */
export interface ScaleHeadline {
  code: string;
  /** The same in words. */
  text: string;
}

/** A fitted value with the interval that holds it. */
export interface Parameter {
  /** The value. */
  value: number;
  /** Lower end. */
  low: number;
  /** Upper end; `None` when there is none. */
  high: number | null;
}

/** What to do after a sweep. */
export interface ScaleNextStep {
  code: string;
  /** The same in words. */
  text: string;
}

/** A size and what was measured at it. */
export interface ScalePoint {
  /** The size. */
  size: number;
  /** Mean throughput of its rounds, requests per second. */
  throughput_per_s: number;
  /** Throughput of each round, requests per second. */
  rounds_per_s: number[];
  /** What the law says, requests per second. */
  fitted_per_s: number | null;
  /** Throughput per unit of size, as a share of λ. */
  efficiency: number | null;
  /** Mean of the median response times, ms. */
  p50_ms: number | null;
  /** Mean CPU of the service per request, microseconds. */
  cpu_us_per_request: number | null;
}

/** X(N) = λN / (1 + σ(N − 1) + κN(N − 1)). */
export interface LawFinding {
  /** λ: throughput of one, requests per second. */
  lambda: Parameter;
  /** σ: contention, the share of the work that is done one after the other. */
  sigma: Parameter;
  /** κ: coherency, the cost of each pair's agreement. */
  kappa: Parameter;
  /** What the points can tell of the two costs. */
  tells: Tells;
  /** Size at the greatest throughput, √((1 − σ) / κ); `None` when the law has no peak. The upper end is missing where some of the refits have none. */
  peak_size: Parameter | null;
  /** Throughput there, requests per second. */
  peak_per_s: number | null;
  /** The law from one to twice the greatest size, for drawing. */
  curve: LawPoint[];
  /** What the points tell, in words. */
  tells_text: string;
}

/** What the points can tell of contention and coherency. A cost is told when leaving it out makes the fit worse than chance would in 19 of 20 sweeps. */
export type Tells = 'both' | 'contention' | 'coherency' | 'either' | 'neither';

/** A point of the fitted law. */
export interface LawPoint {
  /** The size. */
  size: number;
  /** Throughput, requests per second. */
  per_s: number;
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

/** The unit of a figure. */
export type Unit = 'ms' | 'us' | 'per_s' | 'bytes' | 'share' | 'number';

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
