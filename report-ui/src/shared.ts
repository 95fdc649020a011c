// Written by scripts/types.js from the schemas of the other files.

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
  /** The agents of a fleet that made the load instead of this machine, in the order of their shares; empty without a fleet. */
  agents: AgentHost[];
  /** The machine in one line. */
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

/** Something that the reader should know. */
export interface Notice {
  code: string;
  /** The same in words. */
  text: string;
  /** What to do about it. */
  hint: string | null;
}

/** An agent of a fleet, as it says itself. */
export interface AgentHost {
  /** What it is called. */
  name: string;
  /** Where it stands, as its user calls that. */
  zone: string | null;
  /** Cores that it may use. */
  cores: number;
  /** Processor model. */
  cpu_model: string;
  /** Operating system and kernel version. */
  kernel: string;
}

/** A class of failures, or the keep-alive races among them. */
export type FailureClass = 'keep_alive_race' | ErrorClass;

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

/** The unit of a figure. */
export type Unit =
  | 'ms'
  | 'us'
  | 'per_s'
  | 'users_per_s'
  | 'users'
  | 'connections'
  | 'bytes'
  | 'share'
  | 'number';

/** Why a request failed. */
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
  | 'check'
  | 'take'
  | 'grpc_no_status'
  | 'grpc_cancelled'
  | 'grpc_unknown'
  | 'grpc_invalid_argument'
  | 'grpc_deadline_exceeded'
  | 'grpc_not_found'
  | 'grpc_already_exists'
  | 'grpc_permission_denied'
  | 'grpc_resource_exhausted'
  | 'grpc_failed_precondition'
  | 'grpc_aborted'
  | 'grpc_out_of_range'
  | 'grpc_unimplemented'
  | 'grpc_internal'
  | 'grpc_unavailable'
  | 'grpc_data_loss'
  | 'grpc_unauthenticated'
  | 'close_protocol_error'
  | 'close_unsupported_data'
  | 'close_invalid_payload'
  | 'close_policy_violation'
  | 'close_too_big'
  | 'close_internal_error'
  | 'close_service_restart'
  | 'close_try_again_later'
  | 'close_private'
  | 'close_other'
  | 'not_admitted'
  | 'no_port'
  | 'no_descriptor';

/** What a comparison comes to. */
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

/** What a comparison comes to. */
export interface CompareHeadline {
  code: string;
  /** The same in words. */
  text: string;
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
  /** The same of the variant. */
  value: number;
  /** Share by which the figure changes, 0.05 is 5 % more; the ratio is 1 more than this. Of errors it is the difference of the shares. */
  change: number;
  /** Lower end of the interval that holds the true change. */
  change_low: number;
  /** Upper end of that interval. */
  change_high: number;
  /** Least true change that four of five such comparisons would have called better or worse; in a check the least loss that nine of ten of them would have found. */
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

/** What came back to one variant beside what came back to another. */
export interface ResponsesBeside {
  /** Whether the statuses are the same: the share of no class of them differs by a hundredth. */
  same_status: boolean;
  /** Whether they are as long, on average: to a hundredth. */
  same_length: boolean;
  /** Whether the first responses to each request had the same status and body. `None` where bodies differ from one response to the next, and where they were not looked at, because the probe was not in the service. */
  same_content: boolean | null;
  /** Bytes of a response to the first of the two, on average, head included. */
  mean_bytes: number;
  /** Bytes of a response to the other, on average, head included. */
  other_mean_bytes: number;
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

/** How a figure of a variant stands to that of the first variant. */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'held' | 'undecided' | 'unjudged';

/** To what responses came back. */
export interface ResponsesOf {
  code: string;
  /** The same in words. */
  text: string;
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
  directory: string;
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
