// Written by scripts/types.js from plan.schema.json in docs/reference.

export type Whole = Plan;

/**
 * One experiment: which service, what is sent, when, and which objectives must hold.
 */
export interface Plan {
  /**
   * Name of the plan in reports. Default: the name of its file.
   */
  name?: string | number | boolean;
  /**
   * Seed of every random choice. Default 0.
   */
  seed?: number;
  /**
   * The service: its URL, or more about it. Required.
   */
  target: string | Target;
  /**
   * Objectives to judge, most important first. Default: `cpu <= 80%`, `p99 <= 100ms`, `errors = 0`.
   */
  objectives?: string[];
  /**
   * How the run is cut into windows and judged.
   */
  judging?: Judging;
  /**
   * What is sent. Default: a GET of the target's URL.
   */
  scenario?: Scenario;
  /**
   * When it is sent. Default: 100/s for 30 s.
   */
  load?: Load;
  /**
   * How connections are used.
   */
  connections?: Connections;
  /**
   * Bounds of the capacity search.
   */
  search?: Search;
  /**
   * How many instances a demand needs, predicted from the load line.
   */
  sizing?: Sizing;
  /**
   * The machines that make the load: where they are, or more about them. Default: this one alone.
   */
  fleet?: string | Fleet;
}
/**
 * The service under test.
 */
export interface Target {
  /**
   * URL, such as `http+unix://%2Frun%2Fapp.sock` for a unix socket. Required. Its path is prepended to that of each request.
   */
  url: string;
  /**
   * Where connections to its host and port go instead of where the name leads: `HOST:PORT:ADDRESS`, as curl has it.
   */
  resolve?: string | string[];
  /**
   * The proxy that connections to it go through, such as `http://127.0.0.1:3128`. Default: none.
   */
  proxy?: string;
  /**
   * Starts it: a line, split like a shell does but never expanded, or a list of words.
   */
  command?: (string | number | boolean) | (string | number | boolean)[];
  /**
   * Added to the environment of the command.
   */
  env?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Working directory of the command, relative to the directory of the plan. Default: the current directory.
   */
  working_dir?: string | number | boolean;
  /**
   * When the service is ready. Default: when its port is open.
   */
  ready?: Ready;
  /**
   * Cores it may use, such as `0,2-3`. Default: all.
   */
  cpus?: string | number;
  /**
   * What it may use with everything it starts, as in a container. Default: no limits.
   */
  limits?: Limits;
  /**
   * Credentials of every request that has no `authorization` header.
   */
  auth?: Auth;
  /**
   * Version of HTTP that is spoken to it: `1.1` or `2`. Default `1.1`.
   */
  http?: '1.1' | '2' | 1.1 | 2;
  /**
   * Most redirects that a request follows, one after the other, as long as they lead to the service itself. Default 0: a redirect is a response.
   */
  follow_redirects?: number;
  /**
   * How TLS is spoken to it, where its URL begins with `https`.
   */
  tls?: Tls;
  /**
   * The process to sample when it runs already, instead of a command.
   */
  pid?: number;
  /**
   * The container to sample instead: its name, its id or the beginning of one, or the path of its control group.
   */
  container?: string | number;
  /**
   * The service that target agents of the fleet start on their machines, by the name that their configuration gives it, and sample there.
   */
  fleet_target?: string;
  /**
   * Wait for this many target agents, 1 to 1000, and use no more. Default: all that respond within 1.5 s.
   */
  fleet_targets?: number;
  /**
   * Where its output goes. Default `file`.
   */
  stdout?: 'file' | 'pipe' | 'terminal' | 'null' | 'inherit' | null;
  /**
   * From SIGTERM to SIGKILL. Default 5s.
   */
  stop_grace?: string;
  /**
   * What the service needs and is started before it, such as a database: its neighbours.
   */
  beside?: Neighbour[];
}
/**
 * When a started service is ready.
 */
export interface Ready {
  /**
   * Path that must respond with 2xx. Default: an open port is enough.
   */
  path?: string | number | boolean;
  /**
   * The run fails when it takes longer. Default 30s.
   */
  timeout?: string;
}
/**
 * What the service may use with everything it starts, as in a container.
 */
export interface Limits {
  /**
   * CPU time in cores, such as `0.5` or `500m`; an objective on CPU is a share of it. Default: all of its cores.
   */
  cpu?: string | number;
  /**
   * Memory, such as `512MiB`; the kernel ends a service that needs more. Default: as much as the machine has.
   */
  memory?: string;
  /**
   * Processes and threads. Default: as many as the machine allows.
   */
  pids?: number;
}
/**
 * Credentials of every request: either `basic`, `bearer` or `bearer_file`.
 */
