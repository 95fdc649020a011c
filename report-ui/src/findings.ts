// Written by scripts/types.js from docs/reference/findings.schema.json.

/** Everything that a report shows. */
export interface Findings {
  /** What the run was for. */
  command: RunKind;
  /** Why the service stops where it stops, when that was asked for. */
  diagnosis: Diagnosis | null;
  /** How long it took, seconds. */
  duration_s: number;
  /** Failures by class, most frequent first. */
  errors: ErrorFinding[];
  /** `plimsoll.findings/2`. */
  format: string;
  /** The generator's own state. */
  generator: GeneratorFinding;
  /** One sentence that says what it comes to. */
  headline: string;
  /** The connections, when the run held them. */
  hold: HoldFinding | null;
  /** The machine, in one line. */
  host: string;
  /** The load line, when one was searched and found. */
  load_line: LoadLine | null;
  /** Name of the plan. */
  name: string;
  /** One sentence that says what to do next. */
  next_step: string;
  /** What the reader should know besides. */
  notices: Notice[];
  /** The objectives of the plan in order, judged over the whole run (capacity: at the greatest rate that passed). */
  objectives: ObjectiveFinding[];
  /** Response time over the run (capacity: at the greatest rate that passed). */
  response_time: Percentiles;
  /** Percentile curve of the response time, ascending. */
  response_time_curve: CurvePoint[];
  /** Schedule lag, likewise. */
  schedule_lag: Percentiles;
  /** Service time, likewise. */
  service_time: Percentiles;
  /** When the run began, RFC 3339, UTC. */
  started_at: string;
  /** Every step in the order they were run; a plain run has one. */
  steps: StepFinding[];
  /** Address of the service. */
  target: string;
  /** How the service was started, when plimsoll started it. */
  target_command: string | null;
  /** The service as the operating system saw it, when it could be sampled. */
  target_resources: TargetFinding | null;
  /** The run over time, at most 600 points. */
  timeline: TimelinePoint[];
  /** Sums over the run. */
  totals: Totals;
  /** What it comes to. */
  verdict: Verdict;
  /** Version of plimsoll. */
  version: string;
}

/** What runs out first. */
export type Bound = 'cpu' | 'upstream' | 'neither' | 'unknown';

/** One cause, and what it costs. */
export interface Cause {
  /** That CPU as a share of all CPU per request. */
  cpu_share: number | null;
  /** CPU per request, microseconds. */
  cpu_us_per_request: number | null;
  /** The page that explains it. */
  doc: string;
  /** The figures that it rests on, one sentence. */
  evidence: string;
  /** Which kind. */
  kind: Kind;
  /** What it would give back if every cause at this line went; `None` where it is the only one there. */
  line_predicted: Predicted | null;
  /** Other lines that it comes from, costliest first. */
  other_places: Place[];
  /** How often per request. */
  per_request: number | null;
  /** The line of the service that it comes from, where it comes from one. */
  place: Place | null;
  /** What that would give back; `None` where nothing can be said. */
  predicted: Predicted | null;
  /** What to do, one sentence. */
  remedy: string;
  /** The package of `node_modules` through which it is reached. */
  via: string | null;
  /** Waiting per request, milliseconds. */
  wait_ms_per_request: number | null;
  /** What it is, a fragment such as `JSON.parse of the same text again`. */
  what: string;
}

/** A point of a percentile curve. */
export interface CurvePoint {
  /** Response time, ms. */
  ms: number;
  /** 0 to 1. */
  quantile: number;
}

