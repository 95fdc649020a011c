// @ts-check
// A few requests traced exactly: which calls to other services each makes, from where, when, and whether it asks for
// the same twice. By context, and in short bursts: before Node.js 24 all that is asynchronous is dearer while contexts are
// followed, so for most of the time they are not.

import { AsyncLocalStorage } from 'node:async_hooks';
import { siteHere } from './sites.js';
import { quietly, state } from './state.js';
import { AT, TRACED, thread_ms, tracedAt } from './table.js';

/** Requests of a burst: those that begin within some time, a few at least, and how long it waits for them to end. */
const BEGIN_MS = 30;
const REQUESTS_MIN = 4;
const REQUESTS_MAX = 16;
const BURST_MS_MAX = 2000;
/** The first calls find everything cold. */
const COLD_MS = 1000;
/** The next burst begins after so many times the length of the last one, where contexts are dear and where not. */
const PAUSES_BY_HOOKS = 20;
const PAUSES_BY_FRAMES = 4;
const PAUSE_MS_MIN = 100;
/** Calls of a request that are looked at: its first. */
const CALLS_MAX = 100;
/** Requests that are told apart, and URLs of which it is known who asked for them. */
const KINDS_MAX = 64;
const URLS_MAX = 1000;
/** A text is told apart by as many of its first UTF-16 units, and its length. */
const HASHED_LENGTH_MAX = 2048;

const [CALLS, REPEATED, SHARED, CONNECTIONS, SERIES] = TRACED.keys();

/**
 * @typedef {import('./served.js').Asked} Asked
 *
 * @typedef {object} Trace a request that is followed
 * @property {number} key of what it asks for
 * @property {number} from_ms
 * @property {boolean} open its response is not out yet
 * @property {Call[]} calls
 *
 * @typedef {object} Call
 * @property {number} key of what it asks for; 0 if asking twice may do something twice
 * @property {number} site
 * @property {number} from_ms
 * @property {number} to_ms 0 while it is under way
 * @property {boolean} opened a connection
 * @property {number} connected_ms when that was there; 0 before, and without one
 * @property {boolean} failed
 * @property {boolean} shared a request that differs asked for the same, and somebody less than a second ago
 *
 * @typedef {{ trace: Trace, site: number, used: boolean }} Context of a request, and from the place of a call on also that
 */

export const tracing = {
  /** A burst lasts. */
  on: false,
  /** Calls were seen since the last burst: without them nothing is there to be followed. */
  calls_seen: false,
};

const contexts = /** @type {AsyncLocalStorage<Context | undefined>} */ (new AsyncLocalStorage());
const PAUSES = '_enable' in contexts ? PAUSES_BY_HOOKS : PAUSES_BY_FRAMES;

const burst = { from_ms: 0, next_ms: 0, begun: 0 };
/** @type {Set<Trace>} */
const open = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let limit;
/** @type {Set<number>} */
const kinds = new Set();
/** Who asked for a URL, the longest ago first. @type {Map<number, { by: number, several: boolean }>} */
const askers = new Map();

/** Begins a burst with the next request if it is time for one. @param {number} now_ms */
export function mayBegin(now_ms) {
  if (tracing.on || !tracing.calls_seen || now_ms < burst.next_ms) return;
  if (burst.next_ms === 0) {
    burst.next_ms = now_ms + COLD_MS;
    return;
  }
  tracing.on = true;
  Object.assign(burst, { from_ms: now_ms, begun: 0 });
  limit = setTimeout(finish, BURST_MS_MAX);
  limit.unref();
}

/** For each request while a burst lasts: those that are not followed must not inherit from one before. @param {{ request: Asked, response: import('node:events').EventEmitter }} message */
export function enter({ request, response }) {
  if (!takesMore()) {
    contexts.enterWith(undefined);
    return;
  }
  burst.begun += 1;
  /** @type {Trace} */
  const trace = { key: keyOfRequest(request), from_ms: thread_ms(), open: true, calls: [] };
  contexts.enterWith({ trace, site: 0, used: true });
  open.add(trace);
  response.once('close', () => {
    if (!open.delete(trace)) return;
    trace.open = false;
    quietly(() => settle(trace));
    if (open.size === 0) finish();
  });
}