export interface Auth {
  /**
   * User and password.
   */
  basic?: Basic;
  /**
   * A token, such as `${env.TOKEN}`.
   */
  bearer?: string | number | boolean;
  /**
   * File with the token, relative to the directory of the plan.
   */
  bearer_file?: string | number | boolean;
}
/**
 * User and password.
 */
export interface Basic {
  /**
   * Name of the user. Required.
   */
  user: string | number | boolean;
  /**
   * Password, such as `${env.PASSWORD}`. Default: empty.
   */
  password?: string | number | boolean;
  /**
   * File with the password, relative to the directory of the plan.
   */
  password_file?: string | number | boolean;
}
/**
 * How TLS is spoken to the service.
 */
export interface Tls {
  /**
   * PEM file of the authorities whose certificates are accepted, relative to the directory of the plan. Default: those of the system.
   */
  ca?: string | number | boolean;
  /**
   * PEM file with the certificate of the client, and those up to an authority, relative to the directory of the plan.
   */
  cert?: string | number | boolean;
  /**
   * PEM file with the key of that certificate, relative to the directory of the plan. Default: the file of the certificate.
   */
  key?: string | number | boolean;
  /**
   * The name that the certificate must have, and that is sent as SNI. Default: the host of the URL.
   */
  server_name?: string | number | boolean;
  /**
   * Accept any certificate. Default false.
   */
  insecure?: boolean;
  /**
   * Resume sessions of earlier connections where the service allows it. Default true.
   */
  resume?: boolean;
  /**
   * Versions that may be spoken: `1.2`, `1.3` or `any` of them. Default `any`.
   */
  versions?: 'any' | '1.2' | '1.3' | 1.2 | 1.3;
}
/**
 * What the service needs: a program, or a stand-in for one. It is started before the service, stopped after it, and watched like it.
 */
export interface Neighbour {
  /**
   * What it is called in reports: letters, digits, `.`, `_` and `-`. Required.
   */
  name: string | number | boolean;
  /**
   * Starts it: a line, split like a shell does but never expanded, or a list of words. Required, unless there is a `stand_in`.
   */
  command?: (string | number | boolean) | (string | number | boolean)[];
  /**
   * What responds in its place, instead of a command.
   */
  stand_in?: StandIn;
  /**
   * When it is ready, so that the service can be started. Required with a `command`.
   */
  ready?: Sign;
  /**
   * Cores it may use, such as `0,2-3`. Default: all but those of the generator.
   */
  cpus?: string | number;
  /**
   * Added to the environment of the command.
   */
  env?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Working directory of the command, relative to the directory of the plan. Default: the current directory.
   */
  working_dir?: string | number | boolean;
  /**
   * What it may use with everything it starts. Default: no limits.
   */
  limits?: Limits;
  /**
   * From SIGTERM to SIGKILL. Default 5s.
   */
  stop_grace?: string;
}
/**
 * A server of plimsoll's own in the place of an upstream, so that the service is measured without it.
 */
export interface StandIn {
  /**
   * Port of 127.0.0.1 on which it listens. Required.
   */
  port: number;
  /**
   * What requests are given; the first one that fits. What fits none has status 404. Required.
   */
  responses: StandInResponse[];
}
/**
 * What the requests to a stand-in are given.
 */
export interface StandInResponse {
  /**
   * For requests of this method. Default: any.
   */
  method?: string;
  /**
   * For requests of this path, whatever their query is; `*` at the end stands for anything. Default: all.
   */
  path?: string | number | boolean;
  /**
   * From the end of the request to the beginning of the response: always as long, spread, or as in a run. Required.
   */
  response_time: string | ResponseTime;
  /**
   * Default 200.
   */
  status?: number;
  /**
   * Header fields. A list sends one several times.
   */
  headers?: {
    [k: string]: string | number | boolean | (string | number | boolean)[];
  };
  /**
   * Body as text.
   */
  body?: string | number | boolean;
  /**
   * Body as JSON, with `content-type: application/json` unless given.
   */
  json?: {
    [k: string]: unknown;
  };
  /**
   * File with the body, relative to the directory of the plan.
   */
  body_file?: string | number | boolean;
  /**
   * Body in base64.
   */
  body_base64?: string | number | boolean;
  /**
   * A body of so many bytes that mean nothing: always as many, or `from` some `to` others.
   */
  size?: string | BodySize;
  /**
   * The share of the responses with status 503 and no body. Default 0%.
   */
  errors?: string;
}
/**
 * How response times are spread: between two of these evenly.
 */
