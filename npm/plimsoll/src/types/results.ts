// Written by scripts/types.js from findings.schema.json, compare.schema.json, event.schema.json in docs/reference.

export type Whole = Findings | Comparison | Event;
/**
 * What a run is for: it decides what is done with the plan, and what its records are judged by.
 */
export type RunKind =
  'capacity' | 'run' | 'bench' | 'hold' | 'shock' | 'soak' | 'diagnose' | 'plain' | 'counters' | 'profile';
/**
 * What a run comes to.
 */
export type Verdict = 'passed' | 'breached' | 'invalid' | 'interrupted' | 'unjudged' | 'failed';
/**
 * What a run comes to.
 */
export type Headline =
  | {
      code: 'load_line';
      /**
       * Whether rates are in users per second.
       */
      users: boolean;
      /**
       * Greatest number of users at a time that passed, where the search was in users; rates are what these asked for.
       */
      concurrent_users?: number | null;
      /**
       * Least number of them above it that failed.
       */
      failed_users?: number | null;
      /**
       * Greatest number of connections that were held, where the search was in connections.
       */
      held_connections?: number | null;
      /**
       * Least number of them above it that failed.
       */
      failed_connections?: number | null;
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
       * Whether rates are in users per second.
       */
      users: boolean;
      /**
       * Objective that broke; `None` where every request failed.
       */
      broke?: Condition | null;
      /**
       * The least number of users at a time that was tried, where the search was in users.
       */
      lowest_users?: number | null;
      /**
       * The least number of connections that was tried, where the search was in connections.
       */
      lowest_connections?: number | null;
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
      code: 'agent_lost';
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
      code: 'out_of_memory';
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
      code: 'neighbour_died';
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
       * Messages that were sent on the way, all of which arrived once; `None` where none were to be sent.
       */
      messages?: number | null;
      /**
       * They are streams of HTTP/2, which may share connections.
       */
      streams: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'messages_not_delivered';
      /**
       * Messages that did not arrive.
       */
      lost: number;
      /**
       * Arrivals of messages for several connections that did not come.
       */
      missing: number;
      /**
       * Arrivals of messages that had arrived before.
       */
      doubled: number;
      /**
       * Messages that the service accepted.
       */
      sent: number;
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
       * They are streams of HTTP/2, which may share connections.
       */
      streams: boolean;
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
       * They are streams of HTTP/2, which may share connections.
       */
      streams: boolean;
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
       * They are streams of HTTP/2, which may share connections.
       */
      streams: boolean;
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
       * They are streams of HTTP/2, which may share connections.
       */
      streams: boolean;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'back';
      /**
       * What disturbed it.
       */
      shock: Shock;
      /**
       * From the end of the shock, seconds; `None` where every objective held all the time.
       */
      after_s?: number | null;
      /**
       * That is known to so many seconds.
       */
      window_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'not_back';
      /**
       * What disturbed it.
       */
      shock: Shock;
      /**
       * For how long it was watched after the end of the shock, seconds.
       */
      watched_s: number;
      /**
       * What it is in.
       */
      state: NotBack;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'broken_before';
      /**
       * Which; `None` where every request failed.
       */
      objective?: Condition | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'grows';
      /**
       * What, and by how much.
       */
      growth: Growth[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'steady';
      /**
       * For how long it was watched, seconds.
       */
      watched_s: number;
      /**
       * Growth in an hour that matters, as a share of the mean.
       */
      matters_share_per_h: number;
      /**
       * What was looked at.
       */
      quantities: TrendQuantity[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'growth_undecided';
      /**
       * For how long it was watched, seconds.
       */
      watched_s: number;
      /**
       * Of what.
       */
      quantities: TrendQuantity[];
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
       * It ended before all was looked at, so that no cause does not mean that there is none.
       */
      cut_off: boolean;
      /**
       * Causes were found, and too few samples of the profile show any that would explain the limit.
       */
      few_samples: boolean;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What an objective bounds.
 */
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
/**
 * The unit of a figure.
 */
export type Unit =
  'ms' | 'us' | 'per_s' | 'users_per_s' | 'users' | 'connections' | 'bytes' | 'share' | 'number';
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
      code: 'generator_limit_of_users';
      /**
       * So many.
       */
      users: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'generator_limit_of_connections';
      /**
       * So many.
       */
      connections: number;
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
      code: 'no_memory';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_loop';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_quota';
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
      code: 'no_opening';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_journey';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'no_journey_ended';
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
      code: 'no_message';
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
/**
 * What disturbs a service on purpose.
 */
export type Shock =
  | {
      code: 'burst';
      /**
       * So many times the rate.
       */
      times: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'neighbour_paused';
      /**
       * What the plan calls it.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'neighbour_gone';
      /**
       * What the plan calls it.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'restart';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What a service is in that has not come back.
 */
export type NotBack =
  | {
      code: 'watched_too_short';
      /**
       * For how long they held, seconds.
       */
      held_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'unreachable';
      /**
       * Most frequent failure.
       */
      most: FailureClass;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'silent';
      /**
       * Requests that waited at the end.
       */
      waiting: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'queue';
      /**
       * Requests that waited at the end.
       */
      waiting: number;
      /**
       * Most that waited at the end of a window before the shock.
       */
      before: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'working_off';
      /**
       * Requests that waited at the end.
       */
      waiting: number;
      /**
       * Requests that waited when the shock ended, or at most since.
       */
      from: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'failing';
      /**
       * Most frequent failure.
       */
      most: FailureClass;
      /**
       * Share of the finished requests in the last third of the time, 0 to 1.
       */
      share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'broken';
      /**
       * The objective that failed last; `None` where nothing was due.
       */
      objective?: Condition | null;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What may grow.
 */
export type TrendQuantity =
  'kept_bytes' | 'native_bytes' | 'memory_bytes' | 'cpu_us_per_request' | 'p99_ms' | 'descriptors';
/**
 * What runs out first.
 */
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
       * Its function that the service calls, where several are told apart.
       */
      function?: string | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'node';
      /**
       * Most of it.
       */
      activity: Activity;
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
/**
 * What Node.js does.
 */
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
/**
 * What a function is that a framework calls for a request.
 */
export type LayerRole = 'middleware' | 'hook' | 'handler' | 'server';
/**
 * What to do next.
 */
export type NextStep =
  | {
      code: 'use_line';
      /**
       * Whether rates are in users per second.
       */
      users: boolean;
      /**
       * The line in users at a time, where the search was in users.
       */
      concurrent_users?: number | null;
      /**
       * The line in connections, where the search was in connections.
       */
      held_connections?: number | null;
      /**
       * The line, requests per second.
       */
      rate_per_s: number;
      /**
       * How the line is raised, or placed more closely.
       */
      then: LineThen;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'find_line';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'spread_requests';
      /**
       * Number of that instance.
       */
      number: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'spend_less_cpu';
      /**
       * What a request costs now, microseconds.
       */
      cpu_us_per_request?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_errors';
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
      code: 'lower_rate';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'worker_per_core';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'leave_out';
      /**
       * The name that `--without` has for it.
       */
      removal: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'raise_cpu_limit';
      /**
       * What it has, in cores.
       */
      cpu_cores: number;
      /**
       * For how much of each second that keeps it from running, ms.
       */
      throttled_ms_per_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'relieve_neighbour';
      /**
       * What the plan calls it.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'raise_memory_limit';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'free_loop';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'hold_less_memory';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_waits';
      /**
       * Busy share of the service's cores, 0 to 1.
       */
      cpu_share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'sample_cpu';
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
      code: 'see_agents';
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
      code: 'get_judged';
      /**
       * Why it was not; `None` where nothing says it.
       */
      because?: Unjudged | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_port';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_exit';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_neighbour';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'check_target';
      /**
       * Its address.
       */
      target: string;
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
    }
  | {
      code: 'hold_more';
      /**
       * So many.
       */
      connections: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'send_fewer';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'keep_idle_longer';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'shock_more';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'let_come_back';
      /**
       * What it is in.
       */
      state: NotBack;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'lower_base';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'find_growth';
      /**
       * What grows first.
       */
      quantity: TrendQuantity;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'soak_longer';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'soak_on';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'lower_pace';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_open_files';
      /**
       * Connections that were asked for.
       */
      connections: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'more_addresses';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'raise_open_files';
      /**
       * Connections that were asked for.
       */
      connections: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'check_listens';
      /**
       * Its address.
       */
      target: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'fix_cause';
      /**
       * Its kind.
       */
      kind: CauseKind;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_flame';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What else is to be said of a load line.
 */
export type LineThen =
  | {
      code: 'offer_more';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'take_longer';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'save_cpu';
      /**
       * What a request costs, microseconds.
       */
      cpu_us_per_request: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'raise_cpu_limit';
      /**
       * The quota, in cores.
       */
      cpu_cores: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'relieve_neighbour';
      /**
       * What the plan calls it.
       */
      name: string;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'see_waits';
      /**
       * What; `None` where every request failed.
       */
      broke?: Condition | null;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What must hold for a number of instances to carry a demand.
 */
export type SizingAssumption = {
  code: 'independent';
  /**
   * The same in words.
   */
  text: string;
};
/**
 * Why no number of instances is predicted.
 */
export type Unsized =
  | {
      code: 'no_line';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'unjudged';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'failed';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * How a step ended.
 */
export type StepVerdict = 'passed' | 'breached' | 'invalid' | 'unjudged';
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
       * 0.01, or less where an objective is about a higher quantile: 0.001, and 0 for any start.
       */
      share: number;
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
 * What a process of Node.js is to the others of the service.
 */
export type InstanceRole = 'leader' | 'instance' | 'beside';
/**
 * What a slope says.
 */
export type TrendOutcome = 'grows' | 'steady' | 'undecided' | 'unsettled' | 'not_seen';
/**
 * Why growth that is seen accuses nobody.
 */
export type UndecidedBecause =
  | {
      code: 'little';
      /**
       * So far, bytes.
       */
      grown_bytes: number;
      /**
       * More than this would be growth, bytes.
       */
      least_bytes: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'fades';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'young_heap';
      /**
       * It is decided when it was watched for so long, seconds.
       */
      least_s: number;
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
      code: 'out_of_memory';
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
      code: 'neighbour_died';
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
      code: 'agent_lost';
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
       * Whether rates are in users per second, and not in requests.
       */
      users: boolean;
      /**
       * Whether users at a time were searched: both rates are such numbers then.
       */
      at_a_time: boolean;
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
      code: 'littles_law_broken';
      /**
       * Users there were.
       */
      users: number;
      /**
       * Users by the law.
       */
      by_law: number;
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
      code: 'uneven_instances';
      /**
       * Its number.
       */
      number: number;
      /**
       * Its process.
       */
      pid: number;
      /**
       * Busy share of its main thread, 0 to 1.
       */
      main_thread_share: number;
      /**
       * How many others there are.
       */
      others: number;
      /**
       * That of theirs, in the mean.
       */
      others_share: number;
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
      code: 'instances_changed';
      /**
       * How many ended.
       */
      ended: number;
      /**
       * How many were started meanwhile.
       */
      started: number;
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
      code: 'instances_beyond_limit';
      /**
       * How many there are.
       */
      instances: number;
      /**
       * The quota, in cores.
       */
      cpu_cores: number;
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
      code: 'throttled';
      /**
       * Whether rates are in users per second, and not in requests.
       */
      users: boolean;
      /**
       * The quota, in cores.
       */
      cpu_cores: number;
      /**
       * For how much of each second, ms.
       */
      throttled_ms_per_s: number;
      /**
       * The offered rate there, requests per second; `None` where it is not constant or the model is closed.
       */
      offered_per_s?: number | null;
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
      code: 'processes_killed';
      /**
       * How many.
       */
      kills: number;
      /**
       * The bound of memory, bytes.
       */
      memory_limit_bytes?: number | null;
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
      code: 'not_counted';
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
      code: 'few_samples';
      /**
       * Its kind.
       */
      cause: string;
      /**
       * How many.
       */
      samples: number;
      /**
       * Lower end of the interval of the share, 0 to 1, at 95 %.
       */
      low: number;
      /**
       * Its upper end.
       */
      high: number;
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
      code: 'worse_than_before';
      /**
       * Which.
       */
      figure: Metric;
      /**
       * What it is.
       */
      value: number;
      /**
       * What it was on earlier days, in the geometric mean.
       */
      usual: number;
      /**
       * Another day as they were is beyond this once in a hundred times.
       */
      bound: number;
      /**
       * How many days.
       */
      days: number;
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
      code: 'too_little_history';
      /**
       * Earlier days on this machine.
       */
      days: number;
      /**
       * How many it takes.
       */
      least: number;
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
      code: 'machine_unknown';
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
      code: 'load_lines_open_ended';
      /**
       * Rounds with such a line.
       */
      rounds: number;
      /**
       * All rounds that are used.
       */
      used: number;
      /**
       * Why the search ended in the first of them.
       */
      ended_because: EndedBecause;
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
 * What a generator may run out of.
 */
export type Resource = 'ports' | 'descriptors' | 'memory';
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
 * Why it is said what runs out first.
 */
export type BoundBecause =
  | {
      code: 'cpu_broke';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'neighbour_full';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'throttled';
      /**
       * The quota, in cores.
       */
      cpu_cores: number;
      /**
       * For how much of each second, ms.
       */
      ms_per_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'core_busy';
      /**
       * At the load line; else at the rate of the diagnosis.
       */
      at_line: boolean;
      /**
       * How busy, 0 to 1 but for rounding.
       */
      busy: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'core_full';
      /**
       * How busy, 0 to 1 but for rounding.
       */
      busy: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'loop_stands';
      /**
       * How long at most, ms.
       */
      longest_ms: number;
      /**
       * Share of the time in which it stands still; `None` where nothing says what stops it.
       */
      share?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'loop_waits';
      /**
       * How full the loop is at the least rate that failed, 0 to 1 but for rounding.
       */
      full: number;
      /**
       * How busy one core is there.
       */
      busy: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'pool_full';
      /**
       * Threads of the pool.
       */
      threads: number;
      /**
       * How long a trivial task waits, ms.
       */
      wait_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'connections_taken';
      /**
       * How many it may have; `None` where that is not known.
       */
      size?: number | null;
      /**
       * Share of the time of a request.
       */
      share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'collections_stop';
      /**
       * How long each does on average, ms.
       */
      pause_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'waits_for_others';
      /**
       * Share of their time.
       */
      share: number;
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
      code: 'no_cpu';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'time_is_cpu';
      /**
       * Share of their time.
       */
      share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'time_is_neither';
      /**
       * How long a request takes, ms.
       */
      request_ms: number;
      /**
       * Share of it that is CPU.
       */
      cpu_share: number;
      /**
       * Share of it that is waiting for other services; `None` where that was not counted.
       */
      waiting_share?: number | null;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * A compiler or bundler, as far as its output says which.
 */
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
/**
 * The figures that a cause rests on.
 */
export type Evidence =
  | {
      code: 'calls';
      /**
       * How many a request.
       */
      per_request: number;
      /**
       * How long each, microseconds.
       */
      us_per_call: number;
      /**
       * Bytes of each, on average.
       */
      mean_bytes: number;
      /**
       * Share of them of a text that came before, where that was watched.
       */
      repeated_share?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'profile';
      /**
       * As a share of its busy time.
       */
      share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'packages';
      /**
       * As a share of its busy time, with what they have Node.js do.
       */
      share: number;
      /**
       * The code of each, the costliest first.
       */
      packages: PackageShare[];
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'collections';
      /**
       * How many per 1,000 requests; `None` where they were not counted.
       */
      per_1000_requests?: number | null;
      /**
       * Share of the CPU per request, or of the busy time of the profile.
       */
      share: number;
      /**
       * The function that makes most of the garbage.
       */
      garbage?: Garbage | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'stall';
      /**
       * How late it came at most, ms.
       */
      longest_delay_ms: number;
      /**
       * How long the function ran at a stretch, ms.
       */
      longest_run_ms: number;
      /**
       * What it calls meanwhile that is costly.
       */
      calls?: StallCalls | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'pool';
      /**
       * Tasks per request.
       */
      per_request: number;
      /**
       * Threads of the pool.
       */
      threads: number;
      /**
       * How long a trivial task waited, ms.
       */
      wait_ms: number;
      /**
       * Share of the CPU of the process that is not of its main thread.
       */
      cpu_share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'connections';
      /**
       * By which function it is asked.
       */
      name: string;
      /**
       * How many it may have; `None` where that is not known.
       */
      size?: number | null;
      /**
       * How many are asked for per request.
       */
      per_request: number;
      /**
       * How long a request waits for them, ms.
       */
      wait_ms: number;
      /**
       * How long a request takes, ms.
       */
      request_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'repeated';
      /**
       * By the same request; else by requests that differ.
       */
      within_request: boolean;
      /**
       * How many a request.
       */
      again_per_request: number;
      /**
       * Of so many calls per request.
       */
      per_request: number;
      /**
       * By how much a request would wait less without them, ms.
       */
      saved_ms: number;
      /**
       * How long a request takes, ms.
       */
      request_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'series';
      /**
       * How many a request.
       */
      per_request: number;
      /**
       * How much longer they take than the longest of them, ms.
       */
      saved_ms: number;
      /**
       * How long a request takes, ms.
       */
      request_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'serial';
      /**
       * Calls per request.
       */
      per_request: number;
      /**
       * How long they take per request, ms.
       */
      waited_ms: number;
      /**
       * How long a request takes, ms.
       */
      request_ms: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'upstream_connections';
      /**
       * For each call.
       */
      per_call: number;
      /**
       * How long a request waits for them, ms; `None` where no request was traced.
       */
      saved_ms?: number | null;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'client_connections';
      /**
       * For each request.
       */
      per_request: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'handshakes';
      /**
       * For each request.
       */
      per_request: number;
      /**
       * Share of them that were full.
       */
      full_share: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'uncompressed';
      /**
       * Bytes of a response, on average.
       */
      mean_bytes: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'conditional';
      /**
       * Share of the requests.
       */
      share: number;
      /**
       * Bytes of a response, on average.
       */
      mean_bytes: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'growth';
      /**
       * By how much, bytes.
       */
      bytes: number;
      /**
       * By how much per request, bytes.
       */
      bytes_per_request: number;
      /**
       * What it may grow to, bytes.
       */
      limit_bytes: number;
      /**
       * Between the first collection and the last, seconds: what expires later is still kept.
       */
      over_s: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'broadcast';
      /**
       * Messages that the service sends for each that comes.
       */
      sent_per_message: number;
      /**
       * Texts that the line makes for each that comes.
       */
      made_per_message: number;
      /**
       * How long each takes, microseconds.
       */
      us_per_call: number;
      /**
       * Bytes of each, on average.
       */
      mean_bytes: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'kept';
      /**
       * How many are added per request.
       */
      added_per_request: number;
      /**
       * How many more there are where they are added, in the second half of the window.
       */
      by: number;
      /**
       * How many there are at its end.
       */
      to: number;
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'one_process';
      /**
       * Cores that the service may use.
       */
      cores: number;
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What must hold for a prediction.
 */
export type Assumption =
  | {
      code: 'cost_gone';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'function_halved';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'garbage_halved';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'line_gone';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'nothing_shared';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'loop_runs';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'pool_wide';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'connections_enough';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'others_as_now';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What the main threads spent time on.
 */
export type SpentOn =
  | {
      code: 'cause';
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
      code: 'framework';
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
      code: 'own';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'runtime';
      /**
       * The same in words.
       */
      text: string;
    }
  | {
      code: 'rest';
      /**
       * The same in words.
       */
      text: string;
    };
/**
 * What kind of code it is.
 */
export type CodeClass = 'engine' | 'gc' | 'regex' | 'native' | 'node' | 'package' | 'own';
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
       * Rounds that were wanted; `None` of a check, which goes on until it has decided.
       */
      wanted?: number | null;
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
      code: 'nothing_failed';
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
 * How a figure of a variant stands to that of the first variant.
 */
export type FigureVerdict = 'better' | 'worse' | 'no_difference' | 'held' | 'undecided' | 'unjudged';
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
      code: 'search_further';
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
      type: 'neighbour_starting';
      /**
       * What the plan calls it.
       */
      name: string;
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
       * Users at a time, in a search in users.
       */
      users?: number | null;
      /**
       * Connections that it holds.
       */
      connections?: number | null;
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
  | {
      type: 'shock';
      /**
       * Which of both.
       */
      phase: ShockPhase;
      /**
       * What it is.
       */
      shock: Shock;
      /**
       * The same in words.
       */
      text: string;
    }
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
 * Whether a shock begins or ends.
 */
export type ShockPhase = 'begins' | 'ends';
/**
 * Kinds of notes.
 */
export type NoteKind =
  | 'interrupted'
  | 'target_died'
  | 'out_of_memory'
  | 'neighbour_died'
  | 'port_taken'
  | 'agent_lost'
  | 'warning'
  | 'torn';

/**
 * Everything that a report shows.
 */
export interface Findings {
  /**
   * `plimsoll.findings/3`.
   */
  format: string;
  /**
   * What the run was for.
   */
  command: RunKind;
  /**
   * Name of the plan.
   */
  name: string;
  /**
   * Address of the service.
   */
  target: string;
  /**
   * How the service was started, when plimsoll started it.
   */
  target_command?: string | null;
  /**
   * When the run began, RFC 3339, UTC.
   */
  started_at: string;
  /**
   * How long it took, seconds.
   */
  duration_s: number;
  /**
   * Version of plimsoll.
   */
  version: string;
  /**
   * The machine.
   */
  host: Host;
  /**
   * What it comes to.
   */
  verdict: Verdict;
  /**
   * The same in more detail.
   */
  headline: Headline;
  /**
   * What to do next.
   */
  next_step: NextStep;
  /**
   * The load line, when one was searched and found.
   */
  load_line?: LoadLine | null;
  /**
   * How many instances a demand needs, when that was asked: predicted from the load line.
   */
  sizing?: SizingFinding | null;
  /**
   * The objectives of the plan in order, judged over the whole run (capacity: at the greatest rate that passed).
   */
  objectives: ObjectiveFinding[];
  /**
   * Every step in the order they were run; a plain run has one.
   */
  steps: StepFinding[];
  /**
   * Sums over the run.
   */
  totals: Totals;
  /**
   * Response time over the run (capacity: at the greatest rate that passed).
   */
  response_time: Percentiles;
  /**
   * Service time over the same part.
   */
  service_time: Percentiles;
  /**
   * Schedule lag over the same part.
   */
  schedule_lag: Percentiles;
  /**
   * TLS handshakes, where there were any.
   */
  handshakes?: HandshakeFinding | null;
  /**
   * Opening handshakes of WebSockets whose messages have responses, from request to response, where there were any. Over the whole
   * run: most are opened before judging begins.
   */
  openings?: Percentiles | null;
  /**
   * How late the service's own pings came, measured against the interval that it had announced, where there were any. Over the whole
   * run.
   */
  pings?: Percentiles | null;
  /**
   * Percentile curve of the response time, ascending.
   */
  response_time_curve: CurvePoint[];
  /**
   * Each request of the scenario; empty where it has only one.
   */
  requests: RequestFinding[];
  /**
   * Each journey of the scenario, where it has any: then the rate of the load, and the load line, are in users per second.
   */
  journeys: JourneyFinding[];
  /**
   * Failures by class, most frequent first.
   */
  errors: ErrorFinding[];
  /**
   * The service as the operating system saw it, when it could be sampled.
   */
  target_resources?: TargetFinding | null;
  /**
   * What was started beside the service, in the order of the plan.
   */
  neighbours: NeighbourFinding[];
  /**
   * The neighbour that ran out of CPU before the service did, at the least rate that failed.
   */
  ran_out_first?: FullNeighbour | null;
  /**
   * The connections, when the run held them.
   */
  hold?: HoldFinding | null;
  /**
   * How the service came back, when it was disturbed on purpose. Objectives, times and resources are then those before that.
   */
  shock?: ShockFinding | null;
  /**
   * Whether the service grows, when it was watched for that.
   */
  soak?: SoakFinding | null;
  /**
   * The generator's own state.
   */
  generator: GeneratorFinding;
  /**
   * The run over time, at most 600 points.
   */
  timeline: TimelinePoint[];
  /**
   * What the reader should know besides.
   */
  notices: Notice[];
  /**
   * Why the service stops where it stops, when that was asked for.
   */
  diagnosis?: Diagnosis | null;
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
   * The agents of a fleet that made the load instead of this machine, in the order of their shares; empty without a fleet.
   */
  agents?: AgentHost[];
  /**
   * The machine in one line.
   */
  text: string;
}
/**
 * An agent of a fleet, as it says itself.
 */
export interface AgentHost {
  /**
   * What it is called.
   */
  name?: string;
  /**
   * Where it stands, as its user calls that.
   */
  zone?: string | null;
  /**
   * Cores that it may use.
   */
  cores?: number;
  /**
   * Processor model.
   */
  cpu_model?: string;
  /**
   * Operating system and kernel version.
   */
  kernel?: string;
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
   * The zone of a fleet by whose agents alone it is judged; absent where it is about all of them.
   */
  zone?: string | null;
  /**
   * The request of the scenario that it is about, or the journey of a quantity of journeys; absent where it is about all of them.
   */
  request?: string | null;
  /**
   * The bound, in `unit`: the least allowed value of an achieved rate and of what is held, the greatest of anything else.
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
 * Something that grows.
 */
export interface Growth {
  /**
   * What.
   */
  quantity: TrendQuantity;
  /**
   * In an hour, in its unit.
   */
  per_h: number;
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
   * Lower end of the interval that holds this share in 95 of 100 profiles of the same load.
   */
  cpu_share_low: number;
  /**
   * Upper end of that interval.
   */
  cpu_share_high: number;
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
 * The greatest load at which every objective holds: an arrival rate, a number of users at a time, or of
 * connections that are held.
 */
export interface LoadLine {
  /**
   * Whether its rates are in users per second, who send several requests each, and not in requests.
   */
  users: boolean;
  /**
   * The line in users at a time, where the search was in users. The rates are then what these users ask for: seen at the line and at what
   * failed, and in proportion for the interval.
   */
  concurrent?: ConcurrentUsers | null;
  /**
   * The line in connections, where the search was in connections. The rates are then what came on these.
   */
  held?: HeldLine | null;
  /**
   * Greatest rate that passed: what one may rely on, requests per second.
   */
  rate_per_s: number;
  /**
   * Least rate above it that failed; `None` when nothing failed. Where users were searched, what those asked for: users who wait ask for less, so it
   * may be below the line.
   */
  failed_per_s?: number | null;
  /**
   * Lower end of the interval that holds the true line, requests per second.
   */
  interval_low_per_s: number;
  /**
   * Upper end of that interval; `None` when the search met no upper end.
   */
  interval_high_per_s?: number | null;
  /**
   * Confidence of that interval, 0 to 1.
   */
  confidence: number;
  /**
   * Width of the bracket as a share of the line; `None` when nothing failed.
   */
  bracket_share?: number | null;
  /**
   * Whether the bracket got as narrow as was asked for.
   */
  converged: boolean;
  /**
   * Objective that broke first above the line.
   */
  broke?: Condition | null;
  /**
   * Why the search ended.
   */
  ended_because: EndedBecause;
  /**
   * CPU of the service per request at the line, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * The interval in words.
   */
  interval_text: string;
}
/**
 * A load line in users at a time, each of whom waits for its response and pauses before it asks again (closed model).
 */
export interface ConcurrentUsers {
  /**
   * Greatest number that passed: what one may rely on.
   */
  users: number;
  /**
   * Least number above it that failed; `None` when nothing failed.
   */
  failed?: number | null;
  /**
   * Lower end of the interval that holds the true line.
   */
  interval_low: number;
  /**
   * Upper end of that interval; `None` when the search met no upper end.
   */
  interval_high?: number | null;
  /**
   * What Little's law says of them; `None` where too little was measured, or requests failed.
   */
  littles_law?: LittlesLaw | null;
}
/**
 * Users = throughput × (response time + pause), each measured by itself. Where that is not the number of users there were, something but
 * the service kept them (J. D. C. Little, Operations Research 9, 1961).
 */
export interface LittlesLaw {
  /**
   * Requests completed per second.
   */
  throughput_per_s: number;
  /**
   * Mean response time of a request, ms.
   */
  response_ms: number;
  /**
   * Mean pause after a request, ms: of journeys what their time has besides responses.
   */
  pause_ms: number;
  /**
   * The users that follow.
   */
  users: number;
  /**
   * Whether these are those there were, within a tenth.
   */
  holds: boolean;
}
/**
 * A load line in connections that are held open together.
 */
export interface HeldLine {
  /**
   * Greatest number that passed: what one may rely on.
   */
  connections: number;
  /**
   * Least number above it that failed; `None` when nothing failed.
   */
  failed?: number | null;
  /**
   * Lower end of the interval that holds the true line.
   */
  interval_low: number;
  /**
   * Upper end of that interval; `None` when the search met no upper end.
   */
  interval_high?: number | null;
}
/**
 * How many instances of the service a demand needs: predicted from the load line, never measured.
 */
export interface SizingFinding {
  /**
   * Whether rates are in users per second, and not in requests.
   */
  users: boolean;
  /**
   * Arrivals that all instances carry together, requests per second.
   */
  demand_per_s: number;
  /**
   * Share of the load line that is kept free in each instance, 0 to 1.
   */
  headroom_share: number;
  /**
   * What an instance costs, where that was given.
   */
  price?: PriceFinding | null;
  /**
   * What is predicted; `None` where there is no load line to predict it from.
   */
  predicted?: SizingPrediction | null;
  /**
   * Why nothing is predicted.
   */
  unsized_because?: Unsized | null;
  /**
   * The prediction in words, or why there is none.
   */
  text: string;
}
/**
 * What an instance costs, in a unit that is as it was written.
 */
export interface PriceFinding {
  /**
   * Of one instance for an hour.
   */
  per_hour: number;
  /**
   * What stands before an amount: a unit such as `$`, or nothing.
   */
  before: string;
  /**
   * What stands behind an amount: a unit such as ` EUR`, or nothing.
   */
  after: string;
}
/**
 * What is predicted for a demand.
 */
export interface SizingPrediction {
  /**
   * What each instance may carry: the load line less the headroom, requests per second.
   */
  usable_per_s: number;
  /**
   * The true line may be higher, because nothing failed above it: fewer instances may do.
   */
  at_most: boolean;
  /**
   * Confidence of the intervals, which is that of the load line, 0 to 1.
   */
  confidence: number;
  /**
   * As many instances as the demand needs while all of them run.
   */
  needed: Instances;
  /**
   * One more, so that the headroom is still kept when an instance is lost.
   */
  with_spare: Instances;
  /**
   * What must hold for this.
   */
  assumption: SizingAssumption;
  /**
   * What it is predicted from, in words.
   */
  text: string;
}
/**
 * A number of instances, and what comes of it.
 */
export interface Instances {
  /**
   * How many, by the load line itself.
   */
  instances: number;
  /**
   * How many if the true line is at the upper end of its interval; `None` where that has none.
   */
  instances_low?: number | null;
  /**
   * How many if it is at the lower end; `None` where that carries nothing.
   */
  instances_high?: number | null;
  /**
   * What each instance carries.
   */
  each: InstanceLoad;
  /**
   * What each of the others carries when one is lost; `None` where none is left.
   */
  one_lost?: InstanceLoad | null;
  /**
   * What they cost, where a price was given.
   */
  cost?: InstancesCost | null;
  /**
   * The number and its interval in words.
   */
  text: string;
}
/**
 * What an instance carries, by its even share of the demand.
 */
export interface InstanceLoad {
  /**
   * Requests per second.
   */
  rate_per_s: number;
  /**
   * That rate as a share of the load line; above 1, objectives are expected to break.
   */
  line_share: number;
}
/**
 * What instances cost, in the unit of the price.
 */
export interface InstancesCost {
  /**
   * An hour.
   */
  per_hour: number;
  /**
   * A month of 730 hours.
   */
  per_month: number;
  /**
   * A million requests, at the demand.
   */
  per_million_requests: number;
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
   * The interval that holds the true share at 95 %, where what was observed is a share of users; of Wilson.
   */
  interval?: ShareInterval | null;
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
 * What a share of so many cases says of the share of all.
 */
export interface ShareInterval {
  /**
   * Lower end, 0 to 1.
   */
  low: number;
  /**
   * Upper end, 0 to 1.
   */
  high: number;
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
   * Users at a time, where the search was in users.
   */
  users?: number | null;
  /**
   * Connections that it held, where the search was in connections.
   */
  connections?: number | null;
  /**
   * Requests completed per second in the judged part; `None` when there is none.
   */
  throughput_per_s?: number | null;
  /**
   * Completed, correct and inside the response-time objectives, per second in the judged part; `None` when there is no
   * such part, and where the histograms are lost.
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
   * Busy share of the main thread that is busiest, where several processes serve, 0 to 1, in the judged part.
   */
  hottest_share?: number | null;
  /**
   * For how much of each second a quota kept the service from running, ms.
   */
  throttled_ms_per_s?: number | null;
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
 * Sums over the whole run, warm-up and draining included.
 */
export interface Totals {
  /**
   * Starts that the schedule asked for.
   */
  scheduled: number;
  /**
   * Requests handed to the kernel.
   */
  sent: number;
  /**
   * Responses received to the last byte.
   */
  completed: number;
  /**
   * Responses that met every expectation.
   */
  passed: number;
  /**
   * Failures of every class; keep-alive races only where they are charged.
   */
  errors: number;
  /**
   * Starts that were never made.
   */
  dropped: number;
  /**
   * Bytes handed to the kernel.
   */
  sent_bytes: number;
  /**
   * Bytes received.
   */
  received_bytes: number;
  /**
   * Connections opened.
   */
  connections_opened: number;
  /**
   * Completed per second over the judged part (capacity: at the greatest rate that passed); `None` when there is none.
   */
  throughput_per_s?: number | null;
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
   * Responses among them that are redirects: 301, 302, 303, 307 and 308.
   */
  redirects: number;
  /**
   * Redirects that were followed; they are not among the responses.
   */
  followed: number;
  /**
   * Requests that met a kept connection which the service was ending.
   */
  keep_alive_races: number;
  /**
   * Connections given up because bytes came that no request had asked for.
   */
  unrequested: number;
}
/**
 * TLS handshakes over the whole run, warm-up and draining included: most connections are opened before judging begins.
 */
export interface HandshakeFinding {
  /**
   * With certificates and a key exchange.
   */
  full: number;
  /**
   * From an earlier session.
   */
  resumed: number;
  /**
   * From the first message of the client to the last one that it waits for.
   */
  time: Percentiles;
}
/**
 * A point of a percentile curve.
 */
export interface CurvePoint {
  /**
   * 0 to 1.
   */
  quantile: number;
  /**
   * Response time, ms.
   */
  ms: number;
}
/**
 * One request of the scenario, or all the last ones together where there are more than are kept apart.
 */
export interface RequestFinding {
  /**
   * Name in the plan; of several, that of the first.
   */
  name: string;
  /**
   * How many more requests of the scenario are counted with it.
   */
  others: number;
  /**
   * Completed per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none.
   */
  rate_per_s?: number | null;
  /**
   * Response time in the same part.
   */
  response_time: Percentiles;
  /**
   * Service time in the same part.
   */
  service_time: Percentiles;
  /**
   * Sent over the whole run.
   */
  sent: number;
  /**
   * Responses over the whole run, correct or not.
   */
  completed: number;
  /**
   * Correct responses over the whole run.
   */
  passed: number;
  /**
   * Failures over the whole run.
   */
  errors: number;
  /**
   * Failures as a share of those that finished, 0 to 1; `None` when none finished.
   */
  error_share?: number | null;
  /**
   * Responses by the first digit of their status, 1 to 5.
   *
   * @minItems 5
   * @maxItems 5
   */
  status: number[];
  /**
   * Responses with another status.
   */
  status_other: number;
  /**
   * Failures by class, most frequent first.
   */
  failures: RequestFailure[];
}
/**
 * Failures of one request of one class.
 */
export interface RequestFailure {
  /**
   * What kind of failure it is.
   */
  class: FailureClass;
  /**
   * How many.
   */
  count: number;
}
/**
 * One journey.
 */
export interface JourneyFinding {
  /**
   * Name in the plan.
   */
  name: string;
  /**
   * Journeys that came to the end, per second in the judged part (capacity: at the greatest rate that passed); `None` when there is none.
   */
  finished_per_s?: number | null;
  /**
   * From the arrival of a user to the end of the journey, pauses included, in the same part; of users who came to the end.
   */
  time: Percentiles;
  /**
   * The same without pauses: how long a user waited for responses.
   */
  waiting: Percentiles;
  /**
   * Journeys that were begun over the whole run. In the open model each has a user of its own; in the closed model users begin one after the other.
   */
  started: number;
  /**
   * Those of them that were the first of a user, who then had to do what is done `once`; `None` where nothing is.
   */
  new?: number | null;
  /**
   * Journeys that came to the end over the whole run.
   */
  finished: number;
  /**
   * Journeys that ended before, because a request failed, over the whole run.
   */
  failed: number;
  /**
   * Users who were still on the way when the run ended.
   */
  under_way: number;
  /**
   * Its requests in the order in which they are written; those that have no metrics of their own are left out.
   */
  requests: ReachedFinding[];
}
/**
 * How many journeys came to a request, over the whole run.
 */
export interface ReachedFinding {
  /**
   * Name of the request in the plan.
   */
  request: string;
  /**
   * Whether it is done `once`: on a user's first journey alone.
   */
  once: boolean;
  /**
   * Journeys that came to it, each once.
   */
  reached: number;
  /**
   * The same as a share of those that were begun, or of those that were the first of a user where it is done once, 0 to 1; `None` when there were
   * none.
   */
  share?: number | null;
  /**
   * Journeys that ended with it, because it failed.
   */
  failed: number;
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
 * The service as the operating system saw it, over the judged part of the step that is reported.
 */
export interface TargetFinding {
  /**
   * Cores it may use.
   */
  cores: number;
  /**
   * Busy share of them, 0 to 1.
   */
  cpu_share: number;
  /**
   * CPU per completed request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * Greatest resident memory, bytes.
   */
  rss_max_bytes: number;
  /**
   * Greatest number of processes.
   */
  processes_max: number;
  /**
   * Greatest number of threads.
   */
  threads_max: number;
  /**
   * Greatest number of sockets.
   */
  sockets_max: number;
  /**
   * Involuntary context switches per second.
   */
  involuntary_switches_per_s: number;
  /**
   * What its control groups grant it, where they bound it.
   */
  limits?: LimitsFinding | null;
  /**
   * Its processes of Node.js, where several of them serve.
   */
  instances: InstanceFinding[];
}
/**
 * What the control groups of the service grant it.
 */
export interface LimitsFinding {
  /**
   * CPU time in cores; `None` without a quota.
   */
  cpu_cores?: number | null;
  /**
   * For how much of each second that quota kept threads of the service from running, ms, all cores together.
   */
  throttled_ms_per_s?: number | null;
  /**
   * Memory, bytes; `None` without a bound.
   */
  memory_limit_bytes?: number | null;
  /**
   * Most of it that was taken, bytes; without file pages that the kernel can drop.
   */
  memory_max_bytes?: number | null;
  /**
   * Processes of the service that the kernel ended because memory ran out, since the run began.
   */
  oom_kills: number;
}
/**
 * One of them, over the same part as the service.
 */
export interface InstanceFinding {
  /**
   * What it is to the others.
   */
  role: InstanceRole;
  /**
   * Number among those of its role, from 1, in the order in which they began.
   */
  number: number;
  /**
   * Its process.
   */
  pid: number;
  /**
   * The machine on which it runs, by the name of its target agent; absent where that is the one of the run.
   */
  machine?: string | null;
  /**
   * File name of its script; `None` where its command line shows none.
   */
  script?: string | null;
  /**
   * Busy share of its main thread, which runs its JavaScript, 0 to 1: a share of one core.
   */
  main_thread_share: number;
  /**
   * CPU time that all of its threads used, in cores.
   */
  busy_cores: number;
  /**
   * Greatest resident memory, bytes.
   */
  rss_max_bytes: number;
  /**
   * It was not there any more at the end.
   */
  ended: boolean;
}
/**
 * A neighbour of the service, such as a database, that was started with it.
 */
export interface NeighbourFinding {
  /**
   * What the plan calls it.
   */
  name: string;
  /**
   * How it was started.
   */
  command: string;
  /**
   * What it used, over the same part as the service; CPU per request is per request to the service. `None` when it could not be
   * sampled.
   */
  resources?: TargetFinding | null;
}
/**
 * A neighbour whose CPU ran out where an objective broke, while the service had some left.
 */
export interface FullNeighbour {
  /**
   * What the plan calls it.
   */
  name: string;
  /**
   * CPU time that it used there, in cores.
   */
  busy_cores: number;
  /**
   * CPU time that it may use, in cores.
   */
  cpu_cores: number;
  /**
   * For how much of each second a quota kept it from running, ms, where it was kept for so long that this is why it counts as full.
   */
  throttled_ms_per_s?: number | null;
  /**
   * It may use cores of the service: those are full, and it takes more of them than the service.
   */
  shares_cores: boolean;
  /**
   * Busy share of the cores that the service may use, 0 to 1, there.
   */
  service_cpu_share: number;
  /**
   * Whether the rate is in users per second, and not in requests.
   */
  users: boolean;
  /**
   * The rate there, per second; `None` where it is not constant or the model is closed.
   */
  offered_per_s?: number | null;
}
/**
 * Connections that were held open; over HTTP/2, where several may share one, clients with a stream each.
 */
export interface HoldFinding {
  /**
   * Connections, or clients, that were asked for.
   */
  wanted: number;
  /**
   * Connections, or clients, that were opened.
   */
  opened: number;
  /**
   * Connections, or clients, that were open at the end.
   */
  live: number;
  /**
   * Most that were open at the end of a tick.
   */
  live_max: number;
  /**
   * Over HTTP/2: most connections that were open at the end of a tick, which the clients shared.
   */
  connections_max?: number | null;
  /**
   * Those that were opened and did not last; `errors` has the classes.
   */
  lost: number;
  /**
   * From the beginning to the last one that was opened, seconds; `None` when none was.
   */
  opening_s?: number | null;
  /**
   * From then to the end, seconds.
   */
  held_s?: number | null;
  /**
   * Threads of the generator.
   */
  shards: number;
  /**
   * Parked requests that got their response, or pings.
   */
  delivered: number;
  /**
   * From the moment that the service wrote into a response to its last byte, ms. Empty where it writes none.
   */
  delivery_time: Percentiles;
  /**
   * Memory of the generator that came with each connection, bytes.
   */
  generator_bytes_per_connection?: number | null;
  /**
   * Resident memory of the service that came with each connection, bytes; `None` where it could not be sampled.
   */
  service_bytes_per_connection?: number | null;
  /**
   * Memory of this machine's kernel that came with each connection, bytes: both of its ends where both are here.
   */
  kernel_bytes_per_connection?: number | null;
  /**
   * The messages, when the connections sent some.
   */
  messages?: MessageFinding | null;
}
/**
 * Messages that held connections sent, and that came to held connections.
 */
export interface MessageFinding {
  /**
   * Messages that the service accepted.
   */
  sent: number;
  /**
   * Messages among them that arrived.
   */
  delivered: number;
  /**
   * Messages among them that did not, although they were awaited; `None` where the run was cut short, so that they may have been
   * under way.
   */
  lost?: number | null;
  /**
   * Arrivals of messages that had arrived before; of those that are for several connections, at the same one.
   */
  doubled: number;
  /**
   * What arrived where, if messages are for several connections.
   */
  broadcast?: BroadcastFinding | null;
  /**
   * Messages that came to a connection behind another one of the same sender, as far as it was remembered.
   */
  compared: number;
  /**
   * Messages among them that were sent before the other one.
   */
  out_of_order: number;
  /**
   * From the moment at which a message was to be sent until it arrived. Of all that arrived.
   */
  time: Percentiles;
}
/**
 * Messages that are for several connections.
 */
export interface BroadcastFinding {
  /**
   * Connections that each message is for; `None` where nobody knows.
   */
  receivers?: number | null;
  /**
   * Arrivals of messages at connections, each message once at each.
   */
  arrivals: number;
  /**
   * Arrivals that did not come although they were awaited; `None` where nobody knows how many were to come, or the run was cut short.
   */
  missing?: number | null;
}
/**
 * A shock, and how the service came back from it.
 */
export interface ShockFinding {
  /**
   * What disturbed the service.
   */
  shock: Shock;
  /**
   * When that began, since the beginning of the run, seconds.
   */
  begins_s: number;
  /**
   * When it ended, seconds; `None` where the run ended before.
   */
  ends_s?: number | null;
  /**
   * For how long every objective has to hold until the service counts as back, seconds.
   */
  steady_s: number;
  /**
   * Length of a window, seconds: moments are known to that.
   */
  window_s: number;
  /**
   * Whether a window since the beginning of the shock failed.
   */
  broke: boolean;
  /**
   * From the end of the shock until every objective held for long enough, seconds: to the beginning of that stretch. `None` where it did
   * not come.
   */
  back_after_s?: number | null;
  /**
   * Windows after that stretch in which an objective did not hold.
   */
  failed_since: number;
  /**
   * For how long the service was watched after the end of the shock, seconds.
   */
  watched_s?: number | null;
  /**
   * What the service is in, where it did not come back.
   */
  not_back?: NotBack | null;
  /**
   * From the warm-up to the beginning of the shock.
   */
  before: ShockPart;
  /**
   * From there to its end.
   */
  during: ShockPart;
  /**
   * From there until the service was back, or to the end of the run.
   */
  until_back: ShockPart;
}
/**
 * What became of the load in a part of the run.
 */
export interface ShockPart {
  /**
   * Windows.
   */
  windows: number;
  /**
   * Windows in which every objective held.
   */
  held: number;
  /**
   * Starts that the schedule asked for.
   */
  scheduled: number;
  /**
   * Responses that met every expectation.
   */
  passed: number;
  /**
   * Shed: the service refused them, by 429 or 503, by refusing the connection, or by what says the same in gRPC or on a WebSocket.
   */
  shed: number;
  /**
   * Failed in any other way: timeouts, resets, other errors.
   */
  failed: number;
  /**
   * Starts that were never made, because no connection was left.
   */
  dropped: number;
  /**
   * Most requests that waited for their response at the end of a window.
   */
  waiting_max: number;
}
/**
 * What a soak saw of growth.
 */
export interface SoakFinding {
  /**
   * For how long the service was watched after the warm-up, seconds.
   */
  watched_s: number;
  /**
   * Confidence of the intervals, 0 to 1.
   */
  confidence: number;
  /**
   * Growth in an hour that matters, as a share of the mean.
   */
  matters_share_per_h: number;
  /**
   * Everything that was looked at.
   */
  trends: TrendFinding[];
  /**
   * What the service kept, where it could be asked.
   */
  kept?: KeptFinding | null;
}
/**
 * How a figure of the service changed over time.
 */
export interface TrendFinding {
  /**
   * Which one; its name ends in its unit.
   */
  quantity: TrendQuantity;
  /**
   * What its slope says.
   */
  outcome: TrendOutcome;
  /**
   * The slope, where there was enough to see one.
   */
  slope?: Slope | null;
  /**
   * Why it is undecided, where it is not only that its interval is too wide.
   */
  because?: UndecidedBecause | null;
}
/**
 * A straight line through a figure.
 */
export interface Slope {
  /**
   * Mean of the figure.
   */
  mean: number;
  /**
   * Growth in an hour, in the unit of the figure.
   */
  per_h: number;
  /**
   * Least growth in an hour that it may be.
   */
  low_per_h: number;
  /**
   * Greatest growth in an hour that it may be.
   */
  high_per_h: number;
  /**
   * Growth in an hour that matters.
   */
  matters_per_h: number;
}
/**
 * What a service kept: its memory right after collections of all garbage that it was asked for.
 */
export interface KeptFinding {
  /**
   * How often it said so.
   */
  collections: number;
  /**
   * How often it did not, though it was asked.
   */
  unanswered: number;
  /**
   * The longest that a collection stopped it, ms. Windows with one are not judged.
   */
  longest_pause_ms: number;
  /**
   * Threads that were asked, each with a heap of its own.
   */
  threads: number;
  /**
   * Processes that these belong to.
   */
  processes: number;
  /**
   * Processes of the service besides, which could not be asked; their memory counts as native.
   */
  processes_besides: number;
  /**
   * Heap in use by space, and what is beside it, after the first collection and after the last.
   */
  spaces: SpaceFinding[];
  /**
   * Lines that hold most of what grew in the second half of the time, or since the warm-up where it was stopped before; empty where
   * nothing grows.
   */
  lines: KeptLine[];
}
/**
 * Memory of one sort, after the first collection and after the last.
 */
export interface SpaceFinding {
  /**
   * What V8 calls a space, `external` or `heap_committed`.
   */
  name: string;
  /**
   * After the first collection, bytes.
   */
  first_bytes: number;
  /**
   * After the last one, bytes.
   */
  last_bytes: number;
}
/**
 * A line that holds memory.
 */
export interface KeptLine {
  /**
   * The function of the service that asked for it, or through which it was asked for.
   */
  place: Place;
  /**
   * The package that it called for it.
   */
  via?: string | null;
  /**
   * What came in that time and was alive at the end, bytes, by samples.
   */
  bytes: number;
  /**
   * The same as a share of all that did, 0 to 1.
   */
  share: number;
}
/**
 * The generator's own state.
 */
export interface GeneratorFinding {
  /**
   * Shards.
   */
  shards: number;
  /**
   * Busiest shard in its busiest judged tick, 0 to 1; `None` without one.
   */
  busy_share_max?: number | null;
  /**
   * 99th percentile of the schedule lag of the judged part, ms. Waiting for a free connection is in it. `None` where no
   * request was sent.
   */
  lag_p99_ms?: number | null;
  /**
   * How late the generator itself woke for due starts, ms: the 99th percentile in the worst judged
   * tick of the worst shard. `None` in the closed model, which has no due starts.
   */
  wake_lag_p99_ms?: number | null;
  /**
   * The same of the 99.9th percentile; `None` also in directories of earlier versions.
   */
  wake_lag_p999_ms?: number | null;
  /**
   * Generator CPU per completed request, microseconds. What threads spend spinning is left out.
   */
  cpu_us_per_request?: number | null;
  /**
   * Whether it kept up in every judged step; `None` when nothing was judged.
   */
  kept_up?: boolean | null;
  /**
   * Each agent of the fleet that made the load, in the order of their shares; empty without a fleet.
   */
  agents: AgentFinding[];
  /**
   * Zones of these agents, in the order of the first agent of each; empty where none has one.
   */
  zones: ZoneFinding[];
}
/**
 * An agent of a fleet.
 */
export interface AgentFinding {
  /**
   * What it is called.
   */
  name: string;
  /**
   * Where it stands, as its user calls that.
   */
  zone?: string | null;
  /**
   * Cores that it may use.
   */
  cores: number;
  /**
   * Shards.
   */
  shards: number;
  /**
   * Busiest shard in its busiest judged tick, 0 to 1; `None` without one.
   */
  busy_share_max?: number | null;
  /**
   * How late it woke for due starts, ms: the 99th percentile in the worst judged tick of the worst shard. `None` without one, and in the
   * closed model.
   */
  wake_lag_p99_ms?: number | null;
  /**
   * What it saw of the service; `None` where it made the whole load.
   */
  seen?: SeenFinding | null;
}
/**
 * What was seen of the service from one place, over the judged part.
 */
export interface SeenFinding {
  /**
   * Errors as a share of the finished requests, 0 to 1; `None` where none finished.
   */
  error_share?: number | null;
  /**
   * Response time, from the intended start.
   */
  response_time: Percentiles;
}
/**
 * Agents of a fleet that stand at one place.
 */
export interface ZoneFinding {
  /**
   * What it is called.
   */
  name: string;
  /**
   * How many agents stand there.
   */
  agents: number;
  /**
   * What they saw of the service.
   */
  seen: SeenFinding;
}
/**
 * One slot of the timeline.
 */
export interface TimelinePoint {
  /**
   * Start since the beginning of the run, seconds.
   */
  at_s: number;
  /**
   * Length, seconds.
   */
  duration_s: number;
  /**
   * Step it belongs to.
   */
  step: number;
  /**
   * Starts scheduled per second.
   */
  offered_per_s: number;
  /**
   * Requests completed per second.
   */
  throughput_per_s: number;
  /**
   * Errors per second.
   */
  errors_per_s: number;
  /**
   * Median response time, ms; of merged windows the greatest.
   */
  p50_ms?: number | null;
  /**
   * 99th percentile of the response time, ms; of merged windows the greatest.
   */
  p99_ms?: number | null;
  /**
   * Busy share of the service's cores, 0 to 1.
   */
  cpu_share?: number | null;
  /**
   * For how much of each second a quota kept the service from running, ms.
   */
  throttled_ms_per_s?: number | null;
  /**
   * Resident memory of the service, bytes.
   */
  rss_bytes?: number | null;
  /**
   * Users at its end, where the load says in stages how many; of merged windows the most.
   */
  users?: number | null;
  /**
   * Whether it was judged, at least in part; warm-up and draining are not.
   */
  judged: boolean;
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
 * Why the service stops where it stops.
 */
export interface Diagnosis {
  /**
   * What runs out first.
   */
  bound: Bound;
  /**
   * Why that is said.
   */
  bound_because: BoundBecause;
  /**
   * What broke first as the load rose; `None` where nothing did.
   */
  broke_first?: BrokeFirst | null;
  /**
   * The service is asked by messages: what is said here of requests is of these.
   */
  by_message: boolean;
  /**
   * Rate of the passes, requests per second.
   */
  rate_per_s?: number | null;
  /**
   * The passes in the order they were run. The first is without probe.
   */
  passes: Pass[];
  /**
   * What was found, greatest predicted gain first; empty when nothing was.
   */
  causes: Cause[];
  /**
   * Where the main threads spent their time in the profile, greatest first.
   */
  breakdown: Slice[];
  /**
   * What each middleware, hook and handler costs; `None` where the framework is not known.
   */
  layers?: LayerCosts | null;
  /**
   * What Node.js itself does, and for whom; `None` without a profile.
   */
  runtime?: RuntimeTime | null;
  /**
   * The source of the functions that take most time by themselves; `None` where it was not read.
   */
  listings?: Listings | null;
  /**
   * The busiest calls of the profile, callers before the called; empty without a profile.
   */
  flame: FlameCall[];
  /**
   * What leaving something out of the service gave, when that was asked for. Measured: never to be mixed with what is
   * predicted of the causes.
   */
  what_if: WhatIf[];
  /**
   * What runs out first, in words.
   */
  bound_text: string;
}
/**
 * The objective that broke first as the load rose, at the least rate at which it did.
 */
export interface BrokeFirst {
  /**
   * Whether rates are in users per second, and not in requests.
   */
  users: boolean;
  /**
   * Which one.
   */
  objective: Condition;
  /**
   * That rate, requests per second.
   */
  rate_per_s?: number | null;
  /**
   * Its figure there, in its unit.
   */
  observed?: number | null;
  /**
   * Busy share of the cores that the service may use, 0 to 1, there.
   */
  cpu_share?: number | null;
  /**
   * Busy share of the main thread that was busiest there, where several processes serve, 0 to 1.
   */
  hottest_share?: number | null;
  /**
   * For how much of each second a quota kept the service from running there, ms.
   */
  throttled_ms_per_s?: number | null;
  /**
   * The neighbour of the service that ran out of CPU there, while the service had some left.
   */
  neighbour?: FullNeighbour | null;
  /**
   * What broke first, in words.
   */
  text: string;
}
/**
 * One run at the rate of the diagnosis.
 */
export interface Pass {
  /**
   * Which one.
   */
  name: RunKind;
  /**
   * Requests completed per second; `None` when nothing was judged.
   */
  throughput_per_s?: number | null;
  /**
   * CPU of the service per completed request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * How much more that is than in the plain pass, as a share of it.
   */
  extra_cpu_share?: number | null;
  /**
   * Median response time, ms.
   */
  p50_ms?: number | null;
  /**
   * 99th percentile of the response time, ms.
   */
  p99_ms?: number | null;
}
/**
 * One cause, and what it costs.
 */
export interface Cause {
  /**
   * Which kind.
   */
  kind: CauseKind;
  /**
   * What it is.
   */
  what: What;
  /**
   * The line of the service that it comes from, where it comes from one.
   */
  place?: Place | null;
  /**
   * Other lines that it comes from, costliest first.
   */
  other_places: Place[];
  /**
   * The package of `node_modules` through which it is reached.
   */
  via?: string | null;
  /**
   * The line inside of that package, where the place is the line of the service that it was called from.
   */
  inside?: Place | null;
  /**
   * The line of a function of the service's own through which the places reach it, and others too.
   */
  helper?: Place | null;
  /**
   * The line that calls the function of the place most, where that is short and passes on what it is asked for.
   */
  called_from?: Place | null;
  /**
   * What compiled the file of the place, where that has no source map; `None` where someone wrote it.
   */
  compiled?: Compiler | null;
  /**
   * The service is asked by messages: what is said here of a request is of one of these.
   */
  by_message: boolean;
  /**
   * How often per request.
   */
  per_request?: number | null;
  /**
   * CPU per request, microseconds.
   */
  cpu_us_per_request?: number | null;
  /**
   * That CPU as a share of all CPU per request.
   */
  cpu_share?: number | null;
  /**
   * Waiting per request, milliseconds.
   */
  wait_ms_per_request?: number | null;
  /**
   * The figures that it rests on.
   */
  evidence: Evidence;
  /**
   * What that would give back; `None` where nothing can be said.
   */
  predicted?: Predicted | null;
  /**
   * What it would give back if every cause at this line went; `None` where it is the only one there.
   */
  line_predicted?: Predicted | null;
  /**
   * What it is, and the package that it is reached through.
   */
  title: string;
  /**
   * What it costs each request.
   */
  costs: string;
  /**
   * What to do.
   */
  remedy: string;
  /**
   * The page that explains it.
   */
  doc: string;
  /**
   * How to build with source maps, where the place is compiled code.
   */
  compiled_text?: string;
}
/**
 * What the code of a package takes.
 */
export interface PackageShare {
  /**
   * Its name.
   */
  name: string;
  /**
   * Share of the busy time.
   */
  share: number;
}
/**
 * What one function has to do with the garbage.
 */
export interface Garbage {
  /**
   * Share of the memory that it asks for.
   */
  memory_share: number;
  /**
   * Share of the busy time that it takes itself; 0 where that is not worth a word.
   */
  making_share: number;
}
/**
 * Costly calls of a function that stops the event loop.
 */
export interface StallCalls {
  /**
   * Of what.
   */
  functions: string[];
  /**
   * How many a request.
   */
  per_request: number;
  /**
   * How long each, microseconds.
   */
  us_per_call: number;
}
/**
 * What fixing a cause would give back. Never measured: it is computed from the assumption.
 */
export interface Predicted {
  /**
   * The load line then, requests per second, or users per second; `None` when no load line was searched.
   */
  load_line_per_s?: number | null;
  /**
   * Whether that is in users per second, and not in requests.
   */
  users: boolean;
  /**
   * Factor on the load line.
   */
  factor: number;
  /**
   * The factor is hardly below this.
   */
  low: number;
  /**
   * The factor is hardly above this; `None` where nothing says how great it may be.
   */
  high?: number | null;
  /**
   * So little would remain that only `low` can be relied on: the factor is at least that.
   */
  at_least: boolean;
  /**
   * What becomes of the response time, where that is what breaks.
   */
  response_time?: ResponseThen | null;
  /**
   * The objective that would break next, where it is another one than now.
   */
  next?: Condition | null;
  /**
   * What must hold for it.
   */
  assumption: Assumption;
  /**
   * The prediction and its assumption in words.
   */
  text: string;
}
/**
 * The response time without a cause, at the rate of the diagnosis.
 */
export interface ResponseThen {
  /**
   * Of which quantile, 0 to 1; `None` of the mean.
   */
  quantile?: number | null;
  /**
   * Now, ms.
   */
  now_ms: number;
  /**
   * Then, ms.
   */
  then_ms: number;
}
/**
 * A part of the time of the main threads.
 */
export interface Slice {
  /**
   * On what.
   */
  what: SpentOn;
  /**
   * Share of the busy time.
   */
  share: number;
}
/**
 * What each middleware, hook and handler costs.
 */
export interface LayerCosts {
  /**
   * The costliest first.
   */
  layers: LayerCost[];
  /**
   * Share of the CPU per request that none of them causes: Node.js and the framework.
   */
  rest_share: number;
}
/**
 * The time of Node.js itself, and to whom all time is charged. Shares are of the busy time of the main threads.
 */
export interface RuntimeTime {
  /**
   * Time in functions of Node.js, in native code and in collections.
   */
  share: number;
  /**
   * That time by what is done, greatest first.
   */
  activities: ActivityTime[];
  /**
   * That time by the line that it is charged to, greatest first. What no line is charged with is not among them.
   */
  charges: RuntimeCharge[];
  /**
   * All busy time.
   */
  charged: Charged;
}
/**
 * Time of one activity.
 */
export interface ActivityTime {
  /**
   * What is done.
   */
  activity: Activity;
  /**
   * Share of the busy time.
   */
  share: number;
  /**
   * The part of that share which no line is charged with.
   */
  uncharged_share: number;
}
/**
 * Time of Node.js that one function, or what one line registers, is charged with.
 */
export interface RuntimeCharge {
  /**
   * The line: the costliest of the function, or the one that registers a middleware, hook or handler.
   */
  place: Place;
  /**
   * The package that it is in; `None` for the service's own code.
   */
  package?: string | null;
  /**
   * What the line registers with a framework, or the server that it makes listen; `None` where it is one that calls Node.js.
   */
  registers?: Registered | null;
  /**
   * Share of the busy time.
   */
  share: number;
  /**
   * What Node.js does for it, greatest first.
   */
  activities: ChargedActivity[];
}
/**
 * What a line registers with a framework, or makes listen.
 */
export interface Registered {
  /**
   * What it is.
   */
  role: LayerRole;
  /**
   * Its name; empty for an anonymous function.
   */
  name: string;
}
/**
 * A part of a charge.
 */
export interface ChargedActivity {
  /**
   * What is done.
   */
  activity: Activity;
  /**
   * Share of the busy time.
   */
  share: number;
}
/**
 * To whom all busy time is charged, that in the code of the service and of packages included. What the service, packages and
 * no line are charged with makes one.
 */
export interface Charged {
  /**
   * To lines of the service's own code.
   */
  application_share: number;
  /**
   * To lines of packages.
   */
  package_share: number;
  /**
   * The part of that for packages that run the service's code, such as Express.
   */
  framework_share: number;
  /**
   * The part of the first two for lines that make a server listen: what Node.js does there for requests before and after any function
   * of the service has to do with them.
   */
  listening_share: number;
  /**
   * To none: it is known by what Node.js does.
   */
  rest_share: number;
  /**
   * The part of the first two for which no line is on the stack: labels, or the memory that was asked for, say whose it is.
   */
  estimated_share: number;
}
/**
 * The functions that took most time by themselves, with their lines.
 */
export interface Listings {
  /**
   * How long the profile is, seconds.
   */
  over_s: number;
  /**
   * The costliest first.
   */
  functions: Listing[];
}
/**
 * A function and those of its lines that are worth reading.
 */
export interface Listing {
  /**
   * Its name; empty for an anonymous function.
   */
  function: string;
  /**
   * Path of its file, relative to the directory in which the service runs where it lies below it.
   */
  file: string;
  /**
   * Where it begins, from 1.
   */
  line: number;
  /**
   * The package that it belongs to; `None` for the service's own code.
   */
  package?: string | null;
  /**
   * Time in it alone, with the builtins of the language that it calls, ms.
   */
  ms: number;
  /**
   * That time as a share of the busy time.
   */
  share: number;
  /**
   * Its lines, ascending; lines that took little may be left out between them.
   */
  lines: ListedLine[];
}
/**
 * A line of a function.
 */
export interface ListedLine {
  /**
   * From 1.
   */
  line: number;
  /**
   * Its text, without secrets and cut where it is long.
   */
  text: string;
  /**
   * Time in it, ms.
   */
  ms: number;
}
/**
 * A call in a flame graph.
 */
export interface FlameCall {
  /**
   * Index of its caller, which is smaller than its own; `None` at the root.
   */
  caller?: number | null;
  /**
   * The function; empty for an anonymous one.
   */
  function: string;
  /**
   * File and line; empty for native code.
   */
  place: string;
  /**
   * What kind of code it is.
   */
  class: CodeClass;
  /**
   * Time in it and in what it calls, as a share of the busy time.
   */
  share: number;
  /**
   * Time in it alone, as a share of the busy time.
   */
  self_share: number;
}
/**
 * The service without one thing, set against the service as it is, in rounds that alternate under the same arrivals. The
 * probe left it out; nobody changed the code.
 */
export interface WhatIf {
  /**
   * What was left out, as `--what-if` takes it: `log`, `middleware:session`.
   */
  without: string;
  /**
   * Number of the first cause that it is a part of, from 1; `None` where it is of none.
   */
  cause?: number | null;
  /**
   * What it comes to.
   */
  verdict: CompareVerdict;
  /**
   * The same in more detail.
   */
  headline: CompareHeadline;
  /**
   * How many times as many requests the same CPU is enough for; `None` where too few rounds were made.
   */
  gain?: MeasuredGain | null;
  /**
   * CPU per request and the 99th percentile of the response time, with and without it.
   */
  figures: FigureFinding[];
  /**
   * Confidence that the intervals of the figures hold at once, 0 to 1.
   */
  confidence: number;
  /**
   * Rounds of each variant that the figures are made from.
   */
  rounds_used: number;
  /**
   * Length of all rounds together, seconds.
   */
  duration_s: number;
  /**
   * What came back from the service as it is, and from the service without it.
   */
  responses: ResponsesFinding[];
  /**
   * Whether that is the same; `None` where one of them did not respond.
   */
  responses_beside?: ResponsesBeside | null;
  /**
   * What the reader should know besides.
   */
  notices: Notice[];
  /**
   * Directory of the rounds, inside that of the diagnosis.
   */
  directory: string;
  /**
   * What was left out and what that gave, in words.
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
 * A gain that was measured.
 */
export interface MeasuredGain {
  /**
   * Factor on the requests for which the same CPU is enough.
   */
  factor: number;
  /**
   * Lower end of the interval that holds the true factor.
   */
  low: number;
  /**
   * Upper end of that interval.
   */
  high: number;
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
   * Journeys that were begun per second in this tick, where the scenario has some: then the rate of the step, that of users who arrive, is theirs.
   */
  journeys_per_s?: number | null;
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
  /**
   * 99th percentile of the time of the messages that arrived in this tick, ms.
   */
  message_p99_ms?: number | null;
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
