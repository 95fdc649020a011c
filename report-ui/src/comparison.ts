// Written by scripts/types.js from docs/reference/compare.schema.json.

/** Everything that the report of a comparison shows. */
export interface Comparison {
  /** Confidence that all intervals of judged figures hold at once, 0 to 1; of the others, that each holds. */
  confidence: number;
  /** Length of all rounds together, seconds; what lies between them is not in it. */
  duration_s: number;
  /** The share by which a figure may be worse before the comparison fails; `None` when it never fails for that. */
  fail_if_worse: number | null;
  /** Whether a judged figure is worse by more than that. */
  failed: boolean;
  /** Every figure of every variant but the first, judged ones first. */
  figures: FigureFinding[];
  /** `plimsoll.comparison-findings/2`. */
  format: string;
  /** One sentence that says what it comes to. */
  headline: string;
  /** The machine, in one line. */
  host: string;
  /** What every round offered and where that came from, one sentence. */
  load: string;
  /** What was compared. */
  name: string;
  /** One sentence that says what to do next. */
  next_step: string;
  /** What the reader should know besides. */
  notices: Notice[];
  /** What was predicted of the second variant, beside what came of it; `None` where nothing was. */
  prediction: PredictionFinding | null;
  /** What came back to each variant, over all its rounds. */
  responses: ResponsesFinding[];
  /** Every round in the order they were run. */
  rounds: RoundFinding[];
  /** When the comparison began, RFC 3339, UTC. */
  started_at: string;
  /** Address of the service. */
  target: string;
  /** What was compared; every other is set against the first. */
  variants: VariantFinding[];
  /** What it comes to. */
  verdict: CompareVerdict;
  /** Version of plimsoll. */
  version: string;
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

/** A figure of a variant, set against that of the first. */
export interface FigureFinding {
  /** Of the first variant: the geometric mean over its rounds; of errors the mean. */
  baseline: number;
  /** The change as each block saw it, in the order of the blocks. */
  block_changes: number[];
  /** Share by which the figure changes, 0.05 is 5 % more; the ratio is 1 more than this. Of errors it is the difference of the shares. */
  change: number;
  /** Upper end of that interval. */
  change_high: number;
  /** Lower end of the interval that holds the true change. */
  change_low: number;
  /** Least true change that four of five such comparisons would have called better or worse. */
  detectable: number;
  /** Whether it is worse by more than `fail_if_worse`. */
  failed: boolean;
  /** What is compared, such as `CPU per request`. */
  figure: string;
  /** Whether it has a part in the verdict. */
  judged: boolean;
  /** Whether less of it is better. */
  lower_is_better: boolean;
  /** `us`, `ms`, `per_s`, `bytes` or `share`. */
  unit: string;
  /** Of the variant, likewise. */
  value: number;
  /** The variant that is set against the first. */
  variant: string;
  /** How it stands. */
  verdict: FigureVerdict;
}

/** How a figure of a variant stands to that of the first variant. */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'unjudged';

/** Something the reader should know. */
export interface Notice {
  /** `interrupted`, `target_died`, `unjudged`, `torn`, `port_taken`, `generator_late`, `generator_near_limit`, `not_converged`, `redirects`, `error_statuses`, `keep_alive_races`, `unrequested_bytes`, `warning`. */
  code: string;
  /** What to do about it. */
  hint: string | null;
  /** One sentence. */
  message: string;
}

/** What mending a cause was predicted to give, and what it gave: factors on the load line. The proven one is that of the load line where rounds searched it, else that of the requests for which the same CPU is enough. */
export interface PredictionFinding {
  /** The cause that the second variant mends, and its line where it has one. */
  cause: string;
  /** Run folder of the diagnosis, without its path. */
  diagnosis: string;
  /** How far the prediction is off, as a share of the proven gain: -0.5 for × 2 where × 3 was proven. `None` where no gain was proven. */
  error: number | null;
  /** The predicted factor. */
  predicted: number;
  /** The proven factor; `None` where there are too few rounds. */
  proven: number | null;
  /** Upper end of its interval. */
  proven_high: number | null;
  /** Lower end of its interval. */
  proven_low: number | null;
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

/** A variant. */
export interface VariantFinding {
  /** What it is called. */
  name: string;
  /** Rounds of it that the figures are made from. */
  rounds_used: number;
  /** What it is: its command, environment, revision or plan. */
  what: string;
}