export interface ResponseTime {
  /**
   * The shortest. Default 0s.
   */
  from?: string;
  /**
   * Half of the responses take at most so long.
   */
  p50?: string;
  /**
   * 75 % take at most so long.
   */
  p75?: string;
  /**
   * 90 % take at most so long.
   */
  p90?: string;
  /**
   * 95 % take at most so long.
   */
  p95?: string;
  /**
   * 99 % take at most so long.
   */
  p99?: string;
  /**
   * 99.9 % take at most so long.
   */
  'p99.9'?: string;
  /**
   * The longest. Required, unless there is a `run`.
   */
  to?: string;
  /**
   * A run directory, relative to the directory of the plan: as response times were in it. Instead of all others.
   */
  run?: string | number | boolean;
  /**
   * With `run`: the name of one of its requests. Default: all of them.
   */
  request?: string | number | boolean;
}
/**
 * How long a body is, each time another length between two.
 */
export interface BodySize {
  /**
   * The shortest. Required.
   */
  from: string;
  /**
   * The longest. Required.
   */
  to: string;
}
/**
 * When a neighbour is ready: either `port`, `url` or `line`.
 */
export interface Sign {
  /**
   * It listens on this port of 127.0.0.1, which it also finds in its environment as PORT.
   */
  port?: number;
  /**
   * This URL, which begins with `http://`, responds with 2xx.
   */
  url?: string;
  /**
   * A line of its output contains this.
   */
  line?: string | number | boolean;
  /**
   * The run fails when it takes longer. Default 30s.
   */
  timeout?: string;
}
/**
 * How the run is cut into windows and judged.
 */
export interface Judging {
  /**
   * Length of one window. Default 1s.
   */
  window?: string;
  /**
   * Share of windows that must pass each objective. Default 90%.
   */
  passing_windows?: string;
  /**
   * Windows that begin earlier are not judged. Default: a tenth of the run, at most 2s.
   */
  warm_up?: string;
}
/**
 * What is sent.
 */
export interface Scenario {
  /**
   * Named sources of values for `${name}` in paths, headers and bodies.
   */
  variables?: {
    [k: string]: Variable;
  };
  /**
   * What is sent, each as often as its weight says. On WebSockets those with `send` or `emit` are sent, and the others open the connections; where
   * these are held, all do. Required, unless there are journeys or `actions`: with these
   * default is a GET of the target's URL.
   */
  requests?: Request[];
  /**
   * What each held connection does, one action after the other, from the moment at which the last one is due: one `repeat` with one
   * `request`, `send` or `emit` in it.
   */
  actions?: Action[];
  /**
   * What users do, instead of `requests`: an arrival is a user, who takes a journey as often as its weight says.
   */
  journeys?: Journey[];
  /**
   * What one user does once the service is ready and before the load, such as to log in: the actions of journeys. `${name}` of what it takes or
   * sets is known to all requests and users. When it fails, nothing else is sent.
   */
  before?: Action[];
  /**
   * What one user does after the load, also when it was interrupted: the actions of journeys.
   */
  after?: Action[];
}
/**
 * The values of a variable: a range of whole numbers or a list of texts, taken in turn by each request, then again; what is made, such as a UUID, a text of
 * random characters or the time; or a table in a file, of which each user has a row: `${name.column}`.
 */
export interface Variable {
  /**
   * First number. Default 1.
   */
  from?: number;
  /**
   * Last number, included.
   */
  to?: number;
  /**
   * Texts.
   */
  values?: (string | number | boolean)[];
  /**
   * File with a table, relative to the directory of the plan: an object a line in JSON where its name ends in `.jsonl`, `.ndjson` or `.json`, else
   * CSV.
   */
  file?: string | number | boolean;
  /**
   * Names of the columns. Default: those in the first line of the file.
   */
  columns?: (string | number | boolean)[];
  /**
   * What stands between two fields of CSV, one character. Default: a comma, or a tab where the name of the file ends in `.tsv`.
   */
  separator?: string | number | boolean;
  /**
   * `random`, alone: a UUID of version 4, each time another one that the seed of the plan decides.
   */
  uuid?: 'random';
  /**
   * How many random characters a text has, by the seed of the plan.
   */
  length?: number;
  /**
   * The characters of such a text. Default: the small letters and digits of ASCII.
   */
  characters?: string | number | boolean;
  /**
   * The time in UTC at which a request is due, in `seconds` or `milliseconds` since 1970, as `iso8601`, or in a format such as `%Y-%m-%d`.
   */
  now?: ('seconds' | 'milliseconds' | 'iso8601') | string;
  /**
   * How long after that time, such as `+1d`, or before it, such as `-90m`. Default `+0s`.
   */
  offset?: string;
  /**
   * Whether a user on a journey has another UUID, text or random value in each request and each `set`, and not the same one from arrival to departure.
   * Default false.
   */
  anew?: boolean;
  /**
   * In which order values or rows are given out, by the seed of the plan: `in turn`; `shuffled`, each once before any comes again; or `random`, each time
   * any of them. Default in turn.
   */
  order?: 'in turn' | 'shuffled' | 'random';
  /**
   * Whether each row is given to one user of the run and no other; when all rows are used up, the load ends. With journeys. Default false: from
   * the first row on again.
   */
  once?: boolean;
}
/**
 * One kind of request.
 */