function takesMore() {
  if (burst.begun >= REQUESTS_MAX) return false;
  return burst.begun < REQUESTS_MIN || thread_ms() < burst.from_ms + BEGIN_MS;
}

/** The burst ends; what is still open is cut off. */
export function finish() {
  if (!tracing.on) return;
  clearTimeout(limit);
  tracing.on = false;
  tracing.calls_seen = false;
  contexts.disable();
  state.table[AT.traced_cut] += open.size;
  for (const trace of open) trace.open = false;
  open.clear();
  const length_ms = thread_ms() - burst.from_ms;
  burst.next_ms = thread_ms() + Math.max((state.trace_pauses ?? PAUSES) * length_ms, PAUSE_MS_MIN);
}

/** The context of a request that is being traced. */
function context() {
  const found = tracing.on ? contexts.getStore() : undefined;
  return found?.trace.open ? found : undefined;
}

/**
 * A function that makes a call, such that the call knows its place: by the time that it begins, the stack may be gone.
 * @param {Function} original @param {string} name
 */
export function placed(original, name) {
  return {
    /** @this {unknown} @param {any[]} args */
    placed(...args) {
      const outer = tracing.on ? context() : undefined;
      if (outer === undefined || !outer.used) return Reflect.apply(original, this, args);
      let site = 0;
      quietly(() => {
        site = siteHere(name);
      });
      const inner = { trace: outer.trace, site, used: false };
      return contexts.run(inner, () => Reflect.apply(original, this, args));
    },
  }.placed;
}

/**
 * A call begins. @param {string} method @param {string} url @param {string} varying what else decides about the response
 * @param {boolean} recent somebody asked for that URL less than a second ago
 * @returns {Call | undefined} if its request is traced
 */
export function callBegins(method, url, varying, recent) {
  const found = context();
  if (found === undefined || found.trace.calls.length >= CALLS_MAX) return undefined;
  const { trace } = found;
  const may_repeat = method === 'GET' || method === 'HEAD';
  const key = may_repeat ? hash(`${method} ${url}\n${varying}`) : 0;
  found.used = true;
  /** @type {Call} */
  const call = {
    key,
    site: found.site || siteHere('fetch'),
    from_ms: thread_ms(),
    to_ms: 0,
    opened: false,
    connected_ms: 0,
    failed: false,
    shared: key !== 0 && isAskedByOthers(key, trace.key) && recent,
  };
  trace.calls.push(call);
  return call;
}

/** A client has connected, for the call that it was told to do last. */
export function callConnected() {
  const calls = context()?.trace.calls ?? [];
  const call = calls.findLast(({ to_ms, opened }) => to_ms === 0 && !opened);
  if (call === undefined) return;
  call.opened = true;
  call.connected_ms = thread_ms();
}

/** @param {number} key @param {number} by the request that asks now */
function isAskedByOthers(key, by) {
  const before = askers.get(key);
  const differ = before !== undefined && (before.several || before.by !== by);
  askers.delete(key);
  askers.set(key, { by, several: differ });
  if (askers.size > URLS_MAX) askers.delete(/** @type {number} */ (askers.keys().next().value));
  return differ;
}

/** @param {Asked} request */
function keyOfRequest({ method, url, headers }) {
  const { 'content-length': length = '', authorization = '', cookie = '' } = headers;
  const key = hash(`${method} ${url}\n${length}\n${authorization}\n${cookie}`);
  if (kinds.size < KINDS_MAX) {
    kinds.add(key);
    state.table[AT.traced_kinds] = kinds.size;
  }
  return key;
}

