// Written by scripts/types.js from docs/reference/findings.schema.json.

import type {
  CompareHeadline,
  CompareVerdict,
  ErrorFinding,
  FailureClass,
  FigureFinding,
  Host,
  Notice,
  ResponsesBeside,
  ResponsesFinding,
  Unit,
} from './shared.ts';

/** Everything that a report shows. */
export interface Findings {
  /** `plimsoll.findings/3`. */
  format: string;
  /** What the run was for. */
  command: RunKind;
  /** Name of the plan. */
  name: string;
  /** Address of the service. */
  target: string;
  /** How the service was started, when plimsoll started it. */
  target_command: string | null;
  /** When the run began, RFC 3339, UTC. */
  started_at: string;
  /** How long it took, seconds. */
  duration_s: number;
  /** Version of plimsoll. */
  version: string;
  /** The machine. */
  host: Host;
  /** What it comes to. */
  verdict: Verdict;
  /** The same in more detail. */
  headline: Headline;
  /** What to do next. */
  next_step: NextStep;
  /** The load line, when one was searched and found. */
  load_line: LoadLine | null;
  /** How many instances a demand needs, when that was asked: predicted from the load line. */
  sizing: SizingFinding | null;
  /** The objectives of the plan in order, judged over the whole run (capacity: at the greatest rate that passed). */
  objectives: ObjectiveFinding[];
  /** Every step in the order they were run; a plain run has one. */
  steps: StepFinding[];
  /** Sums over the run. */
  totals: Totals;
  /** Response time over the run (capacity: at the greatest rate that passed). */
  response_time: Percentiles;
  /** Service time over the same part. */
  service_time: Percentiles;
  /** Schedule lag over the same part. */
  schedule_lag: Percentiles;
  /** TLS handshakes, where there were any. */
  handshakes: HandshakeFinding | null;
  /** Opening handshakes of WebSockets whose messages have responses, from request to response, where there were any. Over the whole run: most are opened before judging begins. */
  openings: Percentiles | null;
  /** How late the service's own pings came, measured against the interval that it had announced, where there were any. Over the whole run. */
  pings: Percentiles | null;
  /** Percentile curve of the response time, ascending. */
  response_time_curve: CurvePoint[];
  /** Each request of the scenario; empty where it has only one. */
  requests: RequestFinding[];
  /** Each journey of the scenario, where it has any: then the rate of the load, and the load line, are in users per second. */
  journeys: JourneyFinding[];
  /** Failures by class, most frequent first. */
  errors: ErrorFinding[];
  /** The service as the operating system saw it, when it could be sampled. */
  target_resources: TargetFinding | null;
  /** What was started beside the service, in the order of the plan. */
  neighbours: NeighbourFinding[];
  /** The neighbour that ran out of CPU before the service did, at the least rate that failed. */
  ran_out_first: FullNeighbour | null;
  /** The connections, when the run held them. */
  hold: HoldFinding | null;
  /** How the service came back, when it was disturbed on purpose. Objectives, times and resources are then those before that. */
  shock: ShockFinding | null;
  /** Whether the service grows, when it was watched for that. */
  soak: SoakFinding | null;
  /** The generator's own state. */
  generator: GeneratorFinding;
  /** The run over time, at most 600 points. */
  timeline: TimelinePoint[];
  /** What the reader should know besides. */
  notices: Notice[];
  /** Why the service stops where it stops, when that was asked for. */
  diagnosis: Diagnosis | null;
}

/** What a run is for: it decides what is done with the plan, and what its records are judged by. */
export type RunKind =
  | 'capacity'
  | 'run'
  | 'bench'
  | 'hold'
  | 'shock'
  | 'soak'
  | 'diagnose'
  | 'plain'
  | 'counters'
  | 'profile';

/** What a run comes to. */
export type Verdict = 'passed' | 'breached' | 'invalid' | 'interrupted' | 'unjudged' | 'failed';

/** What a run comes to. */
export interface Headline {
  code: string;
  /** The same in words. */
  text: string;
}

/** What to do next. */
export interface NextStep {
  code: string;
  /** The same in words. */
  text: string;
}

/** The greatest load at which every objective holds: an arrival rate, a number of users at a time, or of connections that are held. */
export interface LoadLine {
  /** Whether its rates are in users per second, who send several requests each, and not in requests. */
  users: boolean;
  /** The line in users at a time, where the search was in users. The rates are then what these users ask for: seen at the line and at what failed, and in proportion for the interval. */
  concurrent: ConcurrentUsers | null;
  /** The line in connections, where the search was in connections. The rates are then what came on these. */
  held: HeldLine | null;
  /** Greatest rate that passed: what one may rely on, requests per second. */
  rate_per_s: number;
  /** Least rate above it that failed; `None` when nothing failed. Where users were searched, what those asked for: users who wait ask for less, so it may be below the line. */
  failed_per_s: number | null;
  /** Lower end of the interval that holds the true line, requests per second. */
  interval_low_per_s: number;
  /** Upper end of that interval; `None` when the search met no upper end. */
  interval_high_per_s: number | null;
  /** Confidence of that interval, 0 to 1. */
  confidence: number;
  /** Width of the bracket as a share of the line; `None` when nothing failed. */
  bracket_share: number | null;
  /** Whether the bracket got as narrow as was asked for. */
  converged: boolean;
  /** Objective that broke first above the line. */
  broke: Condition | null;
  /** Why the search ended. */
  ended_because: EndedBecause;
  /** CPU of the service per request at the line, microseconds. */
  cpu_us_per_request: number | null;
  /** The interval in words. */
  interval_text: string;
}

/** How many instances of the service a demand needs: predicted from the load line, never measured. */
export interface SizingFinding {
  /** Whether rates are in users per second, and not in requests. */
  users: boolean;
  /** Arrivals that all instances carry together, requests per second. */
  demand_per_s: number;
  /** Share of the load line that is kept free in each instance, 0 to 1. */
  headroom_share: number;
  /** What an instance costs, where that was given. */
  price: PriceFinding | null;
  /** What is predicted; `None` where there is no load line to predict it from. */
  predicted: SizingPrediction | null;
  /** Why nothing is predicted. */
  unsized_because: Unsized | null;
  /** The prediction in words, or why there is none. */
  text: string;
}