export interface Request {
  /**
   * Name of the request, different from all others; no report shows it yet. Default: method and path.
   */
  name?: string | number | boolean;
  /**
   * How often it is sent, relative to the other requests. Default 1.
   */
  weight?: number;
  /**
   * HTTP method. Default GET.
   */
  method?: string;
  /**
   * Path with query; `${name}` is replaced. Default: the path of the target's URL.
   */
  path?: string | number | boolean;
  /**
   * Headers; `${name}` is replaced. A list sends a header several times.
   */
  headers?: {
    [k: string]: string | number | boolean | (string | number | boolean)[];
  };
  /**
   * Body as text; `${name}` is replaced.
   */
  body?: string | number | boolean;
  /**
   * Body as JSON, with `content-type: application/json` unless given; `${name}` in texts is replaced, and a text
   * that is nothing but `${name}` of a numeric variable becomes a number.
   */
  json?: {
    [k: string]: unknown;
  };
  /**
   * File with the body, relative to the directory of the plan, sent as it is.
   */
  body_file?: string | number | boolean;
  /**
   * Body in base64, sent as it is.
   */
  body_base64?: string | number | boolean;
  /**
   * A call of gRPC, instead of a body.
   */
  grpc?: Grpc;
  /**
   * What makes a response correct.
   */
  expect?: Expect;
  /**
   * A message on a WebSocket, instead of all but name and weight.
   */
  send?: Message;
  /**
   * An event of Socket.IO that asks for an acknowledgement, instead of all but name and weight.
   */
  emit?: Emit;
  /**
   * How a client of Socket.IO joins its namespace, where the request opens a connection.
   */
  connect?: Connect;
}
/**
 * A call of gRPC with one request and one response.
 */
export interface Grpc {
  /**
   * The `.proto` file that defines the service, relative to the directory of the plan.
   */
  proto?: string | number | boolean;
  /**
   * Where it and others find what they import, besides the directory of the file. Relative to the directory of the plan.
   */
  import_paths?: (string | number | boolean) | (string | number | boolean)[];
  /**
   * Package, service and method, such as `shop.Cart/Add`. Required.
   */
  call: string | number | boolean;
  /**
   * The request as JSON, as protobuf maps it; `${name}` in texts is replaced. Default: an empty message.
   */
  message?: {
    [k: string]: unknown;
  };
  /**
   * The request as it is encoded, in base64; those of a list are sent in turn.
   */
  message_base64?: (string | number | boolean) | (string | number | boolean)[];
  /**
   * Time that the service is told a call may take (`grpc-timeout`). Default: none.
   */
  deadline?: string;
}
/**
 * What makes a response correct.
 */
export interface Expect {
  /**
   * Accepted status codes: `200`, `2xx`, `200-299`, or a list of these. Default 200-399.
   */
  status?: (string | number) | (string | number)[];
  /**
   * Accepted statuses of a call of gRPC, such as `[OK, NOT_FOUND]`; OK is always one. Default OK.
   */
  grpc_status?:
    | (
        | 'OK'
        | 'CANCELLED'
        | 'UNKNOWN'
        | 'INVALID_ARGUMENT'
        | 'DEADLINE_EXCEEDED'
        | 'NOT_FOUND'
        | 'ALREADY_EXISTS'
        | 'PERMISSION_DENIED'
        | 'RESOURCE_EXHAUSTED'
        | 'FAILED_PRECONDITION'
        | 'ABORTED'
        | 'OUT_OF_RANGE'
        | 'UNIMPLEMENTED'
        | 'INTERNAL'
        | 'UNAVAILABLE'
        | 'DATA_LOSS'
        | 'UNAUTHENTICATED'
      )
    | (
        | 'OK'
        | 'CANCELLED'
        | 'UNKNOWN'
        | 'INVALID_ARGUMENT'
        | 'DEADLINE_EXCEEDED'
        | 'NOT_FOUND'
        | 'ALREADY_EXISTS'
        | 'PERMISSION_DENIED'
        | 'RESOURCE_EXHAUSTED'
        | 'FAILED_PRECONDITION'
        | 'ABORTED'
        | 'OUT_OF_RANGE'
        | 'UNIMPLEMENTED'
        | 'INTERNAL'
        | 'UNAVAILABLE'
        | 'DATA_LOSS'
        | 'UNAUTHENTICATED'
      )[];
}
/**
 * A message on a WebSocket that has a response. `${message}` in it is a text of 16 letters and digits, different for each sending; the first message
 * on the same connection with it is the response.
 */
export interface Message {
  /**
   * What is sent; `${name}` is replaced.
   */
  text?: string | number | boolean;
  /**
   * What is sent, as JSON; `${name}` in texts is replaced.
   */
  json?: {
    [k: string]: unknown;
  };
}
/**
 * An event of Socket.IO. Its response is its acknowledgement.
 */
