// Written by scripts/types.js from docs/reference/scale.schema.json.

/** Everything that the report of a sweep shows. */
export interface Scaling {
  /** Confidence of all intervals, 0 to 1. */
  confidence: number;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** `plimsoll.scale-findings/2`. */
  format: string;
  /** One sentence that says what it comes to. */
  headline: string;
  /** The machine, in one line. */
  host: string;
  /** The law that lies closest to the points. */
  law: LawFinding | null;
  /** What every round offered, one sentence. */
  load: string;
  /** What was swept. */
  name: string;
  /** One sentence that says what to do next. */
  next_step: string;
  /** What the reader should know besides. */
  notices: Notice[];
  /** What was measured at each size, ascending. */
  points: ScalePoint[];
  /** What came back, over all rounds of all sizes. */
  responses: ResponsesFinding[];
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** What the sizes count, such as `connections`. */
  sizes_of: string;
  /** When the sweep began, RFC 3339, UTC. */
  started_at: string;
  /** Address of the service. */
  target: string;
  /** What it comes to. */
  verdict: ScaleVerdict;
  /** Version of plimsoll. */
  version: string;
}

/** Failures of one class. */
export interface ErrorFinding {
  /** It counts as a failure. Keep-alive races do only where they are many. */
  charged: boolean;
  /** Class as in the glossary. */
  class: string;
  /** How many. */
  count: number;
  /** The first of them, where the run recorded it. */
  example: ExampleFinding | null;
  /** The generator is to blame, not the service. */
  generators_own: boolean;
  /** What it means, one sentence. */
  meaning: string;
  /** Share of all finished requests, 0 to 1. */
  share: number;
}

/** What one failure looked like. The texts are short and hold printable characters only; no header of a response is in them but `content-type` and where a redirect leads to. */
export interface ExampleFinding {
  /** When, since the beginning of the run, seconds. */
  at_s: number;
  /** What was expected; empty where that goes without saying. */
  expected: string;
  /** What was found instead. */
  found: string;
  /** How that begins which the service sent: the body, or what was no HTTP; empty where it sent nothing. */
  received: string;
}

/** X(N) = λN / (1 + σ(N − 1) + κN(N − 1)). */
export interface LawFinding {
  /** The law from one to twice the greatest size, for drawing. */
  curve: LawPoint[];
  /** κ: coherency, the cost of each pair's agreement. */
  kappa: Parameter;
  /** λ: throughput of one, requests per second. */
  lambda: Parameter;
  /** Throughput there, requests per second. */
  peak_per_s: number | null;
  /** Size at the greatest throughput, √((1 − σ) / κ); `None` when the law has no peak. The upper end is missing where some of the refits have none. */
  peak_size: Parameter | null;
  /** σ: contention, the share of the work that is done one after the other. */
  sigma: Parameter;
  /** What the points can tell of the two costs. */
  tells: Tells;
}

/** A point of the fitted law. */
export interface LawPoint {
  /** Throughput, requests per second. */
  per_s: number;
  /** The size. */
  size: number;
}

/** Something the reader should know. */
export interface Notice {
  /** `interrupted`, `target_died`, `unjudged`, `torn`, `port_taken`, `generator_late`, `generator_near_limit`, `not_converged`, `redirects`, `error_statuses`, `keep_alive_races`, `unrequested_bytes`, `warning`. */
  code: string;
  /** What to do about it. */
  hint: string | null;
  /** One sentence. */
  message: string;
}

/** A fitted value with the interval that holds it. */
export interface Parameter {
  /** Upper end; `None` when there is none. */
  high: number | null;
  /** Lower end. */
  low: number;
  /** The value. */
  value: number;
}

/** What came back to one variant of a comparison, in a sweep, or in a measurement of a study. */
export interface ResponsesFinding {
  /** Failures by class, most frequent first. The example is that of the first run that has one, its time since the beginning of that run. */
  errors: ErrorFinding[];
  /** Requests that finished, those of warm-ups as well. */
  finished: number;
  /** To which variant, or in what. */
  of: string;
  /** Responses by first digit of the status; index 0 is 1xx. */
  status: number[];
  /** Responses with a status outside 100 to 599. */
  status_other: number;
}

/** One round: an ordinary run of one variant. */
export interface RoundFinding {
  /** The block that it belongs to, from 0; a block has one round of each variant, and block 0 is not used. */
  block: number;
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Errors as a share of the finished requests, 0 to 1; `None` when none finished. */
  error_share: number | null;
  /** Its run folder, inside that of the comparison. */
  folder: string;
  /** The load line, where that was searched, requests per second. */
  load_line_per_s: number | null;
  /** Median response time, ms. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms. */
  p99_ms: number | null;
  /** Number, from 0. */
  round: number;
  /** Requests completed per second in the judged part; `None` when there is none. */
  throughput_per_s: number | null;
  /** Why not, one sentence. */
  unused_because: string | null;
  /** Whether the figures use it. */
  used: boolean;
  /** Name of the variant. */
  variant: string;
}

/** A size and what was measured at it. */
export interface ScalePoint {
  /** Mean CPU of the service per request, microseconds. */
  cpu_us_per_request: number | null;
  /** Throughput per unit of size, as a share of λ. */
  efficiency: number | null;
  /** What the law says, requests per second. */
  fitted_per_s: number | null;
  /** Mean of the median response times, ms. */
  p50_ms: number | null;
  /** Throughput of each round, requests per second. */
  rounds_per_s: number[];
  /** The size. */
  size: number;
  /** Mean throughput of its rounds, requests per second. */
  throughput_per_s: number;
}

/** What a sweep comes to. */
export type ScaleVerdict = 'fitted' | 'invalid' | 'interrupted' | 'failed';

/** What the points can tell of contention and coherency. A cost is told when leaving it out makes the fit worse than chance would in 19 of 20 sweeps. */
export type Tells = 'both' | 'contention' | 'coherency' | 'either' | 'neither';