/** FNV-1a, never 0. @param {string} text */
function hash(text) {
  let value = 0x811c9dc5 ^ text.length;
  const length = Math.min(text.length, HASHED_LENGTH_MAX);
  for (let index = 0; index < length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0 || 1;
}

/**
 * What the calls of a request cost it, in parts that add up: those that it made before, then connections, then what
 * calls in a row take longer than the longest of them. And apart from that, what others ask for as well.
 * @param {Trace} trace
 */
function settle({ from_ms, calls }) {
  const { table } = state;
  const now = thread_ms();
  for (const call of calls) if (call.to_ms === 0 || call.to_ms > now) call.to_ms = now;
  const first = calls.filter((_, index) => !isRepeated(calls, index));
  const repeated = calls.filter((call) => !first.includes(call));
  const shared = first.filter((call) => call.shared);
  const all = calls.map(interval);
  const once = first.map(interval);
  const connected = first.map(intervalConnected);
  const series = longestSeries(connected);
  const waited = union(all);
  const waited_once = union(once);
  table[AT.traced] += 1;
  table[AT.traced_ns] += (now - from_ms) * 1e6;
  table[AT.traced_calls] += calls.length;
  table[AT.traced_waited_ns] += waited * 1e6;
  table[AT.traced_repeated] += repeated.length;
  table[AT.traced_repeated_ns] += (waited - waited_once) * 1e6;
  table[AT.traced_shared] += shared.length;
  table[AT.traced_shared_ns] +=
    (waited_once - union(first.filter((call) => !call.shared).map(interval))) * 1e6;
  const opened = calls.filter((call) => call.opened);
  table[AT.traced_connections] += opened.length;
  table[AT.traced_connecting_ns] += (waited_once - union(connected)) * 1e6;
  table[AT.traced_series] += series.members.length;
  table[AT.traced_series_ns] += series.beyond_longest_ms * 1e6;
  const in_series = series.members.map((index) => first[index]);
  for (const [field, of] of /** @type {[number, Call[]][]} */ ([
    [CALLS, calls],
    [REPEATED, repeated],
    [SHARED, shared],
    [CONNECTIONS, opened],
    [SERIES, in_series],
  ])) {
    for (const { site } of of) table[tracedAt(site) + field] += 1;
  }
}

/** The same call was made before by the request, and did not fail. @param {Call[]} calls @param {number} index */
function isRepeated(calls, index) {
  const key = calls[index]?.key ?? 0;
  if (key === 0) return false;
  for (let before = 0; before < index; before += 1) {
    if (calls[before]?.key === key && !calls[before]?.failed) return true;
  }
  return false;
}

/** @typedef {[from_ms: number, to_ms: number]} Interval */

/** @param {Call} call @returns {Interval} */
const interval = ({ from_ms, to_ms }) => [from_ms, to_ms];

/** As it would be over a connection that is there. @param {Call} call @returns {Interval} */
const intervalConnected = ({ from_ms, to_ms, connected_ms }) => [
  Math.min(Math.max(from_ms, connected_ms), to_ms),
  to_ms,
];

/** Time in which at least one is under way. @param {Interval[]} intervals */
function union(intervals) {
  let sum_ms = 0;
  let until_ms = 0;
  for (const [from_ms, to_ms] of intervals.toSorted(([a], [b]) => a - b)) {
    sum_ms += Math.max(to_ms - Math.max(from_ms, until_ms), 0);
    until_ms = Math.max(until_ms, to_ms);
  }
  return sum_ms;
}

/**
 * The calls that follow each other and take longest together: each begins when the one before it has ended. How much longer
 * they take than the longest call is what would go if all began at once.
 * @param {Interval[]} intervals
 */
function longestSeries(intervals) {
  const sorted = intervals.map(([from_ms, to_ms], index) => ({ from_ms, to_ms, index }));
  sorted.sort((a, b) => a.to_ms - b.to_ms);
  /** @type {{ sum_ms: number, before: number }[]} the best series that ends with each */
  const best = [];
  let last = -1;
  for (const [at, { from_ms, to_ms }] of sorted.entries()) {
    const here = { sum_ms: to_ms - from_ms, before: -1 };
    for (let before = 0; before < at; before += 1) {
      if ((sorted[before]?.to_ms ?? 0) > from_ms) break;
      const sum_ms = (best[before]?.sum_ms ?? 0) + to_ms - from_ms;
      if (sum_ms > here.sum_ms) Object.assign(here, { sum_ms, before });
    }
    best.push(here);
    if (last < 0 || here.sum_ms > (best[last]?.sum_ms ?? 0)) last = at;
  }
  const longest_ms = Math.max(0, ...intervals.map(([from_ms, to_ms]) => to_ms - from_ms));
  const sum_ms = best[last]?.sum_ms ?? 0;
  /** @type {number[]} */
  const members = [];
  for (let at = last; at >= 0; at = best[at]?.before ?? -1) members.push(sorted[at]?.index ?? 0);
  return {
    members: members.length > 1 ? members.reverse() : [],
    beyond_longest_ms: Math.max(sum_ms - longest_ms, 0),
  };
}