export interface Emit {
  /**
   * Name of the event. Required, unless there is a `packet`.
   */
  event?: string | number | boolean;
  /**
   * Its arguments, a list; `${name}` in texts is replaced. Default: none.
   */
  args?: {
    [k: string]: unknown;
  };
  /**
   * Event and arguments as a list in JSON, as a saved plan has it.
   */
  packet?: string | number | boolean;
}
/**
 * How a client of Socket.IO joins its namespace.
 */
export interface Connect {
  /**
   * The namespace, the same for all connections. Default `/`.
   */
  namespace?: string | number | boolean;
  /**
   * What the client says of itself: an object; `${name}` in texts is replaced. Default: nothing.
   */
  auth?: {
    [k: string]: unknown;
  };
  /**
   * How its session begins: on a WebSocket, or as in browsers by long polling, which a WebSocket takes over from (`upgrade`). Default websocket.
   */
  transport?: 'websocket' | 'upgrade';
}
/**
 * An action, by the one key that names it.
 */
export interface Action {
  /**
   * Does actions again and again.
   */
  repeat?: Repeat;
  /**
   * Sends a request and takes its response.
   */
  request?: ActionRequest;
  /**
   * Does nothing for a while: always as long, `from` a time `to` another, or by its `mean`. In a journey.
   */
  pause?: string | Pause;
  /**
   * Gives values to names, as `take` does: `${name}` from then on. In a journey.
   */
  set?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Does actions or leaves them out, by chance. In a journey.
   */
  chance?: Chance;
  /**
   * Does actions where something is so. In a journey.
   */
  when?: When;
  /**
   * Does actions on the first journey of a user alone, such as to log in. At the top of a journey.
   */
  once?: Once;
  /**
   * Sends a message on the connection itself, a WebSocket.
   */
  send?: Send;
  /**
   * Sends an event on the connection itself, of Socket.IO.
   */
  emit?: EmitAction;
}
/**
 * Actions that are done again and again.
 */
export interface Repeat {
  /**
   * From one time to the next. On held connections for each of them, all together spread evenly over it, and required. In a journey from the
   * beginning of one round to that of the next. Default 0s.
   */
  every?: string;
  /**
   * How many rounds there are. In a journey.
   */
  times?: number;
  /**
   * What ends the rounds when one is over. In a journey, with `at most`.
   */
  until?: Condition;
  /**
   * What has to be so for a round to begin. In a journey, with `at most`.
   */
  while?: Condition;
  /**
   * A name, which in each round is another value of a list: `{ id: "${ids}" }` for each value of what was taken as a list, or the list itself,
   * `{ colour: [red, blue] }`. In a journey.
   */
  'for each'?: {
    [k: string]: string | number | boolean | (string | number | boolean)[];
  };
  /**
   * How many rounds there are at most; then the journey goes on. In a journey: with `until` or `while`, and with `for each`, where the default is
   * 10,000.
   */
  'at most'?: number;
  /**
   * A name, which is the number of the round, and the number of the first one: `{ page: 1 }`. In a journey.
   */
  count?: {
    [k: string]: number;
  };
  /**
   * What is done, in order. Required.
   */
  actions: Action[];
}
/**
 * Something that is so or not: a `value` compares with another one, or what `all`, `any` or `not` says.
 */
export interface Condition {
  /**
   * What is looked at, with one of the comparisons.
   */
  value?: string | number | boolean;
  /**
   * The text that it has to be; `${name}` is replaced.
   */
  is?: string | number | boolean;
  /**
   * The text that it must not be; `${name}` is replaced.
   */
  'is not'?: string | number | boolean;
  /**
   * A number that it has to be below. It never is where it is no number.
   */
  below?: string | number;
  /**
   * The highest number that it may be. It never is where it is no number.
   */
  'at most'?: string | number;
  /**
   * The lowest number that it may be. It never is where it is no number.
   */
  'at least'?: string | number;
  /**
   * A number that it has to be above. It never is where it is no number.
   */
  above?: string | number;
  /**
   * Conditions that all have to be so.
   */
  all?: Condition[];
  /**
   * Conditions of which at least one has to be so.
   */
  any?: Condition[];
  /**
   * A condition that must not be so.
   */
  not?: Condition;
}
/**
 * A request that is an action. On a held connection `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes back in
 * a response on a held connection, the message has been delivered.
 */