/** An objective and how it fared. */
export interface ObjectiveFinding {
  /** Which one. */
  objective: Condition;
  /** Whether enough windows passed; `None` when that was not judged. */
  passed: boolean | null;
  /** Why it was not judged; `None` when it was. */
  unjudged_because: Unjudged | null;
  /** Figure over all judged windows, in the unit of the objective; `None` when it could not be observed. */
  observed: number | null;
  /** The interval that holds the true share at 95 %, where what was observed is a share of users; of Wilson. */
  interval: ShareInterval | null;
  /** Worst window. */
  worst: number | null;
  /** Windows that passed. */
  windows_passed: number;
  /** Windows that were judged. */
  windows_judged: number;
}

/** One step: one rate held, or a whole plain run. */
export interface StepFinding {
  /** Number, from 0. */
  step: number;
  /** Start since the beginning of the run, seconds. */
  start_s: number;
  /** Length, seconds. */
  duration_s: number;
  /** Offered rate, requests per second; `None` where it is not constant or the model is closed. */
  offered_per_s: number | null;
  /** Users at a time, where the search was in users. */
  users: number | null;
  /** Connections that it held, where the search was in connections. */
  connections: number | null;
  /** Requests completed per second in the judged part; `None` when there is none. */
  throughput_per_s: number | null;
  /** Completed, correct and inside the response-time objectives, per second in the judged part; `None` when there is no such part, and where the histograms are lost. */
  goodput_per_s: number | null;
  /** How it ended. */
  verdict: StepVerdict;
  /** First objective that broke. */
  broke: Condition | null;
  /** Every objective. */
  objectives: ObjectiveFinding[];
  /** Response time in the judged part. */
  response_time: Percentiles;
  /** Busy share of the cores the service may use, 0 to 1, in the judged part. */
  cpu_share: number | null;
  /** Busy share of the main thread that is busiest, where several processes serve, 0 to 1, in the judged part. */
  hottest_share: number | null;
  /** For how much of each second a quota kept the service from running, ms. */
  throttled_ms_per_s: number | null;
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Errors as a share of the finished requests, 0 to 1; `None` when none finished. */
  error_share: number | null;
  /** Starts that were never made. */
  dropped: number;
  /** Why the step is invalid. */
  invalid_because: Late | null;
}

/** Sums over the whole run, warm-up and draining included. */
export interface Totals {
  /** Starts that the schedule asked for. */
  scheduled: number;
  /** Requests handed to the kernel. */
  sent: number;
  /** Responses received to the last byte. */
  completed: number;
  /** Responses that met every expectation. */
  passed: number;
  /** Failures of every class; keep-alive races only where they are charged. */
  errors: number;
  /** Starts that were never made. */
  dropped: number;
  /** Bytes handed to the kernel. */
  sent_bytes: number;
  /** Bytes received. */
  received_bytes: number;
  /** Connections opened. */
  connections_opened: number;
  /** Completed per second over the judged part (capacity: at the greatest rate that passed); `None` when there is none. */
  throughput_per_s: number | null;
  /** Responses by first digit of the status; index 0 is 1xx. */
  status: number[];
  /** Responses with a status outside 100 to 599. */
  status_other: number;
  /** Responses among them that are redirects: 301, 302, 303, 307 and 308. */
  redirects: number;
  /** Redirects that were followed; they are not among the responses. */
  followed: number;
  /** Requests that met a kept connection which the service was ending. */
  keep_alive_races: number;
  /** Connections given up because bytes came that no request had asked for. */
  unrequested: number;
}

/** A distribution in milliseconds. Each figure is `None` where there are no values, and where their histograms are lost. */
export interface Percentiles {
  /** Number of values. */
  count: number;
  /** Mean, ms. */
  mean_ms: number | null;
  /** Median, ms. */
  p50_ms: number | null;
  /** 90th percentile, ms. */
  p90_ms: number | null;
  /** 95th percentile, ms. */
  p95_ms: number | null;
  /** 99th percentile, ms. */
  p99_ms: number | null;
  /** 99.9th percentile, ms. */
  p999_ms: number | null;
  /** Longest, ms. */
  max_ms: number | null;
}

/** TLS handshakes over the whole run, warm-up and draining included: most connections are opened before judging begins. */
export interface HandshakeFinding {
  /** With certificates and a key exchange. */
  full: number;
  /** From an earlier session. */
  resumed: number;
  /** From the first message of the client to the last one that it waits for. */
  time: Percentiles;
}

/** A point of a percentile curve. */
export interface CurvePoint {
  /** 0 to 1. */
  quantile: number;
  /** Response time, ms. */
  ms: number;
}

/** One request of the scenario, or all the last ones together where there are more than are kept apart. */
export interface RequestFinding {
  /** Name in the plan; of several, that of the first. */
  name: string;
  /** How many more requests of the scenario are counted with it. */
  others: number;
  /** Completed per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none. */
  rate_per_s: number | null;
  /** Response time in the same part. */
  response_time: Percentiles;
  /** Service time in the same part. */
  service_time: Percentiles;
  /** Sent over the whole run. */
  sent: number;
  /** Responses over the whole run, correct or not. */
  completed: number;
  /** Correct responses over the whole run. */
  passed: number;
  /** Failures over the whole run. */
  errors: number;
  /** Failures as a share of those that finished, 0 to 1; `None` when none finished. */
  error_share: number | null;
  /** Responses by the first digit of their status, 1 to 5. */
  status: number[];
  /** Responses with another status. */
  status_other: number;
  /** Failures by class, most frequent first. */
  failures: RequestFailure[];
}