/** Why the service stops where it stops. */
export interface Diagnosis {
  /** What runs out first. */
  bound: Bound;
  /** Why that is said, one sentence. */
  bound_because: string;
  /** Where the main threads spent their time in the profile, greatest first. */
  breakdown: Slice[];
  /** What was found, greatest predicted gain first; empty when nothing was. */
  causes: Cause[];
  /** The busiest calls of the profile, callers before the called; empty without a profile. */
  flame: FlameCall[];
  /** The passes in the order they were run. The first is without probe. */
  passes: Pass[];
  /** Rate of the passes, requests per second. */
  rate_per_s: number | null;
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

/** A call in a flame graph. */
export interface FlameCall {
  /** Index of its caller, which is smaller than its own; `None` at the root. */
  caller: number | null;
  /** What kind of code it is: `own`, `package`, `node`, `native`, `regex`, `gc` or `engine`. */
  class: string;
  /** The function; empty for an anonymous one. */
  function: string;
  /** File and line; empty for native code. */
  place: string;
  /** Time in it alone, likewise. */
  self_share: number;
  /** Time in it and in what it calls, as a share of the busy time. */
  share: number;
}

/** The generator's own state. */
export interface GeneratorFinding {
  /** Busiest shard in its busiest judged tick, 0 to 1; `None` without one. */
  busy_share_max: number | null;
  /** Generator CPU per completed request, microseconds. What threads spend spinning is left out. */
  cpu_us_per_request: number | null;
  /** Whether it kept up in every judged step; `None` when nothing was judged. */
  kept_up: boolean | null;
  /** 99th percentile of the schedule lag of the judged part, ms. Waiting for a free connection is in it. `None` where no request was sent. */
  lag_p99_ms: number | null;
  /** Shards. */
  shards: number;
  /** How late the generator itself woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` in the closed model, which has no due starts. */
  wake_lag_p99_ms: number | null;
}

/** Connections that were held open. */
export interface HoldFinding {
  /** Parked requests that were answered, or pings. */
  delivered: number;
  /** From the moment that the service wrote into an answer to its last byte, ms. Empty where it writes none. */
  delivery_time: Percentiles;
  /** Memory of the generator that came with each connection, bytes. */
  generator_bytes_per_connection: number | null;
  /** From then to the end, seconds. */
  held_s: number | null;
  /** Memory of this machine's kernel that came with each connection, bytes: both of its ends where both are here. */
  kernel_bytes_per_connection: number | null;
  /** Connections that were open at the end. */
  live: number;
  /** Most connections that were open at the end of a tick. */
  live_max: number;
  /** Connections that were opened and did not last; `errors` has the classes. */
  lost: number;
  /** Connections that were opened. */
  opened: number;
  /** From the beginning to the last connection that was opened, seconds; `None` when none was. */
  opening_s: number | null;
  /** Resident memory of the service that came with each connection, bytes; `None` where it could not be sampled. */
  service_bytes_per_connection: number | null;
  /** Threads of the generator. */
  shards: number;
  /** Connections that were asked for. */
  wanted: number;
}

/** Kinds of causes. */
export type Kind =
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

/** The greatest arrival rate at which every objective holds. */
export interface LoadLine {
  /** Width of the bracket as a share of the line; `None` when nothing failed. */
  bracket_share: number | null;
  /** Objective that broke first above the line, as written in the plan. */
  broke: string | null;
  /** Confidence of that interval, 0 to 1. */
  confidence: number;
  /** Whether the bracket got as narrow as was asked for. */
  converged: boolean;
  /** CPU of the service per request at the line, microseconds. */
  cpu_us_per_request: number | null;
  /** Why the search ended, one sentence. */
  ended_because: string;
  /** Least rate above it that failed; `None` when nothing failed. */
  failed_per_s: number | null;
  /** Upper end of that interval; `None` when the search met no upper end. */
  interval_high_per_s: number | null;
  /** Lower end of the interval that holds the true line, requests per second. */
  interval_low_per_s: number;
  /** Greatest rate that passed: what one may rely on, requests per second. */
  rate_per_s: number;
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

/** An objective and how it fared. */
export interface ObjectiveFinding {
  /** Bound, in the same unit. */
  bound: number;
  /** As written in the plan. */
  objective: string;
  /** Figure over all judged windows, in the unit of `unit`; `None` when it could not be observed. */
  observed: number | null;
  /** Whether enough windows passed; `None` when that was not judged. */
  passed: boolean | null;
  /** `ms`, `share` of 1. */
  unit: string;
  /** Why it was not judged, one fragment; `None` when it was. */
  unjudged_because: string | null;
  /** Windows that were judged. */
  windows_judged: number;
  /** Windows that passed. */
  windows_passed: number;
  /** Worst window. */
  worst: number | null;
}

/** One run at the rate of the diagnosis. */
export interface Pass {
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** How much more that is than in the plain pass, as a share of it. */
  extra_cpu_share: number | null;
  /** `plain`, `counters` or `profile`. */
  name: string;
  /** Median response time, ms. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms. */
  p99_ms: number | null;
  /** Requests completed per second; `None` when nothing was judged. */
  throughput_per_s: number | null;
}

/** A distribution in milliseconds. Each figure is `None` where there are no values, and where their histograms are lost. */
export interface Percentiles {
  /** Number of values. */
  count: number;
  /** Longest, ms. */
  max_ms: number | null;
  /** Mean, ms. */
  mean_ms: number | null;
  /** Median, ms. */
  p50_ms: number | null;
  /** 90th percentile, ms. */
  p90_ms: number | null;
  /** 95th percentile, ms. */
  p95_ms: number | null;
  /** 99.9th percentile, ms. */
  p999_ms: number | null;
  /** 99th percentile, ms. */
  p99_ms: number | null;
}

/** A line of code. */
export interface Place {
  /** From 1; `None` where only the line is known. */
  column: number | null;
  /** Path, relative to the folder in which the service runs where it lies below it. */
  file: string;
  /** The function; empty for an anonymous one. */
  function: string;
  /** Whether `line` is where the function begins, because the line in it is not known. */
  is_function: boolean;
  /** From 1. */
  line: number;
}

/** What mending a cause would give back. Never measured: it is computed from the assumption. */
export interface Predicted {
  /** What must hold for it, one sentence. */
  assumption: string;
  /** Factor on the load line. */
  factor: number;
  /** The load line then, requests per second; `None` when no load line was searched. */
  load_line_per_s: number | null;
}

/** What a run is for: it decides what is done with the plan, and what its records are judged by. */
export type RunKind = 'capacity' | 'run' | 'bench' | 'hold' | 'diagnose' | 'plain' | 'counters' | 'profile';

/** A part of the time of the main threads. */
export interface Slice {
  /** Share of the busy time. */
  share: number;
  /** A kind of cause, `own code`, `package NAME` or `Node.js`. */
  what: string;
}

/** One step: one rate held, or a whole plain run. */
export interface StepFinding {
  /** First objective that broke, as written in the plan. */
  broke: string | null;
  /** Busy share of the cores the service may use, 0 to 1, in the judged part. */
  cpu_share: number | null;
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Starts that were never made. */
  dropped: number;
  /** Length, seconds. */
  duration_s: number;
  /** Errors as a share of the finished requests, 0 to 1; `None` when none finished. */
  error_share: number | null;
  /** Completed, correct and inside the response-time objectives, per second in the judged part; `None` likewise, and where the histograms are lost. */
  goodput_per_s: number | null;
  /** Why the step is invalid, one sentence. */
  invalid_because: string | null;
  /** Every objective. */
  objectives: ObjectiveFinding[];
  /** Offered rate, requests per second; `None` where it is not constant or the model is closed. */
  offered_per_s: number | null;
  /** Response time in the judged part. */
  response_time: Percentiles;
  /** Start since the beginning of the run, seconds. */
  start_s: number;
  /** Number, from 0. */
  step: number;
  /** Requests completed per second in the judged part; `None` when there is none. */
  throughput_per_s: number | null;
  /** How it ended. */
  verdict: StepVerdict;
}

/** How a step ended. */
export type StepVerdict = 'passed' | 'breached' | 'invalid' | 'unjudged';

/** The service as the operating system saw it, over the judged part of the step that is reported. */
export interface TargetFinding {
  /** Cores it may use. */
  cores: number;
  /** Busy share of them, 0 to 1. */
  cpu_share: number;
  /** CPU per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Involuntary context switches per second. */
  involuntary_switches_per_s: number;
  /** Greatest number of processes. */
  processes_max: number;
  /** Greatest resident memory, bytes. */
  rss_max_bytes: number;
  /** Greatest number of sockets. */
  sockets_max: number;
  /** Greatest number of threads. */
  threads_max: number;
}

/** One slot of the timeline. */
export interface TimelinePoint {
  /** Start since the beginning of the run, seconds. */
  at_s: number;
  /** Busy share of the service's cores, 0 to 1. */
  cpu_share: number | null;
  /** Length, seconds. */
  duration_s: number;
  /** Errors per second. */
  errors_per_s: number;
  /** 99th percentile of the event-loop delay, ms, when the probe reports it. */
  event_loop_delay_ms: number | null;
  /** Whether it was judged, at least in part; warm-up and draining are not. */
  judged: boolean;
  /** Starts scheduled per second. */
  offered_per_s: number;
  /** Median response time, ms; of merged windows the greatest. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms; of merged windows the greatest. */
  p99_ms: number | null;
  /** Resident memory of the service, bytes. */
  rss_bytes: number | null;
  /** Step it belongs to. */
  step: number;
  /** Requests completed per second. */
  throughput_per_s: number;
}

/** Sums over the whole run, warm-up and draining included. */
export interface Totals {
  /** Answers received to the last byte. */
  completed: number;
  /** Connections opened. */
  connections_opened: number;
  /** Starts that were never made. */
  dropped: number;
  /** Failures of every class; keep-alive races only where they are charged. */
  errors: number;
  /** Requests that met a kept connection which the service was ending. */
  keep_alive_races: number;
  /** Answers that met every expectation. */
  passed: number;
  /** Bytes received. */
  received_bytes: number;
  /** Answers among them that are redirects: 301, 302, 303, 307 and 308. */
  redirects: number;
  /** Starts that the schedule asked for. */
  scheduled: number;
  /** Requests handed to the kernel. */
  sent: number;
  /** Bytes handed to the kernel. */
  sent_bytes: number;
  /** Answers by first digit of the status; index 0 is 1xx. */
  status: number[];
  /** Answers with a status outside 100 to 599. */
  status_other: number;
  /** Completed per second over the judged part (capacity: at the greatest rate that passed); `None` when there is none. */
  throughput_per_s: number | null;
  /** Connections given up because bytes came that no request had asked for. */
  unrequested: number;
}

/** What a run comes to. */
export type Verdict = 'passed' | 'breached' | 'invalid' | 'interrupted' | 'unjudged' | 'failed';