export interface ActionRequest {
  /**
   * Name of the request, different from all others. Default: method and path.
   */
  name?: string | number | boolean;
  /**
   * Where it is sent, over connections of its own. Default: the target's URL. Only then it has the credentials of the target.
   */
  url?: string;
  /**
   * HTTP method. Default GET.
   */
  method?: string;
  /**
   * Path with query; `${name}` is replaced. Default: the path of the URL.
   */
  path?: string | number | boolean;
  /**
   * Headers; `${name}` is replaced. A list sends a header several times.
   */
  headers?: {
    [k: string]: string | number | boolean | (string | number | boolean)[];
  };
  /**
   * Body as text; `${name}` is replaced.
   */
  body?: string | number | boolean;
  /**
   * Body as JSON, with `content-type: application/json` unless given; `${name}` in texts is replaced.
   */
  json?: {
    [k: string]: unknown;
  };
  /**
   * File with the body, relative to the directory of the plan, sent as it is.
   */
  body_file?: string | number | boolean;
  /**
   * Body in base64, sent as it is.
   */
  body_base64?: string | number | boolean;
  /**
   * What makes a response correct: with it the service has accepted the message.
   */
  expect?: Expect;
  /**
   * What the user keeps of the response, by name: `${name}` in requests from then on. In a journey.
   */
  take?: {
    [k: string]: Take;
  };
  /**
   * What makes a response correct besides its status. In a journey.
   */
  check?: Check[];
  /**
   * What a user does when a response came and is not correct: `end` the journey, or `continue` with the next action, without what was to be
   * taken. In a journey. Default `end`.
   */
  on_failure?: 'end' | 'continue';
  /**
   * How many of the held connections the message comes to: a number, `all`, or `any` where nobody knows. Default 1.
   */
  receivers?: string | number;
}
/**
 * Where a value stands in a response, by one of its keys. Where there is none, the request has failed and the journey ends.
 */
export interface Take {
  /**
   * Its path in a body that is JSON, such as `$.items[0].id`. With `[*]`, every element, it is a list.
   */
  json?: string;
  /**
   * The header whose value it is.
   */
  header?: string | number | boolean;
  /**
   * The cookie whose value it is, where the response sets it.
   */
  cookie?: string | number | boolean;
  /**
   * The texts around it in the body.
   */
  between?: Between;
  /**
   * A regular expression whose first match in the body has it.
   */
  regex?: string;
  /**
   * With `regex`: which group of the expression it is, 0 for all of the match. Default: the first group, or all where there is none.
   */
  group?: number;
  /**
   * With `regex`: `true` takes what every match has there, as a list, which may be empty. Default false.
   */
  all?: boolean;
}
/**
 * The texts around a value.
 */
export interface Between {
  /**
   * The text in front of it, where that occurs first. Required.
   */
  after: string | number | boolean;
  /**
   * The text behind it. Required.
   */
  before: string | number | boolean;
}
/**
 * What makes a response correct besides its status. Where it is not so, the request has failed, and the journey ends unless `on_failure` says
 * otherwise.
 */
export interface Check {
  /**
   * The path of a value that there is in a body that is JSON, such as `$.state`; with a comparison such as `is` where it matters what it is.
   */
  json?: string;
  /**
   * The name of a header that there is; with a comparison such as `is` where it matters what its value is.
   */
  header?: string | number | boolean;
  /**
   * The text that the value is; `${name}` is replaced.
   */
  is?: string | number | boolean;
  /**
   * A text that the value is not; `${name}` is replaced.
   */
  'is not'?: string | number | boolean;
  /**
   * A number that the value is below. It never is where it is no number.
   */
  below?: string | number;
  /**
   * The highest number that the value may be. It never is where it is no number.
   */
  'at most'?: string | number;
  /**
   * The lowest number that the value may be. It never is where it is no number.
   */
  'at least'?: string | number;
  /**
   * A number that the value is above. It never is where it is no number.
   */
  above?: string | number;
  /**
   * A text that the body contains.
   */
  body?: string | number | boolean;
  /**
   * A text that the body does not contain.
   */
  lacks?: string | number | boolean;
  /**
   * A regular expression that has a match in the body.
   */
  matches?: string;
  /**
   * How long the body is.
   */
  size?: Size;
  /**
   * The longest response time, from when the request was due to the last byte.
   */
  time?: string;
}
/**
 * How long a body is.
 */
export interface Size {
  /**
   * The fewest bytes. Default 0.
   */
  'at least'?: number;
  /**
   * The most bytes. Default: no limit.
   */
  'at most'?: number;
}
/**
 * A pause of another length each time: between two, or by its mean.
 */
export interface Pause {
  /**
   * The shortest; with `to`.
   */
  from?: string;
  /**
   * The longest; with `from`.
   */
  to?: string;
  /**
   * The mean, without `from` and `to`: of an exponential distribution, many short pauses and a few long ones, of which none is longer than ten
   * times the mean.
   */
  mean?: string;
  /**
   * With `mean`: of a normal distribution instead, with this standard deviation.
   */
  deviation?: string;
}
/**
 * Actions that are done by chance.
 */