/** One journey. */
export interface JourneyFinding {
  /** Name in the plan. */
  name: string;
  /** Journeys that came to the end, per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none. */
  finished_per_s: number | null;
  /** From the arrival of a user to the end of the journey, pauses included, in the same part; of users who came to the end. */
  time: Percentiles;
  /** The same without pauses: how long a user waited for responses. */
  waiting: Percentiles;
  /** Journeys that were begun over the whole run. In the open model each has a user of its own; in the closed model users begin one after the other. */
  started: number;
  /** Those of them that were the first of a user, who then had to do what is done `once`; `None` where nothing is. */
  new: number | null;
  /** Journeys that came to the end over the whole run. */
  finished: number;
  /** Journeys that ended before, because a request failed, over the whole run. */
  failed: number;
  /** Users who were still on the way when the run ended. */
  under_way: number;
  /** Its requests in the order in which they are written; those that have no metrics of their own are left out. */
  requests: ReachedFinding[];
}

/** The service as the operating system saw it, over the judged part of the step that is reported. */
export interface TargetFinding {
  /** Cores it may use. */
  cores: number;
  /** Busy share of them, 0 to 1. */
  cpu_share: number;
  /** CPU per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** Greatest resident memory, bytes. */
  rss_max_bytes: number;
  /** Greatest number of processes. */
  processes_max: number;
  /** Greatest number of threads. */
  threads_max: number;
  /** Greatest number of sockets. */
  sockets_max: number;
  /** Involuntary context switches per second. */
  involuntary_switches_per_s: number;
  /** What its control groups grant it, where they bound it. */
  limits: LimitsFinding | null;
  /** Its processes of Node.js, where several of them serve. */
  instances: InstanceFinding[];
}

/** A neighbour of the service, such as a database, that was started with it. */
export interface NeighbourFinding {
  /** What the plan calls it. */
  name: string;
  /** How it was started. */
  command: string;
  /** What it used, over the same part as the service; CPU per request is per request to the service. `None` when it could not be sampled. */
  resources: TargetFinding | null;
}

/** A neighbour whose CPU ran out where an objective broke, while the service had some left. */
export interface FullNeighbour {
  /** What the plan calls it. */
  name: string;
  /** CPU time that it used there, in cores. */
  busy_cores: number;
  /** CPU time that it may use, in cores. */
  cpu_cores: number;
  /** For how much of each second a quota kept it from running, ms, where it was kept for so long that this is why it counts as full. */
  throttled_ms_per_s: number | null;
  /** It may use cores of the service: those are full, and it takes more of them than the service. */
  shares_cores: boolean;
  /** Busy share of the cores that the service may use, 0 to 1, there. */
  service_cpu_share: number;
  /** Whether the rate is in users per second, and not in requests. */
  users: boolean;
  /** The rate there, per second; `None` where it is not constant or the model is closed. */
  offered_per_s: number | null;
}

/** Connections that were held open; over HTTP/2, where several may share one, clients with a stream each. */
export interface HoldFinding {
  /** Connections, or clients, that were asked for. */
  wanted: number;
  /** Connections, or clients, that were opened. */
  opened: number;
  /** Connections, or clients, that were open at the end. */
  live: number;
  /** Most that were open at the end of a tick. */
  live_max: number;
  /** Over HTTP/2: most connections that were open at the end of a tick, which the clients shared. */
  connections_max: number | null;
  /** Those that were opened and did not last; `errors` has the classes. */
  lost: number;
  /** From the beginning to the last one that was opened, seconds; `None` when none was. */
  opening_s: number | null;
  /** From then to the end, seconds. */
  held_s: number | null;
  /** Threads of the generator. */
  shards: number;
  /** Parked requests that got their response, or pings. */
  delivered: number;
  /** From the moment that the service wrote into a response to its last byte, ms. Empty where it writes none. */
  delivery_time: Percentiles;
  /** Memory of the generator that came with each connection, bytes. */
  generator_bytes_per_connection: number | null;
  /** Resident memory of the service that came with each connection, bytes; `None` where it could not be sampled. */
  service_bytes_per_connection: number | null;
  /** Memory of this machine's kernel that came with each connection, bytes: both of its ends where both are here. */
  kernel_bytes_per_connection: number | null;
  /** The messages, when the connections sent some. */
  messages: MessageFinding | null;
}

/** A shock, and how the service came back from it. */
export interface ShockFinding {
  /** What disturbed the service. */
  shock: Shock;
  /** When that began, since the beginning of the run, seconds. */
  begins_s: number;
  /** When it ended, seconds; `None` where the run ended before. */
  ends_s: number | null;
  /** For how long every objective has to hold until the service counts as back, seconds. */
  steady_s: number;
  /** Length of a window, seconds: moments are known to that. */
  window_s: number;
  /** Whether a window since the beginning of the shock failed. */
  broke: boolean;
  /** From the end of the shock until every objective held for long enough, seconds: to the beginning of that stretch. `None` where it did not come. */
  back_after_s: number | null;
  /** Windows after that stretch in which an objective did not hold. */
  failed_since: number;
  /** For how long the service was watched after the end of the shock, seconds. */
  watched_s: number | null;
  /** What the service is in, where it did not come back. */
  not_back: NotBack | null;
  /** From the warm-up to the beginning of the shock. */
  before: ShockPart;
  /** From there to its end. */
  during: ShockPart;
  /** From there until the service was back, or to the end of the run. */
  until_back: ShockPart;
}

/** What a soak saw of growth. */
export interface SoakFinding {
  /** For how long the service was watched after the warm-up, seconds. */
  watched_s: number;
  /** Confidence of the intervals, 0 to 1. */
  confidence: number;
  /** Growth in an hour that matters, as a share of the mean. */
  matters_share_per_h: number;
  /** Everything that was looked at. */
  trends: TrendFinding[];
  /** What the service kept, where it could be asked. */
  kept: KeptFinding | null;
}