export interface Chance {
  /**
   * The share of users who do them. Required.
   */
  of: string;
  /**
   * What is done, in order. Required.
   */
  actions: Action[];
}
/**
 * Actions that are done where something is so: a `value` compares with another one, or what `all`, `any` or `not` says.
 */
export interface When {
  /**
   * What is looked at, with one of the comparisons.
   */
  value?: string | number | boolean;
  /**
   * The text that it has to be; `${name}` is replaced.
   */
  is?: string | number | boolean;
  /**
   * The text that it must not be; `${name}` is replaced.
   */
  'is not'?: string | number | boolean;
  /**
   * A number that it has to be below. It never is where it is no number.
   */
  below?: string | number;
  /**
   * The highest number that it may be. It never is where it is no number.
   */
  'at most'?: string | number;
  /**
   * The lowest number that it may be. It never is where it is no number.
   */
  'at least'?: string | number;
  /**
   * A number that it has to be above. It never is where it is no number.
   */
  above?: string | number;
  /**
   * Conditions that all have to be so.
   */
  all?: Condition[];
  /**
   * Conditions of which at least one has to be so.
   */
  any?: Condition[];
  /**
   * A condition that must not be so.
   */
  not?: Condition;
  /**
   * What is done then, in order. Required.
   */
  actions: Action[];
}
/**
 * Actions that a user does on its first journey alone. In the open model each user has one; in the closed model the others begin with what these have
 * taken, and with the cookies.
 */
export interface Once {
  /**
   * What is done, in order. Required.
   */
  actions: Action[];
}
/**
 * A message on a held connection. `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes
 * back on a held connection, the message has been delivered.
 */
export interface Send {
  /**
   * Name of the message, different from those of all requests. Default `send`.
   */
  name?: string | number | boolean;
  /**
   * What is sent; `${name}` is replaced.
   */
  text?: string | number | boolean;
  /**
   * What is sent, as JSON; `${name}` in texts is replaced.
   */
  json?: {
    [k: string]: unknown;
  };
  /**
   * How many of the held connections the message comes to: a number, `all`, `others` (all but the sender), or `any` where nobody
   * knows. Default 1.
   */
  receivers?: string | number;
}
/**
 * An event on a held connection of Socket.IO. `${message}` in it is a text of 16 letters and digits, different for each sending; where it comes
 * back on a held connection, the message has been delivered.
 */
export interface EmitAction {
  /**
   * Name of the message, different from those of all requests. Default: the event.
   */
  name?: string | number | boolean;
  /**
   * Name of the event. Required, unless there is a `packet`.
   */
  event?: string | number | boolean;
  /**
   * Its arguments, a list; `${name}` in texts is replaced. Default: none.
   */
  args?: {
    [k: string]: unknown;
  };
  /**
   * Event and arguments as a list in JSON, as a saved plan has it.
   */
  packet?: string | number | boolean;
  /**
   * How many of the held connections the message comes to: a number, `all`, `others` (all but the sender), or `any` where nobody
   * knows. Default 1.
   */
  receivers?: string | number;
}
/**
 * What a user does, from arrival to departure.
 */
export interface Journey {
  /**
   * Name of the journey, different from all others. Default: `journey` and its number.
   */
  name?: string | number | boolean;
  /**
   * How many users take it, relative to the other journeys. Default 1.
   */
  weight?: number;
  /**
   * What a user does, in order. Required.
   */
  actions: Action[];
}
/**
 * When requests are sent.
 */
export interface Load {
  /**
   * `open`: arrivals do not wait for responses. `closed`: each connection waits for its response. `hold`: connections are
   * opened and kept open. Default open.
   */
  model?: 'open' | 'closed' | 'hold';
  /**
   * Open: the rate, held for `duration`.
   */
  rate?: string | number;
  /**
   * How long the load takes; hold: from the moment at which the last connection is due.
   */
  duration?: string;
  /**
   * Open: how arrivals are spread. Default even.
   */
  arrivals?: 'even' | 'poisson';
  /**
   * Open: instead of `rate` and `duration`, stretches of time one after the other. Closed: instead of `connections` and
   * `duration`, such stretches in numbers of users.
   */
  stages?: (string | Stage)[];
  /**
   * Open: instead of `rate` and `duration`, rates held one after the other, each higher than the last.
   */
  stepping?: Stepping;
  /**
   * Closed: how many connections, or users on journeys, there are. Hold: how many are held.
   */
  connections?: number;
  /**
   * Closed: ends after this many requests.
   */
  requests?: number;
  /**
   * Closed: pause between a response and the next request of that connection. Default 0s.
   */
  think_time?: string;
  /**
   * Closed: minimum distance between the starts of two requests of one connection. Default 0s, none.
   */
  pacing?: string;
  /**
   * Closed: time over which connections, or users on journeys, begin one after the other. Default 0s, all at once.
   */
  ramp?: string;
  /**
   * Hold: connections opened per second. Default 1000/s.
   */
  pace?: string | number;
  /**
   * Hold: `request` parks a request on each connection (long poll) and sends it again after its response, `nothing`
   * sends nothing but pings. Default request.
   */
  park?: 'request' | 'nothing';
  /**
   * Hold: how often each connection shows that it is alive, whole seconds. Default: never.
   */
  ping?: string;
  /**
   * Hold: destination ports such as `8080,9000-9015`, used in turn. Default: the port of the target's URL.
   */
  ports?: string | number;
}
/**
 * A stretch of time with one rate, or with a rate that moves evenly. In short, `30s:100` is a ramp to 100/s. In the closed model
 * numbers of users stand in place of rates.
 */