/** The generator's own state. */
export interface GeneratorFinding {
  /** Shards. */
  shards: number;
  /** Busiest shard in its busiest judged tick, 0 to 1; `None` without one. */
  busy_share_max: number | null;
  /** 99th percentile of the schedule lag of the judged part, ms. Waiting for a free connection is in it. `None` where no request was sent. */
  lag_p99_ms: number | null;
  /** How late the generator itself woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` in the closed model, which has no due starts. */
  wake_lag_p99_ms: number | null;
  /** The same of the 99.9th percentile; `None` also in directories of earlier versions. */
  wake_lag_p999_ms: number | null;
  /** Generator CPU per completed request, microseconds. What threads spend spinning is left out. */
  cpu_us_per_request: number | null;
  /** Whether it kept up in every judged step; `None` when nothing was judged. */
  kept_up: boolean | null;
  /** Each agent of the fleet that made the load, in the order of their shares; empty without a fleet. */
  agents: AgentFinding[];
  /** Zones of these agents, in the order of the first agent of each; empty where none has one. */
  zones: ZoneFinding[];
}

/** One slot of the timeline. */
export interface TimelinePoint {
  /** Start since the beginning of the run, seconds. */
  at_s: number;
  /** Length, seconds. */
  duration_s: number;
  /** Step it belongs to. */
  step: number;
  /** Starts scheduled per second. */
  offered_per_s: number;
  /** Requests completed per second. */
  throughput_per_s: number;
  /** Errors per second. */
  errors_per_s: number;
  /** Median response time, ms; of merged windows the greatest. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms; of merged windows the greatest. */
  p99_ms: number | null;
  /** Busy share of the service's cores, 0 to 1. */
  cpu_share: number | null;
  /** For how much of each second a quota kept the service from running, ms. */
  throttled_ms_per_s: number | null;
  /** Resident memory of the service, bytes. */
  rss_bytes: number | null;
  /** Users at its end, where the load says in stages how many; of merged windows the most. */
  users: number | null;
  /** Whether it was judged, at least in part; warm-up and draining are not. */
  judged: boolean;
}

/** Why the service stops where it stops. */
export interface Diagnosis {
  /** What runs out first. */
  bound: Bound;
  /** Why that is said. */
  bound_because: BoundBecause;
  /** What broke first as the load rose; `None` where nothing did. */
  broke_first: BrokeFirst | null;
  /** The service is asked by messages: what is said here of requests is of these. */
  by_message: boolean;
  /** Rate of the passes, requests per second. */
  rate_per_s: number | null;
  /** The passes in the order they were run. The first is without probe. */
  passes: Pass[];
  /** What was found, greatest predicted gain first; empty when nothing was. */
  causes: Cause[];
  /** Where the main threads spent their time in the profile, greatest first. */
  breakdown: Slice[];
  /** What each middleware, hook and handler costs; `None` where the framework is not known. */
  layers: LayerCosts | null;
  /** What Node.js itself does, and for whom; `None` without a profile. */
  runtime: RuntimeTime | null;
  /** The source of the functions that take most time by themselves; `None` where it was not read. */
  listings: Listings | null;
  /** The busiest calls of the profile, callers before the called; empty without a profile. */
  flame: FlameCall[];
  /** What leaving something out of the service gave, when that was asked for. Measured: never to be mixed with what is predicted of the causes. */
  what_if: WhatIf[];
  /** What runs out first, in words. */
  bound_text: string;
}

/** A load line in users at a time, each of whom waits for its response and pauses before it asks again (closed model). */
export interface ConcurrentUsers {
  /** Greatest number that passed: what one may rely on. */
  users: number;
  /** Least number above it that failed; `None` when nothing failed. */
  failed: number | null;
  /** Lower end of the interval that holds the true line. */
  interval_low: number;
  /** Upper end of that interval; `None` when the search met no upper end. */
  interval_high: number | null;
  /** What Little's law says of them; `None` where too little was measured, or requests failed. */
  littles_law: LittlesLaw | null;
}

/** A load line in connections that are held open together. */
export interface HeldLine {
  /** Greatest number that passed: what one may rely on. */
  connections: number;
  /** Least number above it that failed; `None` when nothing failed. */
  failed: number | null;
  /** Lower end of the interval that holds the true line. */
  interval_low: number;
  /** Upper end of that interval; `None` when the search met no upper end. */
  interval_high: number | null;
}

/** An objective of the plan, such as `p99 <= 100ms`. */
export interface Condition {
  /** What it bounds. */
  quantity: Quantity;
  /** The quantile of the durations that it bounds, 0 to 1; `None` of other quantities. */
  quantile: number | null;
  /** The zone of a fleet by whose agents alone it is judged; absent where it is about all of them. */
  zone: string | null;
  /** The request of the scenario that it is about, or the journey of a quantity of journeys; absent where it is about all of them. */
  request: string | null;
  /** The bound, in `unit`: the least allowed value of an achieved rate and of what is held, the greatest of anything else. */
  bound: number;
  /** Unit of the bound and of what is held against it. */
  unit: Unit;
  /** The objective as a plan writes it. */
  text: string;
}

/** Why a search ended. */
export interface EndedBecause {
  code: string;
  /** The same in words. */
  text: string;
}

/** What an instance costs, in a unit that is as it was written. */
export interface PriceFinding {
  /** Of one instance for an hour. */
  per_hour: number;
  /** What stands before an amount: a unit such as `$`, or nothing. */
  before: string;
  /** What stands behind an amount: a unit such as ` EUR`, or nothing. */
  after: string;
}

/** What is predicted for a demand. */
export interface SizingPrediction {
  /** What each instance may carry: the load line less the headroom, requests per second. */
  usable_per_s: number;
  /** The true line may be higher, because nothing failed above it: fewer instances may do. */
  at_most: boolean;
  /** Confidence of the intervals, which is that of the load line, 0 to 1. */
  confidence: number;
  /** As many instances as the demand needs while all of them run. */
  needed: Instances;
  /** One more, so that the headroom is still kept when an instance is lost. */
  with_spare: Instances;
  /** What must hold for this. */
  assumption: SizingAssumption;
  /** What it is predicted from, in words. */
  text: string;
}

/** Why no number of instances is predicted. */
export interface Unsized {
  code: string;
  /** The same in words. */
  text: string;
}