export interface Stage {
  /**
   * The rate at its end; it moves there from where the last stage ended.
   */
  ramp_to?: string | number;
  /**
   * Where a ramp begins, when not where the last stage ended. The first begins at zero.
   */
  from?: string | number;
  /**
   * The rate all through it, from its first moment.
   */
  hold?: string | number;
  /**
   * Its length. Required.
   */
  duration: string;
}
/**
 * Rates held one after the other.
 */
export interface Stepping {
  /**
   * The first rate. Required.
   */
  start: string | number;
  /**
   * What each rate adds to the last. Required.
   */
  step: string | number;
  /**
   * How long each is held. Required.
   */
  every: string;
  /**
   * How many rates there are. Required.
   */
  steps: number;
}
/**
 * How the generator uses connections.
 */
export interface Connections {
  /**
   * Most connections open at once in the open model. Default 256.
   */
  max?: number;
  /**
   * Connections that are opened at the start of each step, before any is needed: in a chat, those who listen. In the
   * closed model at most as many as it has. Default 0, none.
   */
  min?: number;
  /**
   * Whether a connection carries more than one request. Default true.
   */
  keep_alive?: boolean;
  /**
   * Whether each user on a journey has a connection of its own, which is opened for its first request with a full handshake
   * and closed at the end of the journey. Default false: a request goes out on whichever connection is free.
   */
  per_user?: boolean;
  /**
   * HTTP/1.1: requests in flight on one connection. Default 1.
   */
  pipelining?: number;
  /**
   * HTTP/2: most requests in flight on one connection, as far as the service allows them. Default: 100 in the open model, 1 in
   * the closed one, where a connection has so many users.
   */
  streams?: number;
  /**
   * Time to establish a connection, after which the attempt fails. Default 5s.
   */
  connect_timeout?: string;
  /**
   * Time from the scheduled start to the last byte of the response, after which a request fails. Default 10s.
   */
  response_timeout?: string;
}
/**
 * Bounds of the capacity search.
 */
export interface Search {
  /**
   * What is searched: `rate`, the greatest arrival rate (open model), `users`, the greatest number of users at a time
   * (closed model, with the think time and pacing of the load), or `connections`, the greatest number that is held as the load
   * says. Default rate.
   */
  in?: 'rate' | 'users' | 'connections';
  /**
   * Rate, or number of users or connections, of the first step. Default 100.
   */
  start?: string | number;
  /**
   * The search never offers more. Default 1000000.
   */
  max?: string | number;
  /**
   * Requested width of the bracket, as a share of the load line. Default 5%.
   */
  bracket?: string;
  /**
   * The search ends after this time. Default 90s.
   */
  budget?: string;
  /**
   * Length of one step. Default 5s.
   */
  step?: string;
}
/**
 * How many instances a demand needs, predicted from the load line.
 */
export interface Sizing {
  /**
   * Arrival rate that all instances carry together. Default: none, and nothing is sized.
   */
  demand?: string | number;
  /**
   * Share of the load line kept free in each instance, 0% to 99%. Default 30%.
   */
  headroom?: string;
  /**
   * Price of an instance per hour, such as `0.12/h`, `0.12 EUR/h` or `$0.12/h`. Default: no costs.
   */
  price?: string;
}
/**
 * Machines that make the load together. Options of the command line go before it.
 */
export interface Fleet {
  /**
   * Where its agents are: the URL of their broker, such as `nats://127.0.0.1:4222`, or `local` for agents that are started on this machine
   * and end with the command. A password in it is best a variable, `nats://${env.BROKER_USER}@127.0.0.1:4222`. Required.
   */
  url: string;
  /**
   * File with the key by which the broker knows the run, as `plimsoll fleet keys` makes it, relative to the directory of the plan.
   */
  key?: string | number | boolean;
  /**
   * Wait for this many agents, 1 to 1000, and use no more. Default: all that respond within 1.5 s, or 2 that are local.
   */
  agents?: number;
  /**
   * Make do with this many agents if no more come within 30 s. Default: as many as `agents`, or 1.
   */
  min_agents?: number;
}