/** Why an objective, or a whole run, has no verdict. */
export interface Unjudged {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a share of so many cases says of the share of all. */
export interface ShareInterval {
  /** Lower end, 0 to 1. */
  low: number;
  /** Upper end, 0 to 1. */
  high: number;
}

/** How a step ended. */
export type StepVerdict = 'passed' | 'breached' | 'invalid' | 'unjudged';

/** Why a step is invalid: what the generator lacked. */
export interface Late {
  code: string;
  /** The same in words. */
  text: string;
}

/** Failures of one request of one class. */
export interface RequestFailure {
  /** What kind of failure it is. */
  class: FailureClass;
  /** How many. */
  count: number;
}

/** How many journeys came to a request, over the whole run. */
export interface ReachedFinding {
  /** Name of the request in the plan. */
  request: string;
  /** Whether it is done `once`: on a user's first journey alone. */
  once: boolean;
  /** Journeys that came to it, each once. */
  reached: number;
  /** The same as a share of those that were begun, or of those that were the first of a user where it is done once, 0 to 1; `None` when there were none. */
  share: number | null;
  /** Journeys that ended with it, because it failed. */
  failed: number;
}

/** What the control groups of the service grant it. */
export interface LimitsFinding {
  /** CPU time in cores; `None` without a quota. */
  cpu_cores: number | null;
  /** For how much of each second that quota kept threads of the service from running, ms, all cores together. */
  throttled_ms_per_s: number | null;
  /** Memory, bytes; `None` without a bound. */
  memory_limit_bytes: number | null;
  /** Most of it that was taken, bytes; without file pages that the kernel can drop. */
  memory_max_bytes: number | null;
  /** Processes of the service that the kernel ended because memory ran out, since the run began. */
  oom_kills: number;
}

/** One of them, over the same part as the service. */
export interface InstanceFinding {
  /** What it is to the others. */
  role: InstanceRole;
  /** Number among those of its role, from 1, in the order in which they began. */
  number: number;
  /** Its process. */
  pid: number;
  /** The machine on which it runs, by the name of its target agent; absent where that is the one of the run. */
  machine: string | null;
  /** File name of its script; `None` where its command line shows none. */
  script: string | null;
  /** Busy share of its main thread, which runs its JavaScript, 0 to 1: a share of one core. */
  main_thread_share: number;
  /** CPU time that all of its threads used, in cores. */
  busy_cores: number;
  /** Greatest resident memory, bytes. */
  rss_max_bytes: number;
  /** It was not there any more at the end. */
  ended: boolean;
}

/** Messages that held connections sent, and that came to held connections. */
export interface MessageFinding {
  /** Messages that the service accepted. */
  sent: number;
  /** Messages among them that arrived. */
  delivered: number;
  /** Messages among them that did not, although they were awaited; `None` where the run was cut short, so that they may have been under way. */
  lost: number | null;
  /** Arrivals of messages that had arrived before; of those that are for several connections, at the same one. */
  doubled: number;
  /** What arrived where, if messages are for several connections. */
  broadcast: BroadcastFinding | null;
  /** Messages that came to a connection behind another one of the same sender, as far as it was remembered. */
  compared: number;
  /** Messages among them that were sent before the other one. */
  out_of_order: number;
  /** From the moment at which a message was to be sent until it arrived. Of all that arrived. */
  time: Percentiles;
}

/** What disturbs a service on purpose. */
export interface Shock {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a service is in that has not come back. */
export interface NotBack {
  code: string;
  /** The same in words. */
  text: string;
}

/** What became of the load in a part of the run. */
export interface ShockPart {
  /** Windows. */
  windows: number;
  /** Windows in which every objective held. */
  held: number;
  /** Starts that the schedule asked for. */
  scheduled: number;
  /** Responses that met every expectation. */
  passed: number;
  /** Shed: the service refused them, by 429 or 503, by refusing the connection, or by what says the same in gRPC or on a WebSocket. */
  shed: number;
  /** Failed in any other way: timeouts, resets, other errors. */
  failed: number;
  /** Starts that were never made, because no connection was left. */
  dropped: number;
  /** Most requests that waited for their response at the end of a window. */
  waiting_max: number;
}

/** How a figure of the service changed over time. */
export interface TrendFinding {
  /** Which one; its name ends in its unit. */
  quantity: TrendQuantity;
  /** What its slope says. */
  outcome: TrendOutcome;
  /** The slope, where there was enough to see one. */
  slope: Slope | null;
  /** Why it is undecided, where it is not only that its interval is too wide. */
  because: UndecidedBecause | null;
}

/** What a service kept: its memory right after collections of all garbage that it was asked for. */
export interface KeptFinding {
  /** How often it said so. */
  collections: number;
  /** How often it did not, though it was asked. */
  unanswered: number;
  /** The longest that a collection stopped it, ms. Windows with one are not judged. */
  longest_pause_ms: number;
  /** Threads that were asked, each with a heap of its own. */
  threads: number;
  /** Processes that these belong to. */
  processes: number;
  /** Processes of the service besides, which could not be asked; their memory counts as native. */
  processes_besides: number;
  /** Heap in use by space, and what is beside it, after the first collection and after the last. */
  spaces: SpaceFinding[];
  /** Lines that hold most of what grew in the second half of the time, or since the warm-up where it was stopped before; empty where nothing grows. */
  lines: KeptLine[];
}

/** An agent of a fleet. */
export interface AgentFinding {
  /** What it is called. */
  name: string;
  /** Where it stands, as its user calls that. */
  zone: string | null;
  /** Cores that it may use. */
  cores: number;
  /** Shards. */
  shards: number;
  /** Busiest shard in its busiest judged tick, 0 to 1; `None` without one. */
  busy_share_max: number | null;
  /** How late it woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` without one, and in the closed model. */
  wake_lag_p99_ms: number | null;
  /** What it saw of the service; `None` where it made the whole load. */
  seen: SeenFinding | null;
}

/** Agents of a fleet that stand at one place. */
export interface ZoneFinding {
  /** What it is called. */
  name: string;
  /** How many agents stand there. */
  agents: number;
  /** What they saw of the service. */
  seen: SeenFinding;
}

/** What runs out first. */
export type Bound =
  | 'cpu'
  | 'event_loop'
  | 'threadpool'
  | 'connection_pool'
  | 'upstream'
  | 'neighbour'
  | 'memory'
  | 'terminal'
  | 'neither'
  | 'unknown';

/** Why it is said what runs out first. */
export interface BoundBecause {
  code: string;
  /** The same in words. */
  text: string;
}

/** The objective that broke first as the load rose, at the least rate at which it did. */
export interface BrokeFirst {
  /** Whether rates are in users per second, and not in requests. */
  users: boolean;
  /** Which one. */
  objective: Condition;
  /** That rate, requests per second. */
  rate_per_s: number | null;
  /** Its figure there, in its unit. */
  observed: number | null;
  /** Busy share of the cores that the service may use, 0 to 1, there. */
  cpu_share: number | null;
  /** Busy share of the main thread that was busiest there, where several processes serve, 0 to 1. */
  hottest_share: number | null;
  /** For how much of each second a quota kept the service from running there, ms. */
  throttled_ms_per_s: number | null;
  /** The neighbour of the service that ran out of CPU there, while the service had some left. */
  neighbour: FullNeighbour | null;
  /** What broke first, in words. */
  text: string;
}

/** One run at the rate of the diagnosis. */
export interface Pass {
  /** Which one. */
  name: RunKind;
  /** Requests completed per second; `None` when nothing was judged. */
  throughput_per_s: number | null;
  /** CPU of the service per completed request, microseconds. */
  cpu_us_per_request: number | null;
  /** How much more that is than in the plain pass, as a share of it. */
  extra_cpu_share: number | null;
  /** Median response time, ms. */
  p50_ms: number | null;
  /** 99th percentile of the response time, ms. */
  p99_ms: number | null;
}

/** One cause, and what it costs. */
export interface Cause {
  /** Which kind. */
  kind: CauseKind;
  /** What it is. */
  what: What;
  /** The line of the service that it comes from, where it comes from one. */
  place: Place | null;
  /** Other lines that it comes from, costliest first. */
  other_places: Place[];
  /** The package of `node_modules` through which it is reached. */
  via: string | null;
  /** The line inside of that package, where the place is the line of the service that it was called from. */
  inside: Place | null;
  /** The line of a function of the service's own through which the places reach it, and others too. */
  helper: Place | null;
  /** The line that calls the function of the place most, where that is short and passes on what it is asked for. */
  called_from: Place | null;
  /** What compiled the file of the place, where that has no source map; `None` where someone wrote it. */
  compiled: Compiler | null;
  /** The service is asked by messages: what is said here of a request is of one of these. */
  by_message: boolean;
  /** How often per request. */
  per_request: number | null;
  /** CPU per request, microseconds. */
  cpu_us_per_request: number | null;
  /** That CPU as a share of all CPU per request. */
  cpu_share: number | null;
  /** Waiting per request, milliseconds. */
  wait_ms_per_request: number | null;
  /** The figures that it rests on. */
  evidence: Evidence;
  /** What that would give back; `None` where nothing can be said. */
  predicted: Predicted | null;
  /** What it would give back if every cause at this line went; `None` where it is the only one there. */
  line_predicted: Predicted | null;
  /** What it is, and the package that it is reached through. */
  title: string;
  /** What it costs each request. */
  costs: string;
  /** What to do. */
  remedy: string;
  /** The page that explains it. */
  doc: string;
  /** How to build with source maps, where the place is compiled code. */
  compiled_text: string;
}

/** A part of the time of the main threads. */
export interface Slice {
  /** On what. */
  what: SpentOn;
  /** Share of the busy time. */
  share: number;
}

/** What each middleware, hook and handler costs. */
export interface LayerCosts {
  /** The costliest first. */
  layers: LayerCost[];
  /** Share of the CPU per request that none of them causes: Node.js and the framework. */
  rest_share: number;
}

/** The time of Node.js itself, and to whom all time is charged. Shares are of the busy time of the main threads. */
export interface RuntimeTime {
  /** Time in functions of Node.js, in native code and in collections. */
  share: number;
  /** That time by what is done, greatest first. */
  activities: ActivityTime[];
  /** That time by the line that it is charged to, greatest first. What no line is charged with is not among them. */
  charges: RuntimeCharge[];
  /** All busy time. */
  charged: Charged;
}

/** The functions that took most time by themselves, with their lines. */
export interface Listings {
  /** How long the profile is, seconds. */
  over_s: number;
  /** The costliest first. */
  functions: Listing[];
}

/** A call in a flame graph. */
export interface FlameCall {
  /** Index of its caller, which is smaller than its own; `None` at the root. */
  caller: number | null;
  /** The function; empty for an anonymous one. */
  function: string;
  /** File and line; empty for native code. */
  place: string;
  /** What kind of code it is. */
  class: CodeClass;
  /** Time in it and in what it calls, as a share of the busy time. */
  share: number;
  /** Time in it alone, as a share of the busy time. */
  self_share: number;
}

/** The service without one thing, set against the service as it is, in rounds that alternate under the same arrivals. The probe left it out; nobody changed the code. */
export interface WhatIf {
  /** What was left out, as `--what-if` takes it: `log`, `middleware:session`. */
  without: string;
  /** Number of the first cause that it is a part of, from 1; `None` where it is of none. */
  cause: number | null;
  /** What it comes to. */
  verdict: CompareVerdict;
  /** The same in more detail. */
  headline: CompareHeadline;
  /** How many times as many requests the same CPU is enough for; `None` where too few rounds were made. */
  gain: MeasuredGain | null;
  /** CPU per request and the 99th percentile of the response time, with and without it. */
  figures: FigureFinding[];
  /** Confidence that the intervals of the figures hold at once, 0 to 1. */
  confidence: number;
  /** Rounds of each variant that the figures are made from. */
  rounds_used: number;
  /** Length of all rounds together, seconds. */
  duration_s: number;
  /** What came back from the service as it is, and from the service without it. */
  responses: ResponsesFinding[];
  /** Whether that is the same; `None` where one of them did not respond. */
  responses_beside: ResponsesBeside | null;
  /** What the reader should know besides. */
  notices: Notice[];
  /** Directory of the rounds, inside that of the diagnosis. */
  directory: string;
  /** What was left out and what that gave, in words. */
  text: string;
}

/** Users = throughput × (response time + pause), each measured by itself. Where that is not the number of users there were, something but the service kept them (J. D. C. Little, Operations Research 9, 1961). */
export interface LittlesLaw {
  /** Requests completed per second. */
  throughput_per_s: number;
  /** Mean response time of a request, ms. */
  response_ms: number;
  /** Mean pause after a request, ms: of journeys what their time has besides responses. */
  pause_ms: number;
  /** The users that follow. */
  users: number;
  /** Whether these are those there were, within a tenth. */
  holds: boolean;
}

/** What an objective bounds. */
export type Quantity =
  | 'cpu'
  | 'response_time'
  | 'errors'
  | 'achieved_rate'
  | 'handshake_time'
  | 'opening_time'
  | 'journey_time'
  | 'journey_failed'
  | 'message_time'
  | 'held'
  | 'loop_delay'
  | 'memory'
  | 'throttled';

/** A number of instances, and what comes of it. */
export interface Instances {
  /** How many, by the load line itself. */
  instances: number;
  /** How many if the true line is at the upper end of its interval; `None` where that has none. */
  instances_low: number | null;
  /** How many if it is at the lower end; `None` where that carries nothing. */
  instances_high: number | null;
  /** What each instance carries. */
  each: InstanceLoad;
  /** What each of the others carries when one is lost; `None` where none is left. */
  one_lost: InstanceLoad | null;
  /** What they cost, where a price was given. */
  cost: InstancesCost | null;
  /** The number and its interval in words. */
  text: string;
}

/** What must hold for a number of instances to carry a demand. */
export interface SizingAssumption {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a process of Node.js is to the others of the service. */
export type InstanceRole = 'leader' | 'instance' | 'beside';

/** Messages that are for several connections. */
export interface BroadcastFinding {
  /** Connections that each message is for; `None` where nobody knows. */
  receivers: number | null;
  /** Arrivals of messages at connections, each message once at each. */
  arrivals: number;
  /** Arrivals that did not come although they were awaited; `None` where nobody knows how many were to come, or the run was cut short. */
  missing: number | null;
}

/** What may grow. */
export type TrendQuantity =
  | 'kept_bytes'
  | 'native_bytes'
  | 'memory_bytes'
  | 'cpu_us_per_request'
  | 'p99_ms'
  | 'descriptors';

/** What a slope says. */
export type TrendOutcome = 'grows' | 'steady' | 'undecided' | 'unsettled' | 'not_seen';

/** A straight line through a figure. */
export interface Slope {
  /** Mean of the figure. */
  mean: number;
  /** Growth in an hour, in the unit of the figure. */
  per_h: number;
  /** Least growth in an hour that it may be. */
  low_per_h: number;
  /** Greatest growth in an hour that it may be. */
  high_per_h: number;
  /** Growth in an hour that matters. */
  matters_per_h: number;
}

/** Why growth that is seen accuses nobody. */
export interface UndecidedBecause {
  code: string;
  /** The same in words. */
  text: string;
}

/** Memory of one sort, after the first collection and after the last. */
export interface SpaceFinding {
  /** What V8 calls a space, `external` or `heap_committed`. */
  name: string;
  /** After the first collection, bytes. */
  first_bytes: number;
  /** After the last one, bytes. */
  last_bytes: number;
}

/** A line that holds memory. */
export interface KeptLine {
  /** The function of the service that asked for it, or through which it was asked for. */
  place: Place;
  /** The package that it called for it. */
  via: string | null;
  /** What came in that time and was alive at the end, bytes, by samples. */
  bytes: number;
  /** The same as a share of all that did, 0 to 1. */
  share: number;
}

/** What was seen of the service from one place, over the judged part. */
export interface SeenFinding {
  /** Errors as a share of the finished requests, 0 to 1; `None` where none finished. */
  error_share: number | null;
  /** Response time, from the intended start. */
  response_time: Percentiles;
}

/** Kinds of causes. */
export type CauseKind =
  | 'blocking-write'
  | 'sync-file-read'
  | 'json'
  | 'broadcast-per-socket'
  | 'sync-crypto'
  | 'sync-zlib'
  | 'regex'
  | 'gc'
  | 'listener-growth'
  | 'room-growth'
  | 'heap-growth'
  | 'event-loop-stall'
  | 'threadpool-saturation'
  | 'threadpool-work'
  | 'message-compression'
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
  | 'node-hot'
  | 'one-core-busy';

/** What a cause is. */
export interface What {
  code: string;
  /** The same in words. */
  text: string;
}

/** A line of code. */
export interface Place {
  /** Path, relative to the directory in which the service runs where it lies below it. */
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

/** A compiler or bundler, as far as its output says which. */
export type Compiler =
  | 'esbuild'
  | 'webpack'
  | 'next'
  | 'ncc'
  | 'rollup'
  | 'rolldown'
  | 'typescript'
  | 'swc'
  | 'babel'
  | 'bun'
  | 'unknown';

/** The figures that a cause rests on. */
export interface Evidence {
  code: string;
  /** The same in words. */
  text: string;
}

/** What fixing a cause would give back. Never measured: it is computed from the assumption. */
export interface Predicted {
  /** The load line then, requests per second, or users per second; `None` when no load line was searched. */
  load_line_per_s: number | null;
  /** Whether that is in users per second, and not in requests. */
  users: boolean;
  /** Factor on the load line. */
  factor: number;
  /** The factor is hardly below this. */
  low: number;
  /** The factor is hardly above this; `None` where nothing says how great it may be. */
  high: number | null;
  /** So little would remain that only `low` can be relied on: the factor is at least that. */
  at_least: boolean;
  /** What becomes of the response time, where that is what breaks. */
  response_time: ResponseThen | null;
  /** The objective that would break next, where it is another one than now. */
  next: Condition | null;
  /** What must hold for it. */
  assumption: Assumption;
  /** The prediction and its assumption in words. */
  text: string;
}

/** What the main threads spent time on. */
export interface SpentOn {
  code: string;
  /** The same in words. */
  text: string;
}

/** What one of them costs: what it does, what its callbacks and promises do later, its garbage, its tasks for the threadpool. */
export interface LayerCost {
  /** What it is. */
  role: LayerRole;
  /** Its name; empty for an anonymous function. */
  name: string;
  /** The line that registers it. */
  place: Place | null;
  /** The package that this line is in; `None` for the service's own code. */
  package: string | null;
  /** The line where the function begins, where the profile saw it. */
  defined: Place | null;
  /** The package that this line is in; `None` for the service's own code. */
  defined_in: string | null;
  /** It decides which requests get through. */
  guards: boolean;
  /** CPU per request, microseconds. */
  cpu_us_per_request: number | null;
  /** That CPU as a share of all CPU per request. */
  cpu_share: number;
  /** Lower end of the interval that holds this share in 95 of 100 profiles of the same load. */
  cpu_share_low: number;
  /** Upper end of that interval. */
  cpu_share_high: number;
  /** The part of that share that collects its garbage. */
  garbage_share: number;
  /** The part of that share that the threadpool does for it. */
  threadpool_share: number;
}

/** Time of one activity. */
export interface ActivityTime {
  /** What is done. */
  activity: Activity;
  /** Share of the busy time. */
  share: number;
  /** The part of that share which no line is charged with. */
  uncharged_share: number;
}

/** Time of Node.js that one function, or what one line registers, is charged with. */
export interface RuntimeCharge {
  /** The line: the costliest of the function, or the one that registers a middleware, hook or handler. */
  place: Place;
  /** The package that it is in; `None` for the service's own code. */
  package: string | null;
  /** What the line registers with a framework, or the server that it makes listen; `None` where it is one that calls Node.js. */
  registers: Registered | null;
  /** Share of the busy time. */
  share: number;
  /** What Node.js does for it, greatest first. */
  activities: ChargedActivity[];
}

/** To whom all busy time is charged, that in the code of the service and of packages included. What the service, packages and no line are charged with makes one. */
export interface Charged {
  /** To lines of the service's own code. */
  application_share: number;
  /** To lines of packages. */
  package_share: number;
  /** The part of that for packages that run the service's code, such as Express. */
  framework_share: number;
  /** The part of the first two for lines that make a server listen: what Node.js does there for requests before and after any function of the service has to do with them. */
  listening_share: number;
  /** To none: it is known by what Node.js does. */
  rest_share: number;
  /** The part of the first two for which no line is on the stack: labels, or the memory that was asked for, say whose it is. */
  estimated_share: number;
}

/** A function and those of its lines that are worth reading. */
export interface Listing {
  /** Its name; empty for an anonymous function. */
  function: string;
  /** Path of its file, relative to the directory in which the service runs where it lies below it. */
  file: string;
  /** Where it begins, from 1. */
  line: number;
  /** The package that it belongs to; `None` for the service's own code. */
  package: string | null;
  /** Time in it alone, with the builtins of the language that it calls, ms. */
  ms: number;
  /** That time as a share of the busy time. */
  share: number;
  /** Its lines, ascending; lines that took little may be left out between them. */
  lines: ListedLine[];
}

/** What kind of code it is. */
export type CodeClass = 'engine' | 'gc' | 'regex' | 'native' | 'node' | 'package' | 'own';

/** A gain that was measured. */
export interface MeasuredGain {
  /** Factor on the requests for which the same CPU is enough. */
  factor: number;
  /** Lower end of the interval that holds the true factor. */
  low: number;
  /** Upper end of that interval. */
  high: number;
}

/** What an instance carries, by its even share of the demand. */
export interface InstanceLoad {
  /** Requests per second. */
  rate_per_s: number;
  /** That rate as a share of the load line; above 1, objectives are expected to break. */
  line_share: number;
}

/** What instances cost, in the unit of the price. */
export interface InstancesCost {
  /** An hour. */
  per_hour: number;
  /** A month of 730 hours. */
  per_month: number;
  /** A million requests, at the demand. */
  per_million_requests: number;
}

/** The response time without a cause, at the rate of the diagnosis. */
export interface ResponseThen {
  /** Of which quantile, 0 to 1; `None` of the mean. */
  quantile: number | null;
  /** Now, ms. */
  now_ms: number;
  /** Then, ms. */
  then_ms: number;
}

/** What must hold for a prediction. */
export interface Assumption {
  code: string;
  /** The same in words. */
  text: string;
}

/** What a function is that a framework calls for a request. */
export type LayerRole = 'middleware' | 'hook' | 'handler' | 'server';

/** What Node.js does. */
export type Activity =
  | 'reading_messages'
  | 'writing_messages'
  | 'ending_requests'
  | 'http_client'
  | 'http2'
  | 'sockets'
  | 'connecting'
  | 'streams'
  | 'timers'
  | 'promises'
  | 'events'
  | 'buffers'
  | 'urls'
  | 'crypto'
  | 'zlib'
  | 'files'
  | 'modules'
  | 'formatting'
  | 'errors'
  | 'processes'
  | 'observing'
  | 'native_functions'
  | 'garbage'
  | 'native'
  | 'other';

/** What a line registers with a framework, or makes listen. */
export interface Registered {
  /** What it is. */
  role: LayerRole;
  /** Its name; empty for an anonymous function. */
  name: string;
}

/** A part of a charge. */
export interface ChargedActivity {
  /** What is done. */
  activity: Activity;
  /** Share of the busy time. */
  share: number;
}

/** A line of a function. */
export interface ListedLine {
  /** From 1. */
  line: number;
  /** Its text, without secrets and cut where it is long. */
  text: string;
  /** Time in it, ms. */
  ms: number;
}
