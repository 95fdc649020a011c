// Made of probe/src by `make generate`; edit there.
"use strict";
"use strict";
var __create = Object.create;
var __defProp = Object.defineProperty;
var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __getProtoOf = Object.getPrototypeOf;
var __hasOwnProp = Object.prototype.hasOwnProperty;
var __copyProps = (to, from, except, desc) => {
  if (from && typeof from === "object" || typeof from === "function") {
    for (let key of __getOwnPropNames(from))
      if (!__hasOwnProp.call(to, key) && key !== except)
        __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
  }
  return to;
};
var __toESM = (mod, isNodeMode, target) => (target = mod != null ? __create(__getProtoOf(mod)) : {}, __copyProps(
  // If the importer is in node compatibility mode or this is not an ESM
  // file that has been converted to a CommonJS file using a Babel-
  // compatible transform (i.e. "__esModule" has not been set), then set
  // "default" to the CommonJS "module.exports" for node compatibility.
  isNodeMode || !mod || !mod.__esModule ? __defProp(target, "default", { value: mod, enumerable: true }) : target,
  mod
));

// src/probe.js
var import_node_fs5 = require("node:fs");
var import_node_module4 = require("node:module");
var import_node_os = require("node:os");
var import_node_path2 = require("node:path");
var import_node_tty = require("node:tty");
var import_node_v84 = require("node:v8");
var import_node_worker_threads4 = require("node:worker_threads");

// src/arm.js
var import_node_http = __toESM(require("node:http"), 1);
var import_node_net = __toESM(require("node:net"), 1);

// src/table.js
var import_node_perf_hooks = require("node:perf_hooks");
function placesOf(names) {
  return (
    /** @type {Record<Name, number>} */
    Object.fromEntries(names.map((name, index) => [name, index]))
  );
}
var SINGLE = (
  /** @type {const} */
  [
    "requests_started",
    "followed",
    "followed_ns",
    "connections",
    "connections_open",
    "connections_peak",
    "handshakes_full",
    "handshakes_resumed",
    "messages",
    "messages_sent",
    "messages_compressed",
    "looked_sampled",
    "looked_get",
    "looked_body_bytes",
    "looked_compressible",
    "looked_compressible_bytes",
    "looked_accepts_encoding",
    "looked_compressed",
    "looked_etag",
    "looked_conditional",
    "looked_not_modified",
    "looked_connection_close",
    "beats",
    "beat_ms",
    "delay_ns",
    "longest_delay_ns",
    "loop_active_ns",
    "loop_idle_ns",
    "minor_count",
    "minor_ns",
    "major_count",
    "major_ns",
    "incremental_count",
    "incremental_ns",
    "weak_count",
    "weak_ns",
    "heap_used_bytes",
    "heap_total_bytes",
    "external_bytes",
    "array_buffers_bytes",
    "low_bytes",
    "after_major_bytes",
    "after_major_count",
    "traced",
    "traced_cut",
    "traced_kinds",
    "traced_ns",
    "traced_calls",
    "traced_waited_ns",
    "traced_repeated",
    "traced_repeated_ns",
    "traced_shared",
    "traced_shared_ns",
    "traced_connections",
    "traced_connecting_ns",
    "traced_series",
    "traced_series_ns"
  ]
);
var AT = placesOf(SINGLE);
var DELAY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3];
var TALLY = (
  /** @type {const} */
  ["calls", "ns", "bytes", "watched", "seen_again"]
);
var [CALLS, NS, BYTES, WATCHED, SEEN_AGAIN] = TALLY.keys();
var KEPT = TALLY.length;
var SITE = TALLY.length + 1;
var UPSTREAM = (
  /** @type {const} */
  [
    "requests",
    "answered",
    "failed",
    "active",
    "active_peak",
    "active_ns",
    "connections",
    "repeated",
    "changed_ms"
  ]
);
var POOL = (
  /** @type {const} */
  ["asked", "waiting", "waiting_ns", "changed_ms"]
);
var TRACED = (
  /** @type {const} */
  ["calls", "repeated", "shared", "connections", "series"]
);
var COUNTERS_MAX = 400;
var SITES_MAX = 1024;
var ORIGINS_MAX = 64;
var POOLS_MAX = 32;
var DELAYS = SINGLE.length;
var COUNTERS = DELAYS + DELAY_BOUNDS_MS.length + 1;
var SITES = COUNTERS + COUNTERS_MAX * TALLY.length;
var ORIGINS = SITES + SITES_MAX * SITE;
var TRACED_SITES = ORIGINS + ORIGINS_MAX * UPSTREAM.length;
var POOLS = TRACED_SITES + SITES_MAX * TRACED.length;
var LENGTH = POOLS + POOLS_MAX * POOL.length;
var counterAt = (index) => COUNTERS + index * TALLY.length;
var siteAt = (id) => SITES + id * SITE;
var originAt = (index) => ORIGINS + index * UPSTREAM.length;
var poolAt = (index) => POOLS + index * POOL.length;
var tracedAt = (id) => TRACED_SITES + id * TRACED.length;
function createTable() {
  return new Float64Array(new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT));
}
var thread_ms = import_node_perf_hooks.performance.now.bind(import_node_perf_hooks.performance);
var [SECONDS, REST_NS] = process.hrtime();
var OFFSET_MS = SECONDS * 1e3 + REST_NS / 1e6 - thread_ms();
var now_ms = () => thread_ms() + OFFSET_MS;
function manyBecome(table3, at, of, change) {
  const now = now_ms();
  table3[at + of.ns] = integralAt(table3, at, of, now);
  table3[at + of.changed_ms] = now;
  table3[at + of.many] = Math.max((table3[at + of.many] ?? 0) + change, 0);
}
function integralAt(table3, at, of, now) {
  const [many = 0, ns = 0, changed_ms = 0] = [
    table3[at + of.many],
    table3[at + of.ns],
    table3[at + of.changed_ms]
  ];
  return many > 0 ? ns + many * Math.max(now - changed_ms, 0) * 1e6 : ns;
}

// src/state.js
var state = {
  /** Wrappers count; else they only pass through. */
  on: false,
  /** A wrapped function is running: what it calls counts for it. */
  inside: false,
  /** Bytes that went to the outputs inside of the wrapped function that is running. */
  inner_bytes: 0,
  table: createTable(),
  /** Of the settings. */
  stacks_per_s: 0,
  /** Whose the calls are that are being made, where nobody of the service is on the stack; 0 for whoever is. */
  site: 0,
  /** Of the settings. @type {number | undefined} */
  trace_pauses: void 0,
  /** @type {(note: Note) => void} */
  tell: () => {
  },
  /** Says why the probe does nothing. @type {(error: unknown) => void} */
  refuse: () => {
  },
  /** @type {(() => void)[]} run when the probe switches itself off */
  undo: []
};
function switchOff(error) {
  if (error !== void 0) quietly(() => state.refuse(error));
  state.on = false;
  state.tell = () => {
  };
  for (const undo of state.undo.splice(0)) quietly(undo);
}
function quietly(action) {
  try {
    action();
  } catch {
  }
}

// src/sampling.js
var TO_ADAPT = 20;
var LATE = 2;
var RARER = 8;
var samplings = [];
function createSampling(per_s) {
  const sampling = { per_s, every: 1, left: 1, taken: 0, since_ms: 0 };
  samplings.push(sampling);
  return sampling;
}
function take(sampling) {
  const { every } = sampling;
  sampling.taken += 1;
  if (sampling.taken >= TO_ADAPT) adapt(sampling, thread_ms());
  sampling.left = drawn(sampling.every);
  return every;
}
function adaptLate() {
  const now = thread_ms();
  for (const sampling of samplings) {
    if (sampling.every === 1 || now - sampling.since_ms < LATE * TO_ADAPT * 1e3 / sampling.per_s) continue;
    adapt(sampling, now);
    sampling.left = drawn(sampling.every);
  }
}
function adapt(sampling, now) {
  const taken_per_s = sampling.taken * 1e3 / Math.max(now - sampling.since_ms, 1e-3);
  const wanted2 = sampling.every * taken_per_s / sampling.per_s;
  sampling.every = Math.round(Math.min(Math.max(wanted2, 1), sampling.every * RARER));
  sampling.taken = 0;
  sampling.since_ms = now;
}
function drawn(every) {
  return every === 1 ? 1 : 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - 1 / every));
}
var seed = 625341585;
function random() {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) / 2 ** 32;
}

// src/sites.js
var import_node_url2 = require("node:url");

// src/origins.js
var import_node_module = require("node:module");
var import_node_url = require("node:url");
function originOf({ name, line, column }) {
  try {
    const entry = (0, import_node_module.findSourceMap)(name)?.findEntry(line - 1, column - 1);
    if (!entry || !("originalSource" in entry) || !entry.originalSource) return void 0;
    if (entry.generatedLine !== line - 1) return void 0;
    const { originalSource, originalLine, originalColumn } = entry;
    const file = originalSource.startsWith("file:") ? (0, import_node_url.fileURLToPath)(originalSource) : originalSource;
    return { file, line: originalLine + 1, column: originalColumn + 1 };
  } catch {
    return void 0;
  }
}
function originsOf(places3) {
  return places3.map((place2) => originOf(place2) ?? null);
}

// src/sites.js
var NEAR_FRAMES = 10;
var FAR_FRAMES = 32;
var TOLD_FRAMES = 8;
var CALLERS = 2;
var OfLanguage = Error;
var { captureStackTrace } = Error;
var ids = /* @__PURE__ */ new Map();
var places = /* @__PURE__ */ new Map();
var PLACES_MAX = 1e4;
function siteHere(counter, within = siteHere) {
  return siteId(counter, within);
}
function addToSite(id, weight, ns, bytes) {
  const at = siteAt(id);
  state.table[at + CALLS] += weight;
  state.table[at + NS] += weight * ns;
  state.table[at + BYTES] += weight * bytes;
}
function addWatchedToSite(id, seen_again) {
  const at = siteAt(id);
  state.table[at + WATCHED] += 1;
  if (seen_again) state.table[at + SEEN_AGAIN] += 1;
}
function siteId(counter, within) {
  const frames = stackBelow(NEAR_FRAMES, within);
  const near = foreignCalls(frames);
  if (frames.length < NEAR_FRAMES) return siteOf(counter, near, within);
  const known3 = reachesCallers(near) ? ids.get(keyOf(counter, near)) : void 0;
  return known3 ?? siteOf(counter, foreignCalls(stackBelow(FAR_FRAMES, within)), within);
}
function stackBelow(frames, within) {
  for (let made4 = within; typeof made4 === "function"; made4 = Object.getPrototypeOf(made4)) {
    const calls = stack(frames, made4);
    if (calls.length > 0) return calls;
  }
  return stack(frames, stackBelow);
}
function siteOf(counter, calls, within) {
  const key = keyOf(counter, calls);
  const known3 = ids.get(key);
  if (known3 !== void 0) return known3;
  const id = ids.size + 1;
  if (id >= SITES_MAX) return 0;
  ids.set(key, id);
  const frames = calls.map(
    ({ call, place: place2, resumed }) => resumed ? { ...told(call, place2), resumed: true } : told(call, place2)
  );
  const made_in = within === siteHere ? null : innermostAbove(calls[0]);
  quietly(() => state.tell({ type: "site", id, counter, frames, ...made_in && { made_in } }));
  return id;
}
function innermostAbove(begin4) {
  const [innermost] = foreignCalls(stack(FAR_FRAMES, innermostAbove));
  if (innermost === void 0 || begin4 && keyOf("", [innermost]) === keyOf("", [begin4])) return null;
  return told(innermost.call, innermost.place);
}
function keyOf(counter, calls) {
  let key = counter;
  for (const { call, place: place2, resumed } of calls.slice(0, endOfKey(calls))) {
    key += `
${place2.file}:${call.getLineNumber()}:${call.getColumnNumber()}${resumed ? "!" : ""}`;
  }
  return key;
}
function placeOfCaller(besides) {
  const calls = foreignCalls(stack(FAR_FRAMES, placeOfCaller));
  const call = calls.find(isOwn) ?? calls.find(({ place: place2 }) => !besides.has(place2.package ?? "")) ?? calls[0];
  return call === void 0 ? null : told(call.call, call.place);
}
function endOfKey(calls) {
  const own2 = calls.findIndex(isOwn);
  if (own2 < 0) return calls.length;
  const after = calls.slice(own2, own2 + CALLERS + 1).findIndex((call) => !isOwn(call));
  return after < 0 ? Math.min(own2 + CALLERS + 1, calls.length) : own2 + after;
}
function reachesCallers(calls) {
  const own2 = calls.findIndex(isOwn);
  return own2 >= 0 && (calls.length > endOfKey(calls) || calls.length > own2 + CALLERS);
}
function isOwn({ place: place2 }) {
  return place2.package === null;
}
function foreignCalls(frames) {
  const found = [];
  let own2 = 0;
  for (const [index, call] of frames.entries()) {
    const name = call.getFileName();
    if (!name) continue;
    const place2 = placeOf(name);
    if (place2 === void 0) continue;
    const is_own = place2.package === null;
    if (found.length >= TOLD_FRAMES) {
      if (is_own ? own2 > CALLERS : own2 > 0) break;
      if (!is_own) continue;
    }
    found.push({ call, place: place2, resumed: isResumed(frames, index) });
    if (is_own) own2 += 1;
  }
  return found;
}
function isResumed(frames, index) {
  if (frames[index]?.isAsync()) return false;
  const caller = frames[index + 1];
  if (caller === void 0) return frames.length !== NEAR_FRAMES && frames.length !== FAR_FRAMES;
  return caller.isAsync() || caller.getFileName() === "node:internal/process/task_queues";
}
function stack(frames, within) {
  if (Object.isFrozen(OfLanguage)) return [];
  const limit2 = OfLanguage.stackTraceLimit;
  const prepare = Object.getOwnPropertyDescriptor(OfLanguage, "prepareStackTrace");
  try {
    OfLanguage.stackTraceLimit = frames;
    Object.defineProperty(OfLanguage, "prepareStackTrace", {
      value: asCalls,
      configurable: true,
      writable: true
    });
    const holder = {};
    captureStackTrace(holder, within);
    return Array.isArray(holder.stack) ? holder.stack : [];
  } finally {
    OfLanguage.stackTraceLimit = limit2;
    if (prepare) Object.defineProperty(OfLanguage, "prepareStackTrace", prepare);
    else Reflect.deleteProperty(OfLanguage, "prepareStackTrace");
  }
}
function asCalls(_, calls) {
  return calls;
}
function placeOf(name) {
  if (places.has(name)) return places.get(name);
  const place2 = findPlace(name);
  if (places.size < PLACES_MAX) places.set(name, place2);
  return place2;
}
function findPlace(name) {
  if (name.startsWith("node:") || name === __filename) return void 0;
  let file = name;
  if (name.startsWith("file:")) {
    quietly(() => {
      file = (0, import_node_url2.fileURLToPath)(name.split("?")[0] ?? name);
    });
  }
  return { file, package: packageOf(file) };
}
function packageOf(file) {
  const after = file.split(/[\\/]node_modules[\\/]/).slice(1).pop();
  if (after === void 0) return null;
  const [first = "", second = ""] = after.split(/[\\/]/);
  return first.startsWith("@") ? `${first}/${second}` : first;
}
function told(call, place2) {
  const line = call.getLineNumber() ?? 1;
  const column = call.getColumnNumber() ?? 1;
  const frame = { ...place2, line, column, function: call.getFunctionName() ?? "" };
  const source = originOf({ name: call.getFileName() ?? "", line, column });
  return source ? { ...frame, ...source } : frame;
}

// src/count.js
var MEASURED_PER_S = 1e3;
var LONG_NS = 1e6;
var STACKS_OF_ONE = 50;
var FEWER = 5;
var WATCHES = 4;
var WATCHED_CALLS = 1e3;
var WATCHED_LENGTH_MIN = 32;
var WATCHED_LENGTH_MAX = 1 << 20;
var counters = [];
function createCounter(name, kind) {
  const index = counters.length;
  if (index >= COUNTERS_MAX) throw new RangeError(`no place for the counter ${name}`);
  const at = counterAt(index);
  const counter = {
    name,
    kind,
    at,
    measuring: createSampling(Math.max(MEASURED_PER_S, state.stacks_per_s)),
    stacks: createSampling(state.stacks_per_s),
    site: 0,
    of_one: 0,
    watches: []
  };
  counters.push(counter);
  state.tell({ type: "counter", index, name, kind });
  return counter;
}
var NOT_MEASURED = -1;
function begin(counter) {
  state.inside = true;
  return --counter.measuring.left > 0 ? 0 : thread_ms();
}
function end(from_ms) {
  const ns = from_ms === 0 ? NOT_MEASURED : (thread_ms() - from_ms) * 1e6;
  state.inside = false;
  return ns;
}
function count(counter, ns, bytes, text, within) {
  const { table: table3 } = state;
  const { at } = counter;
  table3[at + CALLS] += 1;
  if (text !== void 0 && counter.watches.length > 0) look(counter, text);
  if (ns === NOT_MEASURED) return void 0;
  try {
    const weight = take(counter.measuring);
    table3[at + NS] += weight * ns;
    table3[at + BYTES] += weight * bytes;
    if (ns < LONG_NS && --counter.stacks.left > 0) return void 0;
    return takeStack(counter, weight, ns, bytes, text, within);
  } catch (error) {
    switchOff(error);
    return void 0;
  }
}
function takeStack(counter, weight, ns, bytes, text, within) {
  const short2 = ns < LONG_NS ? take(counter.stacks) : 1;
  const site = state.site || siteHere(counter.name, within);
  addToSite(site, weight * short2, ns, bytes);
  counter.of_one = site === counter.site ? counter.of_one + 1 : 1;
  counter.site = site;
  counter.stacks.per_s = state.stacks_per_s / (counter.of_one > STACKS_OF_ONE ? FEWER : 1);
  if (text !== void 0 && counter.watches.length < WATCHES) {
    const watchable = text.length >= WATCHED_LENGTH_MIN && text.length <= WATCHED_LENGTH_MAX;
    if (watchable) counter.watches.push({ text, site, left: WATCHED_CALLS });
  }
  return site;
}
function look(counter, text) {
  for (let index = counter.watches.length - 1; index >= 0; index -= 1) {
    const watch = (
      /** @type {Watch} */
      counter.watches[index]
    );
    const seen_again = watch.text === text;
    if (!seen_again && --watch.left > 0) continue;
    counter.watches.splice(index, 1);
    state.table[counter.at + WATCHED] += 1;
    if (seen_again) state.table[counter.at + SEEN_AGAIN] += 1;
    addWatchedToSite(watch.site, seen_again);
  }
}

// src/wrap.js
function memberOf(exports2, path) {
  const steps = path.split(".");
  const key = (
    /** @type {string} */
    steps.pop()
  );
  return [steps.reduce((owner, step) => owner?.[step], exports2), key];
}
function wrap(owner, key, name, kind, bytes) {
  replace(owner, key, (original) => counted(original, name, kind, bytes));
}
function replace(owner, key, make) {
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, key);
  if (typeof descriptor?.value !== "function" || !(descriptor.configurable || descriptor.writable)) return;
  const { value: original, ...attributes } = descriptor;
  const value = disguised(make(original), original);
  if (descriptor.configurable) Object.defineProperty(owner, key, { ...attributes, value });
  else owner[key] = value;
}
function wrapClass(owner, key, name, kind) {
  const descriptor = owner && Object.getOwnPropertyDescriptor(owner, key);
  const original = descriptor?.value;
  if (typeof original !== "function" || !(descriptor?.configurable || descriptor?.writable)) return;
  const counter = createCounter(name, kind);
  const make = counting(counter, Reflect.construct, () => 0);
  const call = counting(counter, Reflect.apply, () => 0);
  const value = new Proxy(original, {
    construct: (_, args, target) => make(original, args, target === value ? original : target),
    apply: (_, self, args) => call(original, self, args)
  });
  const of_prototype = Object.getOwnPropertyDescriptor(original.prototype, "constructor");
  if (of_prototype?.configurable) {
    Object.defineProperty(original.prototype, "constructor", { ...of_prototype, value });
  }
  if (descriptor.configurable) Object.defineProperty(owner, key, { ...descriptor, value });
  else owner[key] = value;
}
function counted(original, name, kind, bytes) {
  return counting(createCounter(name, kind), original, bytes);
}
function counting(counter, original, bytes) {
  return {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      if (!state.on || state.inside) return Reflect.apply(original, this, args);
      state.inner_bytes = 0;
      let result;
      const from_ms = begin(counter);
      try {
        result = Reflect.apply(original, this, args);
        return result;
      } finally {
        const ns = end(from_ms);
        count(counter, ns, bytes ? measured(bytes, result, args, this) : state.inner_bytes);
      }
    }
  }.wrapper;
}
function measured(bytes, result, args, self) {
  try {
    return bytes(result, args, self) || 0;
  } catch {
    return 0;
  }
}
function disguised(wrapper, original) {
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(original));
  const own2 = Object.getOwnPropertyDescriptors(original);
  for (const key of Reflect.ownKeys(own2)) {
    const descriptor = Reflect.get(own2, key);
    const there = Object.getOwnPropertyDescriptor(wrapper, key);
    if (there && !there.configurable && !there.writable) continue;
    Object.defineProperty(
      wrapper,
      key,
      there && !there.configurable ? { value: descriptor.value } : descriptor
    );
  }
  return wrapper;
}
function sizeOf(data) {
  if (typeof data === "string") return data.length;
  return typeof data?.byteLength === "number" ? data.byteLength : 0;
}

// src/arm.js
function onListening(listening3) {
  replace(
    import_node_net.default.Server.prototype,
    "listen",
    (original) => ({
      /** @this {net.Server} @param {any[]} args */
      listen(...args) {
        quietly(() => {
          this.once("listening", () => quietly(() => notice(this)));
        });
        return Reflect.apply(original, this, args);
      }
    }).listen
  );
  function notice(server) {
    const address = server.address();
    if (address === null || isClusterPrimary()) return;
    if (typeof address === "object") listening3({ address: address.address, port: address.port }, server);
    else if (server instanceof import_node_http.default.Server) listening3({ address, port: null }, server);
  }
}
function isClusterPrimary() {
  const { isPrimary, workers } = cluster();
  return isPrimary && Object.keys(workers ?? {}).length > 0;
}
function cluster() {
  return (
    /** @type {any} */
    require("node:cluster")
  );
}

// src/collect.js
var import_node_v8 = require("node:v8");
var import_node_vm = require("node:vm");
var HEAP_BYTES_MAX = 512 << 20;
var gc;
function prepareToCollect() {
  (0, import_node_v8.setFlagsFromString)("--expose-gc");
  gc = (0, import_node_vm.runInNewContext)("gc");
  (0, import_node_v8.setFlagsFromString)("--no-expose-gc");
}
function collectAll() {
  if (gc === void 0) prepareToCollect();
  gc?.();
}
function collect(done) {
  if (gc === void 0 || (0, import_node_v8.getHeapStatistics)().used_heap_size > HEAP_BYTES_MAX) return done();
  gc();
  setImmediate(() => setImmediate(done));
}

// src/functions/constructions.js
var FORMATTERS = [
  "Collator",
  "DateTimeFormat",
  "DisplayNames",
  "DurationFormat",
  "ListFormat",
  "NumberFormat",
  "PluralRules",
  "RelativeTimeFormat",
  "Segmenter"
];
var DATE_METHODS = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"];
function wrapConstructions() {
  for (const key of FORMATTERS) wrapClass(Intl, key, `new Intl.${key}`, "construction");
  for (const key of DATE_METHODS) wrap(Date.prototype, key, `Date.${key}`, "construction", () => 0);
  for (const { prototype, name } of [Number, BigInt]) {
    wrap(prototype, "toLocaleString", `${name}.toLocaleString`, "construction", () => 0);
  }
  replace(String.prototype, "localeCompare", comparing);
}
function comparing(original) {
  const making = counted(original, "String.localeCompare", "construction", () => 0);
  return {
    /** @this {unknown} @param {any} that @param {any} locales @param {any} options */
    wrapper(that, locales, options) {
      if (options !== void 0) return Reflect.apply(making, this, [that, locales, options]);
      return Reflect.apply(original, this, locales === void 0 ? [that] : [that, locales]);
    }
  }.wrapper;
}

// src/functions/crypto.js
var import_node_crypto = __toESM(require("node:crypto"), 1);
var SYNC = [
  "checkPrimeSync",
  "createHash",
  "createHmac",
  "createSecretKey",
  "createPrivateKey",
  "createPublicKey",
  "diffieHellman",
  "generateKeyPairSync",
  "generateKeySync",
  "generatePrimeSync",
  "hash",
  "hkdfSync",
  "pbkdf2Sync",
  "privateDecrypt",
  "privateEncrypt",
  "publicDecrypt",
  "publicEncrypt",
  "randomFillSync",
  "scryptSync"
];
var QUEUED = [
  "checkPrime",
  "generateKey",
  "generateKeyPair",
  "generatePrime",
  "hkdf",
  "pbkdf2",
  "randomFill",
  "scrypt"
];
var EITHER = ["randomBytes", "sign", "verify"];
var METHODS = {
  Hash: ["update", "digest"],
  Hmac: ["update", "digest"],
  Sign: ["update", "sign"],
  Verify: ["update", "verify"],
  Cipheriv: ["update", "final"],
  Decipheriv: ["update", "final"]
};
function wrapCrypto() {
  for (const key of SYNC) wrap(import_node_crypto.default, key, `crypto.${key}`, "crypto", sizeOf);
  for (const key of QUEUED) wrap(import_node_crypto.default, key, `crypto.${key}`, "pool", () => 0);
  for (const key of EITHER) {
    replace(import_node_crypto.default, key, (original) => {
      const sync = counted(original, `crypto.${key}`, "crypto", sizeOf);
      const queued = counted(original, `crypto.${key} with callback`, "pool", () => 0);
      return {
        /** @this {unknown} @param {any[]} args */
        either(...args) {
          return Reflect.apply(typeof args.at(-1) === "function" ? queued : sync, this, args);
        }
      }.either;
    });
  }
  for (const [name, keys] of Object.entries(METHODS)) {
    const prototype = Reflect.get(import_node_crypto.default, name)?.prototype;
    for (const key of keys) wrap(prototype, key, `${name}.${key}`, "crypto", (_, args) => sizeOf(args[0]));
  }
}

// src/functions/files.js
var import_node_fs = __toESM(require("node:fs"), 1);
var READS = [
  "accessSync",
  "existsSync",
  "fstatSync",
  "globSync",
  "lstatSync",
  "openSync",
  "opendirSync",
  "readFileSync",
  "readSync",
  "readdirSync",
  "readlinkSync",
  "readvSync",
  "realpathSync",
  "statSync",
  "statfsSync"
];
var WRITES = [
  "appendFileSync",
  "chmodSync",
  "chownSync",
  "closeSync",
  "copyFileSync",
  "cpSync",
  "fdatasyncSync",
  "fsyncSync",
  "ftruncateSync",
  "futimesSync",
  "linkSync",
  "mkdirSync",
  "mkdtempSync",
  "renameSync",
  "rmSync",
  "rmdirSync",
  "symlinkSync",
  "truncateSync",
  "unlinkSync",
  "utimesSync",
  "writeFileSync",
  "writevSync"
];
var QUEUED2 = [
  "access",
  "appendFile",
  "copyFile",
  "fsync",
  "lstat",
  "mkdir",
  "open",
  "read",
  "readFile",
  "readdir",
  "realpath",
  "rename",
  "rm",
  "stat",
  "unlink",
  "write",
  "writeFile"
];
function wrapFiles() {
  for (const key of READS) wrap(import_node_fs.default, key, `fs.${key}`, "file-read", sizeOf);
  for (const key of WRITES) wrap(import_node_fs.default, key, `fs.${key}`, "file-write", sizeOfData);
  for (const key of QUEUED2) wrap(import_node_fs.default, key, `fs.${key}`, "pool", key === "read" ? sizeAsked : () => 0);
  for (const key of QUEUED2) wrap(import_node_fs.default.promises, key, `fs.promises.${key}`, "pool", () => 0);
  replace(import_node_fs.default, "writeSync", writer);
  wrapStreams();
}
var made = /* @__PURE__ */ new WeakMap();
function wrapStreams() {
  const stacks = createSampling(state.stacks_per_s);
  replace(import_node_fs.default, "createReadStream", (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      createReadStream(...args) {
        const stream = Reflect.apply(original, this, args);
        if (state.on && --stacks.left <= 0) {
          quietly(() => {
            take(stacks);
            made.set(stream, siteHere("fs.read"));
          });
        }
        return stream;
      }
    }.createReadStream;
  });
  replace(import_node_fs.default.ReadStream.prototype, "_read", (original) => {
    return {
      /** @this {object} @param {any[]} args */
      _read(...args) {
        const outer2 = state.site;
        state.site = made.get(this) ?? 0;
        try {
          return Reflect.apply(original, this, args);
        } finally {
          state.site = outer2;
        }
      }
    }._read;
  });
}
function sizeAsked(_, args) {
  const length = typeof args[1] === "object" && !ArrayBuffer.isView(args[1]) ? args[1]?.length : args[3];
  return typeof length === "number" ? length : 0;
}
function sizeOfData(_, args) {
  return sizeOf(args[1]);
}
function writer(original) {
  const toFile = counted(original, "fs.writeSync", "file-write", sizeOfData);
  const toOutput = counted(original, "fs.writeSync of stdout and stderr", "output", sizeOfData);
  return {
    /** @this {unknown} @param {any[]} args */
    writeSync(...args) {
      const output = args[0] === 1 || args[0] === 2;
      return Reflect.apply(output ? toOutput : toFile, this, args);
    }
  }.writeSync;
}

// src/functions/json.js
function wrapJson() {
  replace(JSON, "parse", (original) => parser(
    /** @type {typeof JSON.parse} */
    original
  ));
  replace(JSON, "stringify", (original) => writer2(
    /** @type {typeof JSON.stringify} */
    original
  ));
}
function parser(original) {
  const counter = createCounter("JSON.parse", "json");
  return {
    /** @param {string} text @param {any} reviver */
    parse(text, reviver) {
      if (!state.on || state.inside) return original(text, reviver);
      const from_ms = begin(counter);
      try {
        return original(text, reviver);
      } finally {
        const ns = end(from_ms);
        if (typeof text === "string") count(counter, ns, text.length, text);
        else count(counter, ns, 0);
      }
    }
  }.parse;
}
function writer2(original) {
  const counter = createCounter("JSON.stringify", "json");
  return {
    /** @param {unknown} value @param {any} replacer @param {any} space */
    stringify(value, replacer, space) {
      if (!state.on || state.inside) return original(value, replacer, space);
      let text;
      const from_ms = begin(counter);
      try {
        text = original(value, replacer, space);
        return text;
      } finally {
        const ns = end(from_ms);
        if (text !== void 0) count(counter, ns, text.length, text);
        else count(counter, ns, 0);
      }
    }
  }.stringify;
}

// src/functions/made.js
function wrapMade() {
  if (Object.isFrozen(Error) || Object.isFrozen(RegExp)) return;
  countExpressions();
  countErrors();
}
function counted2(counter, make, within) {
  if (!state.on || state.inside) return make();
  const from_ms = begin(counter);
  try {
    return make();
  } finally {
    count(counter, end(from_ms), 0, void 0, within);
  }
}
function countExpressions() {
  const Original = RegExp;
  const counter = createCounter("new RegExp", "expression");
  function Made(pattern, flags) {
    const is_new = new.target === Made;
    if (!is_new && new.target) return Reflect.construct(Original, [pattern, flags], new.target);
    if (!state.on || state.inside) return is_new ? new Original(pattern, flags) : Original(pattern, flags);
    const from_ms = begin(counter);
    try {
      return is_new ? new Original(pattern, flags) : Original(pattern, flags);
    } finally {
      count(counter, end(from_ms), 0);
    }
  }
  Object.setPrototypeOf(Made, Original);
  stand(Made, Original, "RegExp");
}
function countErrors() {
  const Original = Error;
  const counter = createCounter("new Error", "error");
  replace(Original, "captureStackTrace", (original) => captures(original));
  function Made(...args) {
    const target = new.target ?? Made;
    return counted2(counter, () => Reflect.construct(Original, args, target), target);
  }
  Object.setPrototypeOf(Made, Object.getPrototypeOf(Original));
  const own2 = Reflect.ownKeys(Original).filter(
    (key) => !["prototype", "name", "length"].includes(String(key))
  );
  for (const key of /* @__PURE__ */ new Set([...own2, "prepareStackTrace"])) {
    Object.defineProperty(Made, key, {
      get: () => Reflect.get(Original, key),
      set: (value) => void Reflect.set(Original, key, value),
      enumerable: Object.prototype.propertyIsEnumerable.call(Original, key),
      configurable: true
    });
  }
  stand(Made, Original, "Error");
  Object.defineProperty(Original.prototype, "constructor", {
    value: Made,
    configurable: true,
    writable: true
  });
  for (const Special of [
    AggregateError,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError
  ]) {
    Object.setPrototypeOf(Special, Made);
  }
}
function captures(original) {
  const counter = createCounter("Error.captureStackTrace", "error");
  const { wrapper } = {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      if (args.length === 1) args.push(wrapper);
      return counted2(counter, () => Reflect.apply(original, this, args), args[1]);
    }
  };
  return wrapper;
}
function stand(made4, original, key) {
  made4.prototype = original.prototype;
  for (const name of ["name", "length"]) {
    Object.defineProperty(made4, name, { value: Reflect.get(original, name), configurable: true });
  }
  Object.defineProperty(globalThis, key, { value: made4, configurable: true, writable: true });
}

// src/functions/modules.js
var import_node_module3 = __toESM(require("node:module"), 1);
var import_node_path = require("node:path");
var import_node_vm2 = __toESM(require("node:vm"), 1);

// src/loaded.js
var import_node_module2 = __toESM(require("node:module"), 1);
function onLoaded(look6) {
  const looked = /* @__PURE__ */ new WeakSet();
  replace(import_node_module2.default.prototype, "load", (original) => {
    return {
      /** @this {{ filename: string | null, exports: any }} @param {any[]} args */
      load(...args) {
        const result = Reflect.apply(original, this, args);
        quietly(() => {
          const { filename, exports: exports2 } = this;
          if (typeof exports2 !== "function" && (typeof exports2 !== "object" || exports2 === null)) return;
          if (filename === null || !filename.includes("node_modules") || looked.has(exports2)) return;
          looked.add(exports2);
          const changed = look6(filename, exports2);
          looked.add(changed);
          if (changed !== exports2) this.exports = changed;
        });
        return result;
      }
    }.load;
  });
}

// src/functions/modules.js
var ENGINES = (
  /** @type {Record<string, string[]>} */
  {
    dot: ["template", "compile"],
    ejs: ["compile"],
    eta: ["Eta.prototype.compile"],
    // What is compiled is parsed and written when it is used first.
    handlebars: [
      "compile",
      "precompile",
      "parse",
      "Compiler.prototype.compile",
      "JavaScriptCompiler.prototype.compile",
      "template"
    ],
    lodash: ["template"],
    mustache: ["parse"],
    nunjucks: ["compile", "renderString"],
    pug: ["compile"],
    underscore: ["template"]
  }
);
var VALIDATORS = (
  /** @type {Record<string, string[]>} */
  {
    ajv: ["prototype.compile", "prototype._compileSchemaEnv", "prototype.addMetaSchema"],
    "ajv-draft-04": ["prototype.compile", "prototype._compileSchemaEnv"],
    "@hapi/joi": ["compile"],
    "fast-json-stringify": ["build", "default"],
    "fastest-validator": ["prototype.compile"],
    joi: ["compile"],
    "is-my-json-valid": ["filter"]
  }
);
var SCHEMAS = /[\\/]zod[\\/](lib[\\/]|v3[\\/]|v4[\\/](classic|mini)[\\/])(types|schemas)\.c?js$/;
var BUILDERS = [
  "array",
  "boolean",
  "date",
  "discriminatedUnion",
  "enum",
  "intersection",
  "literal",
  "looseObject",
  "number",
  "object",
  "record",
  "strictObject",
  "string",
  "tuple",
  "union"
];
var wrapped = /* @__PURE__ */ new WeakSet();
var loaded = false;
function wrapModules() {
  replace(
    import_node_module3.default.prototype,
    "load",
    (original) => ({
      /** @this {unknown} @param {any[]} args */
      load(...args) {
        loaded = true;
        return Reflect.apply(original, this, args);
      }
    }).load
  );
  replace(import_node_module3.default, "_load", loader);
  onLoaded((file, exports2) => {
    if (!SCHEMAS.test(file)) return exports2;
    const free = Object.entries(Object.getOwnPropertyDescriptors(exports2)).map(([key, descriptor]) => [
      key,
      { ...descriptor, configurable: true }
    ]);
    const changed = Object.create(Object.getPrototypeOf(exports2), Object.fromEntries(free));
    for (const key of BUILDERS) wrap(changed, key, `zod.${key}`, "schema", () => 0);
    return changed;
  });
  for (const key of ["compileFunction", "runInContext", "runInNewContext", "runInThisContext"]) {
    wrap(import_node_vm2.default, key, `vm.${key}`, "template", (_, args) => sizeOf(args[0]));
  }
}
function loader(original) {
  const counter = createCounter("require", "module");
  return {
    /** @this {unknown} @param {any[]} args */
    _load(...args) {
      if (!state.on || state.inside) return noticeEngine(args[0], Reflect.apply(original, this, args));
      loaded = false;
      const from_ms = begin(counter);
      try {
        return noticeEngine(args[0], Reflect.apply(original, this, args));
      } finally {
        const site = count(counter, end(from_ms), 0);
        state.table[counter.at + WATCHED] += 1;
        if (!loaded) state.table[counter.at + SEEN_AGAIN] += 1;
        if (site !== void 0) addWatchedToSite(site, !loaded);
      }
    }
  }._load;
}
function noticeEngine(request, exports2) {
  if (typeof request !== "string" || !exports2) return exports2;
  const engine = (0, import_node_path.isAbsolute)(request) ? packageOf(request) : request;
  if (engine === null || wrapped.has(exports2)) return exports2;
  const functions = ENGINES[engine] ?? VALIDATORS[engine];
  if (functions) {
    const kind = ENGINES[engine] ? "template" : "construction";
    quietly(() => {
      wrapped.add(exports2);
      for (const path of functions) wrapEngine(engine, exports2, path, kind);
    });
  }
  return exports2;
}
function wrapEngine(engine, exports2, path, kind) {
  const [first, key] = memberOf(exports2, path);
  const owner = ownerOf(first, key);
  const name = [engine, ...path.split(".").filter((step) => step !== "prototype")].join(".");
  wrap(owner, key, name, kind, (_, args) => sizeOf(args[0]));
}
function ownerOf(owner, key) {
  let at = owner;
  while (at && at !== Object.prototype && at !== Function.prototype) {
    if (Object.hasOwn(at, key)) return at;
    at = Object.getPrototypeOf(at);
  }
  return void 0;
}

// src/functions/others.js
var import_node_child_process = __toESM(require("node:child_process"), 1);
var import_node_dns = __toESM(require("node:dns"), 1);
var import_node_http2 = __toESM(require("node:http"), 1);
var import_node_https = __toESM(require("node:https"), 1);
var import_node_worker_threads = __toESM(require("node:worker_threads"), 1);

// src/trace.js
var import_node_async_hooks = require("node:async_hooks");
var BEGIN_MS = 30;
var REQUESTS_MIN = 4;
var REQUESTS_MAX = 16;
var BURST_MS_MAX = 2e3;
var COLD_MS = 1e3;
var PAUSES_BY_HOOKS = 20;
var PAUSES_BY_FRAMES = 4;
var PAUSE_MS_MIN = 100;
var CALLS_MAX = 100;
var KINDS_MAX = 64;
var URLS_MAX = 1e3;
var HASHED_LENGTH_MAX = 2048;
var [CALLS2, REPEATED, SHARED, CONNECTIONS, SERIES] = TRACED.keys();
var tracing = {
  /** A burst lasts. */
  on: false,
  /** Calls were seen since the last burst: without them nothing is there to be followed. */
  calls_seen: false
};
var contexts = (
  /** @type {AsyncLocalStorage<Context | undefined>} */
  new import_node_async_hooks.AsyncLocalStorage()
);
var PAUSES = "_enable" in contexts ? PAUSES_BY_HOOKS : PAUSES_BY_FRAMES;
var burst = { from_ms: 0, next_ms: 0, begun: 0 };
var open = /* @__PURE__ */ new Set();
var limit;
var kinds = /* @__PURE__ */ new Set();
var askers = /* @__PURE__ */ new Map();
function mayBegin(now_ms2) {
  if (tracing.on || !tracing.calls_seen || now_ms2 < burst.next_ms) return;
  if (burst.next_ms === 0) {
    burst.next_ms = now_ms2 + COLD_MS;
    return;
  }
  tracing.on = true;
  Object.assign(burst, { from_ms: now_ms2, begun: 0 });
  limit = setTimeout(finish, BURST_MS_MAX);
  limit.unref();
}
function enter({ request, response }) {
  if (!takesMore()) {
    contexts.enterWith(void 0);
    return;
  }
  burst.begun += 1;
  const trace = { key: keyOfRequest(request), from_ms: thread_ms(), open: true, calls: [] };
  contexts.enterWith({ trace, site: 0, used: true });
  open.add(trace);
  response.once("close", () => {
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
function finish() {
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
function context() {
  const found = tracing.on ? contexts.getStore() : void 0;
  return found?.trace.open ? found : void 0;
}
function placed(original, name) {
  return {
    /** @this {unknown} @param {any[]} args */
    placed(...args) {
      const outer2 = tracing.on ? context() : void 0;
      if (outer2 === void 0 || !outer2.used) return Reflect.apply(original, this, args);
      let site = 0;
      quietly(() => {
        site = siteHere(name);
      });
      const inner2 = { trace: outer2.trace, site, used: false };
      return contexts.run(inner2, () => Reflect.apply(original, this, args));
    }
  }.placed;
}
function callBegins(method, url, varying, recent) {
  const found = context();
  if (found === void 0 || found.trace.calls.length >= CALLS_MAX) return void 0;
  const { trace } = found;
  const may_repeat = method === "GET" || method === "HEAD";
  const key = may_repeat ? hash(`${method} ${url}
${varying}`) : 0;
  found.used = true;
  const call = {
    key,
    site: found.site || siteHere("fetch"),
    from_ms: thread_ms(),
    to_ms: 0,
    opened: false,
    connected_ms: 0,
    failed: false,
    shared: key !== 0 && isAskedByOthers(key, trace.key) && recent
  };
  trace.calls.push(call);
  return call;
}
function callConnected() {
  const calls = context()?.trace.calls ?? [];
  const call = calls.findLast(({ to_ms, opened }) => to_ms === 0 && !opened);
  if (call === void 0) return;
  call.opened = true;
  call.connected_ms = thread_ms();
}
function isAskedByOthers(key, by) {
  const before = askers.get(key);
  const differ = before !== void 0 && (before.several || before.by !== by);
  askers.delete(key);
  askers.set(key, { by, several: differ });
  if (askers.size > URLS_MAX) askers.delete(
    /** @type {number} */
    askers.keys().next().value
  );
  return differ;
}
function keyOfRequest({ method, url, headers }) {
  const { "content-length": length = "", authorization = "", cookie = "" } = headers;
  const key = hash(`${method} ${url}
${length}
${authorization}
${cookie}`);
  if (kinds.size < KINDS_MAX) {
    kinds.add(key);
    state.table[AT.traced_kinds] = kinds.size;
  }
  return key;
}
function hash(text) {
  let value = 2166136261 ^ text.length;
  const length = Math.min(text.length, HASHED_LENGTH_MAX);
  for (let index = 0; index < length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  }
  return value >>> 0 || 1;
}
function settle({ from_ms, calls }) {
  const { table: table3 } = state;
  const now = thread_ms();
  for (const call of calls) if (call.to_ms === 0 || call.to_ms > now) call.to_ms = now;
  const first = calls.filter((_, index) => !isRepeated(calls, index));
  const repeated = calls.filter((call) => !first.includes(call));
  const shared = first.filter((call) => call.shared);
  const all = calls.map(interval);
  const once2 = first.map(interval);
  const connected2 = first.map(intervalConnected);
  const series = longestSeries(connected2);
  const waited = union(all);
  const waited_once = union(once2);
  table3[AT.traced] += 1;
  table3[AT.traced_ns] += (now - from_ms) * 1e6;
  table3[AT.traced_calls] += calls.length;
  table3[AT.traced_waited_ns] += waited * 1e6;
  table3[AT.traced_repeated] += repeated.length;
  table3[AT.traced_repeated_ns] += (waited - waited_once) * 1e6;
  table3[AT.traced_shared] += shared.length;
  table3[AT.traced_shared_ns] += (waited_once - union(first.filter((call) => !call.shared).map(interval))) * 1e6;
  const opened = calls.filter((call) => call.opened);
  table3[AT.traced_connections] += opened.length;
  table3[AT.traced_connecting_ns] += (waited_once - union(connected2)) * 1e6;
  table3[AT.traced_series] += series.members.length;
  table3[AT.traced_series_ns] += series.beyond_longest_ms * 1e6;
  const in_series = series.members.map((index) => first[index]);
  for (
    const [field, of] of
    /** @type {[number, Call[]][]} */
    [
      [CALLS2, calls],
      [REPEATED, repeated],
      [SHARED, shared],
      [CONNECTIONS, opened],
      [SERIES, in_series]
    ]
  ) {
    for (const { site } of of) table3[tracedAt(site) + field] += 1;
  }
}
function isRepeated(calls, index) {
  const key = calls[index]?.key ?? 0;
  if (key === 0) return false;
  for (let before = 0; before < index; before += 1) {
    if (calls[before]?.key === key && !calls[before]?.failed) return true;
  }
  return false;
}
var interval = ({ from_ms, to_ms }) => [from_ms, to_ms];
var intervalConnected = ({ from_ms, to_ms, connected_ms }) => [
  Math.min(Math.max(from_ms, connected_ms), to_ms),
  to_ms
];
function union(intervals) {
  let sum_ms = 0;
  let until_ms = 0;
  for (const [from_ms, to_ms] of intervals.toSorted(([a], [b]) => a - b)) {
    sum_ms += Math.max(to_ms - Math.max(from_ms, until_ms), 0);
    until_ms = Math.max(until_ms, to_ms);
  }
  return sum_ms;
}
function longestSeries(intervals) {
  const sorted = intervals.map(([from_ms, to_ms], index) => ({ from_ms, to_ms, index }));
  sorted.sort((a, b) => a.to_ms - b.to_ms);
  const best = [];
  let last = -1;
  for (const [at, { from_ms, to_ms }] of sorted.entries()) {
    const here = { sum_ms: to_ms - from_ms, before: -1 };
    for (let before = 0; before < at; before += 1) {
      if ((sorted[before]?.to_ms ?? 0) > from_ms) break;
      const sum_ms2 = (best[before]?.sum_ms ?? 0) + to_ms - from_ms;
      if (sum_ms2 > here.sum_ms) Object.assign(here, { sum_ms: sum_ms2, before });
    }
    best.push(here);
    if (last < 0 || here.sum_ms > (best[last]?.sum_ms ?? 0)) last = at;
  }
  const longest_ms = Math.max(0, ...intervals.map(([from_ms, to_ms]) => to_ms - from_ms));
  const sum_ms = best[last]?.sum_ms ?? 0;
  const members = [];
  for (let at = last; at >= 0; at = best[at]?.before ?? -1) members.push(sorted[at]?.index ?? 0);
  return {
    members: members.length > 1 ? members.reverse() : [],
    beyond_longest_ms: Math.max(sum_ms - longest_ms, 0)
  };
}

// src/functions/others.js
function wrapOthers() {
  for (const key of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"]) {
    wrap(import_node_child_process.default, key, `child_process.${key}`, "process", () => 0);
  }
  wrap(import_node_child_process.default.ChildProcess.prototype, "spawn", "ChildProcess.spawn", "process", () => 0);
  wrapClass(import_node_worker_threads.default, "Worker", "new Worker", "process");
  wrap(import_node_dns.default, "lookup", "dns.lookup", "pool", () => 0);
  wrap(import_node_dns.default.promises, "lookup", "dns.promises.lookup", "pool", () => 0);
  for (const key of ["request", "get"]) {
    wrapCall(import_node_http2.default, key, `http.${key}`);
    wrapCall(import_node_https.default, key, `https.${key}`);
  }
  wrapCall(globalThis, "fetch", "fetch");
}
function wrapCall(owner, key, name) {
  replace(owner, key, (original) => counted(placed(original, name), name, "fetch", () => 0));
}

// src/functions/output.js
var CONSOLE_METHODS = ["debug", "dir", "error", "info", "log", "table", "trace", "warn"];
function wrapConsole() {
  for (const key of CONSOLE_METHODS) wrap(console, key, `console.${key}`, "output");
}
function wrapStreams2() {
  for (
    const name of
    /** @type {const} */
    ["stdout", "stderr"]
  ) {
    const stream = process[name];
    const { write } = stream;
    const counting2 = counted(write, `process.${name}.write`, "output", (_, args) => sizeOf(args[0]));
    Object.defineProperty(stream, "write", {
      value: write,
      configurable: true,
      enumerable: Object.getOwnPropertyDescriptor(stream, "write")?.enumerable ?? false,
      writable: true
    });
    replace(
      stream,
      "write",
      () => ({
        /** @this {unknown} @param {any[]} args */
        write(...args) {
          if (state.inside) state.inner_bytes += sizeOf(args[0]);
          return Reflect.apply(counting2, this, args);
        }
      }).write
    );
  }
}

// src/functions/zlib.js
var import_node_zlib = __toESM(require("node:zlib"), 1);
var METHODS2 = [
  "brotliCompress",
  "brotliDecompress",
  "deflate",
  "deflateRaw",
  "gunzip",
  "gzip",
  "inflate",
  "inflateRaw",
  "unzip",
  "zstdCompress",
  "zstdDecompress"
];
function wrapZlib() {
  for (const key of METHODS2) {
    wrap(import_node_zlib.default, `${key}Sync`, `zlib.${key}Sync`, "zlib", (_, args) => sizeOf(args[0]));
    wrap(import_node_zlib.default, key, `zlib.${key}`, "pool", (_, args) => sizeOf(args[0]));
  }
  for (const key of ["createGzip", "createDeflate", "createBrotliCompress", "createZstdCompress"]) {
    wrap(import_node_zlib.default, key, `zlib.${key}`, "pool", () => 0);
  }
}

// src/kept.js
var import_node_events = require("node:events");
var MANY = 16;
function watchKept() {
  watchListeners();
  watchRooms();
}
function watchListeners() {
  const counter = createCounter("EventEmitter.on", "listener");
  const { on: on2, addListener } = import_node_events.EventEmitter.prototype;
  const wrapper = listening(on2, counter);
  replace(import_node_events.EventEmitter.prototype, "on", () => wrapper);
  if (addListener === on2) replace(import_node_events.EventEmitter.prototype, "addListener", () => wrapper);
}
function listening(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    wrapper(...args) {
      const result = Reflect.apply(original, this, args);
      if (!state.on || state.inside) return result;
      const listeners = this._events?.[args[0]];
      if (typeof listeners === "object" && listeners.length >= MANY) {
        quietly(() => added(counter, listeners.length));
      }
      return result;
    }
  }.wrapper;
}
function watchRooms() {
  const counter = createCounter("Socket.join", "room");
  const seen9 = /* @__PURE__ */ new WeakSet();
  onLoaded((file, exports2) => {
    const prototype = packageOf(file) === "socket.io-adapter" ? exports2.Adapter?.prototype : void 0;
    if (prototype && !seen9.has(prototype)) {
      seen9.add(prototype);
      replace(prototype, "addAll", (original) => joining(original, counter));
    }
    return exports2;
  });
}
function joining(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    addAll(...args) {
      const result = Reflect.apply(original, this, args);
      if (state.on && !state.inside) {
        quietly(() => {
          const rooms = this.rooms.size - this.sids.size;
          if (rooms >= MANY) added(counter, rooms);
        });
      }
      return result;
    }
  }.addAll;
}
function added(counter, many) {
  const site = count(counter, end(begin(counter)), 0);
  if (site === void 0) return;
  counter.stacks.per_s = state.stacks_per_s;
  const at = siteAt(site) + KEPT;
  const least = state.table[at] ?? 0;
  state.table[at] = least === 0 ? many : Math.min(least, many);
}

// src/frameworks/express.js
var OF_EXPRESS = /* @__PURE__ */ new Set(["query", "expressInit", "router", "mounted_app", "handle"]);
var PACKAGES = /* @__PURE__ */ new Set(["express", "router"]);
var CALLS3 = { handle_request: false, handleRequest: false, handle_error: true, handleError: true };
function changedExpress(show, file, exports2) {
  return typeof exports2 === "function" && isLayerOfExpress(file) ? layers(show, exports2) : exports2;
}
function isLayerOfExpress(file) {
  return /[\\/]layer\.js$/.test(file) && PACKAGES.has(packageOf(file) ?? "");
}
function layers(show, Layer) {
  const known3 = /* @__PURE__ */ new WeakMap();
  for (const [method, errors] of Object.entries(CALLS3)) {
    replace(Layer.prototype, method, (original) => {
      return {
        /** @this {object} @param {any[]} args */
        call(...args) {
          const layer = known3.get(this);
          if (layer?.errors !== errors) return Reflect.apply(original, this, args);
          return layer.around(original, this, args);
        }
      }.call;
    });
  }
  function Made(path, options, run) {
    const made4 = new Layer(path, options, run);
    const kind = kindOf(options, run);
    const around = kind && show(kind, run.name, run);
    if (around) known3.set(made4, { around, errors: run.length > 3 });
    return made4;
  }
  Made.prototype = Layer.prototype;
  return Made;
}
function kindOf(options, run) {
  if (typeof run !== "function" || OF_EXPRESS.has(run.name)) return void 0;
  if (options?.end === true) return void 0;
  if (options?.end !== false) return "handler";
  return run.length > 3 ? "errors" : "middleware";
}

// src/frameworks/fastify.js
var import_node_diagnostics_channel = require("node:diagnostics_channel");

// src/frameworks/shown.js
var FRAMEWORKS = /* @__PURE__ */ new Set([
  "express",
  "router",
  "koa",
  "@koa/router",
  "koa-router",
  "fastify",
  "hono"
]);
var made2 = /* @__PURE__ */ new WeakMap();
function makeStandFor(of, original) {
  made2.set(of, original);
}
function standsFor(run) {
  return made2.get(run);
}
function shown(run, around) {
  const wrapper = {
    /** @this {unknown} @param {any[]} args */
    wrapper(...args) {
      return around(run, this, args);
    }
  }.wrapper;
  return (
    /** @type {any} */
    disguised(wrapper, run)
  );
}

// src/frameworks/fastify.js
var HOOKS = /* @__PURE__ */ new Set([
  "onRequest",
  "preParsing",
  "preValidation",
  "preHandler",
  "preSerialization",
  "onSend",
  "onResponse",
  "onError"
]);
function watchFastify(show) {
  (0, import_node_diagnostics_channel.subscribe)("fastify.initialization", ({ fastify }) => {
    quietly(() => {
      fastify.addHook("onRoute", (options) => quietly(() => route(show, options)));
      replace(fastify, "addHook", (original) => addsHook(show, original));
    });
  });
}
function addsHook(show, original) {
  return {
    /** @this {unknown} @param {any[]} args the hook, and what runs */
    addHook(...args) {
      const [hook2, run, ...rest] = args;
      const own2 = HOOKS.has(hook2) ? seenBy(show, "hook", run, hook2) : run;
      return Reflect.apply(original, this, [hook2, own2, ...rest]);
    }
  }.addHook;
}
function route(show, options) {
  options.handler = seenBy(show, "handler", options.handler, "");
  for (const hook2 of HOOKS) {
    const run = options[hook2];
    if (Array.isArray(run)) options[hook2] = run.map((one) => seenBy(show, "hook", one, hook2));
    else if (run) options[hook2] = seenBy(show, "hook", run, hook2);
  }
}
function seenBy(show, kind, run, otherwise) {
  if (typeof run !== "function") return run;
  const around = show(kind, run.name || otherwise, run);
  return around ? shown(run, around) : run;
}

// src/frameworks/hono.js
var ROUTERS = /[\\/]hono[\\/]dist[\\/](cjs[\\/])?router[\\/][a-z-]+[\\/]router\.js$/;
var BASE = /[\\/]hono[\\/]dist[\\/](cjs[\\/])?hono-base\.js$/;
var HONO = [ROUTERS, BASE];
var EVERY_METHOD = "ALL";
var COMPOSED = "__COMPOSED_HANDLER";
var seen = /* @__PURE__ */ new WeakSet();
var isModuleOfHono = (file) => HONO.some((module2) => module2.test(file));
function changedHono(show, file, exports2) {
  if (!ROUTERS.test(file)) return;
  for (const Router of Object.values(exports2)) {
    if (typeof Router?.prototype?.add !== "function" || seen.has(Router)) continue;
    seen.add(Router);
    replace(Router.prototype, "add", (original) => adds(show, original));
  }
}
function adds(show, original) {
  return {
    /** @this {unknown} @param {any[]} args method, path, and what runs with its route */
    add(...args) {
      const [method, path, entry, ...rest] = args;
      return Reflect.apply(original, this, [method, path, seenBy2(show, method, entry), ...rest]);
    }
  }.add;
}
function seenBy2(show, method, entry) {
  if (!Array.isArray(entry)) return entry;
  const [run, route2, ...rest] = entry;
  if (typeof run !== "function" || typeof route2 !== "object" || route2 === null) return entry;
  if (COMPOSED in run || seen.has(route2) || seen.has(run)) return entry;
  seen.add(route2);
  const kind = method === EVERY_METHOD && run.length > 1 ? "middleware" : "handler";
  const around = show(kind, run.name, run);
  if (!around) return entry;
  const own2 = shown(run, around);
  seen.add(own2);
  route2.handler = own2;
  return [own2, route2, ...rest];
}

// src/frameworks/koa.js
var ROUTERS2 = /* @__PURE__ */ new Set(["@koa/router", "koa-router"]);
var seen2 = /* @__PURE__ */ new WeakSet();
function changedKoa(show, file, exports2) {
  const name = packageOf(file) ?? "";
  if (name === "koa" && isNew(exports2, "use")) replace(exports2.prototype, "use", (use) => uses(show, use));
  if (!ROUTERS2.has(name)) return;
  for (const Router of [exports2, exports2.Router, exports2.default]) {
    if (isNew(Router, "register")) {
      replace(Router.prototype, "register", (register) => registers(show, register));
    }
  }
}
function isNew(Class, method) {
  if (typeof Class !== "function" || typeof Class.prototype?.[method] !== "function") return false;
  const is_new = !seen2.has(Class);
  seen2.add(Class);
  return is_new;
}
function uses(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    use(...args) {
      const [run, ...rest] = args;
      return Reflect.apply(original, this, [seenBy3(show, "middleware", run), ...rest]);
    }
  }.use;
}
function registers(show, original) {
  return {
    /** @this {unknown} @param {any[]} args path, methods, what runs, options */
    register(...args) {
      const [path, methods, run, ...rest] = args;
      const kind = methods?.length > 0 ? "handler" : "middleware";
      const own2 = Array.isArray(run) ? run.map((one) => seenBy3(show, kind, one)) : seenBy3(show, kind, run);
      return Reflect.apply(original, this, [path, methods, own2, ...rest]);
    }
  }.register;
}
function seenBy3(show, kind, run) {
  if (typeof run !== "function" || run.router || run.constructor.name === "GeneratorFunction") return run;
  const around = show(kind, run.name, run);
  return around ? shown(run, around) : run;
}

// src/frameworks/modules.js
var nodeModule = __toESM(require("node:module"), 1);
var import_node_url3 = require("node:url");
var SHARED2 = "plimsoll.module";
function watchModules(files, look6) {
  const hand = (url, exports2) => quietly(() => look6((0, import_node_url3.fileURLToPath)(url), exports2));
  Reflect.set(globalThis, Symbol.for(SHARED2), hand);
  const { registerHooks, register } = (
    /** @type {any} */
    nodeModule
  );
  if (registerHooks) {
    registerHooks({
      load: (url, context2, next) => extended(url, next(url, context2), files, SHARED2)
    });
    return;
  }
  const source = `const extended = ${extended};
    export const load = async (url, context, next) =>
      extended(url, await next(url, context), [${files.join(", ")}], ${JSON.stringify(SHARED2)});`;
  register?.(`data:text/javascript,${encodeURIComponent(source)}`);
}
function extended(url, loaded2, files, shared) {
  if (loaded2.format !== "module" || !loaded2.source || !files.some((file) => file.test(url))) return loaded2;
  const text = typeof loaded2.source === "string" ? loaded2.source : new TextDecoder().decode(loaded2.source);
  const name = JSON.stringify(url);
  const line = `;import * as plimsoll from ${name}; globalThis[Symbol.for('${shared}')]?.(${name}, plimsoll);`;
  return text.includes(line) ? loaded2 : { ...loaded2, source: `${text}
${line}
` };
}

// src/frameworks/nest.js
var PARTS = /[\\/]@nestjs[\\/](core[\\/](middleware[\\/]builder|guards[\\/]guards-context-creator|router[\\/]router-(execution-context|explorer|proxy))|common[\\/]decorators[\\/]http[\\/]request-mapping\.decorator)\.js$/;
var OWN = /* @__PURE__ */ new Set([...FRAMEWORKS, "@nestjs/common", "@nestjs/core", "tslib", "reflect-metadata"]);
var seen3 = /* @__PURE__ */ new WeakSet();
function changedNest(show, file, exports2) {
  if (!PARTS.test(file)) return;
  const { MiddlewareBuilder, GuardsContextCreator, RouterExecutionContext, RouterExplorer, RouterProxy } = exports2;
  replace(MiddlewareBuilder?.prototype, "apply", (original) => applies(show, original));
  replace(GuardsContextCreator?.prototype, "createConcreteContext", (original) => guards(show, original));
  replace(RouterExecutionContext?.prototype, "create", (original) => creates(show, original));
  replace(RouterProxy?.prototype, "createProxy", proxies);
  replace(RouterExplorer?.prototype, "createRequestScopedHandler", proxiesScoped);
  if (exports2.RequestMapping) quietly(() => replace(exports2, "RequestMapping", maps));
}
function maps(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    RequestMapping(...args) {
      const decorate = Reflect.apply(original, this, args);
      let place2 = null;
      quietly(() => {
        place2 = placeOfCaller(OWN);
      });
      return (...decorated) => {
        const run = decorated[2]?.value;
        if (typeof run === "function") makeStandFor(run, { run, name: "", place: place2 });
        return decorate(...decorated);
      };
    }
  }.RequestMapping;
}
function proxies(original) {
  return {
    /** @this {unknown} @param {any[]} args what runs the method, and what handles its errors */
    createProxy(...args) {
      const proxy = Reflect.apply(original, this, args);
      const method = standsFor(args[0]);
      if (method) makeStandFor(proxy, method);
      return proxy;
    }
  }.createProxy;
}
function proxiesScoped(original) {
  return {
    /** @this {unknown} @param {any[]} args the controller, …, and the name of its method */
    createRequestScopedHandler(...args) {
      const proxy = Reflect.apply(original, this, args);
      quietly(() => {
        const { metatype } = args[0];
        const run = metatype.prototype[args.at(-1)];
        makeStandFor(proxy, { run, name: nameOf(metatype, run), place: standsFor(run)?.place ?? null });
      });
      return proxy;
    }
  }.createRequestScopedHandler;
}
function nameOf(controller, method) {
  return `${controller?.name}.${method?.name}`;
}
function applies(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    apply(...args) {
      return Reflect.apply(
        original,
        this,
        args.flat().map((one) => middleware(show, one))
      );
    }
  }.apply;
}
function middleware(show, given) {
  if (typeof given !== "function" || seen3.has(given)) return given;
  const { use } = given.prototype ?? {};
  const around = show("middleware", given.name, use ?? given);
  if (!around) return given;
  if (typeof use !== "function") return shown(given, around);
  seen3.add(given);
  given.prototype.use = shown(use, around);
  return given;
}
function guards(show, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    createConcreteContext(...args) {
      const found = Reflect.apply(original, this, args);
      for (const guard of found) show("guard", guard.constructor.name, guard.canActivate);
      return found;
    }
  }.createConcreteContext;
}
function creates(show, original) {
  return {
    /** @this {unknown} @param {any[]} args the controller, its method, its name, … */
    create(...args) {
      const [controller, method] = args;
      const run = Reflect.apply(original, this, args);
      if (typeof run !== "function") return run;
      const name = nameOf(controller?.constructor, method);
      const around = show("handler", name, method);
      if (!around) return run;
      const own2 = shown(run, around);
      makeStandFor(own2, { run: method, name, place: standsFor(method)?.place ?? null });
      return own2;
    }
  }.create;
}

// src/frameworks.js
function watchFrameworks(show) {
  const safely = (...args) => {
    let around;
    quietly(() => {
      around = show(...args);
    });
    return around;
  };
  quietly(() => watchFastify(safely));
  quietly(() => {
    onLoaded((file, exports2) => {
      changedParts(file, exports2);
      changedKoa(safely, file, exports2);
      return changedExpress(safely, file, exports2);
    });
  });
  quietly(() => watchModules([ROUTERS, PARTS], changedParts));
  function changedParts(file, exports2) {
    changedHono(safely, file, exports2);
    changedNest(safely, file, exports2);
  }
}

// src/layers/label.js
var import_node_async_hooks2 = require("node:async_hooks");

// src/layers/server.js
var labels = /* @__PURE__ */ new WeakMap();
var owner_symbol;
function labelServer(server, label2) {
  labels.set(server, label2);
}
function serverOf(resource) {
  const owner = resource.socket ?? ownerOf2(resource);
  if (typeof owner !== "object" || owner === null) return void 0;
  return labels.get(owner) ?? (owner.server ? labels.get(owner.server) : void 0);
}
function ownerOf2(handle) {
  owner_symbol ??= Object.getOwnPropertySymbols(handle).find(
    ({ description }) => description === "owner_symbol"
  );
  return owner_symbol && handle[owner_symbol];
}

// src/layers/label.js
var now_ns = process.hrtime.bigint;
var LOOP = 0;
var NOBODY = 1;
var UNWATCHED = 65535;
var FIRST_LAYER = 2;
var LAYERS_MAX = 256;
var BURST_MS = 450;
var UNLABELLED_MS = 50;
var PAUSE_MS = 1550;
var RESOURCES_MAX = 1 << 20;
var CHANGES_MAX = 1 << 20;
var IDLE_MS = 0.03;
var OF_JAVASCRIPT = /* @__PURE__ */ new Set(["PROMISE", "TickObject", "Timeout", "Immediate", "Microtask"]);
var OFTEN = /* @__PURE__ */ new Set(["ZLIB"]);
var OF_POOL = /* @__PURE__ */ new Set([
  "FSREQCALLBACK",
  "FSREQPROMISE",
  "GETADDRINFOREQWRAP",
  "GETNAMEINFOREQWRAP",
  "ZLIB",
  "PBKDF2REQUEST",
  "RANDOMBYTESREQUEST",
  "SCRYPTREQUEST",
  "HASHREQUEST",
  "SIGNREQUEST",
  "CIPHERREQUEST",
  "KEYPAIRGENREQUEST",
  "KEYGENREQUEST",
  "RANDOMPRIMEREQUEST"
]);
var SHARED3 = /* @__PURE__ */ new Set(["TCPWRAP", "PIPEWRAP", "TLSWRAP", "HTTPINCOMINGMESSAGE", "TTYWRAP", "UDPWRAP"]);
var labels2 = {
  /** A burst lasts. */
  on: false,
  /** The label of what is running. */
  current: LOOP,
  /** The handler that was reached in the callback that is running: what follows there is its response. */
  handler: NOBODY
};
var is_server = new Uint8Array(LAYERS_MAX + FIRST_LAYER);
function isServer(label2) {
  is_server[label2] = 1;
}
function isOfFunction(label2) {
  return label2 > NOBODY && is_server[label2] === 0;
}
var log = {
  length: new Int32Array(new SharedArrayBuffer(4)),
  at_ns: new BigInt64Array(new SharedArrayBuffer(CHANGES_MAX * 8)),
  label: new Uint16Array(new SharedArrayBuffer(CHANGES_MAX * 2)),
  /** Per label: callbacks that the loop ran, and tasks for the threadpool. */
  callbacks: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8)),
  tasks: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8)),
  /** How long the tasks took, waiting for a thread included. */
  task_ms: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8))
};
var of_resource = new Uint16Array(RESOURCES_MAX);
var of_javascript = new Uint8Array(RESOURCES_MAX);
var outer = [];
var ended_ms = 0;
var asked = /* @__PURE__ */ new Map();
var tasks = /* @__PURE__ */ new Map();
var of_servers = /* @__PURE__ */ new Map();
var first_id = 0;
var changes = 0;
var watched = false;
var running = false;
var timer;
var hook = (0, import_node_async_hooks2.createHook)({ init: hookInit, before: hookBefore, after: hookAfter });
function hookInit(id, type) {
  const at = id - first_id;
  if (at < 0 || at >= RESOURCES_MAX) return;
  of_resource[at] = SHARED3.has(type) ? NOBODY : labels2.current;
  of_javascript[at] = OF_JAVASCRIPT.has(type) ? 1 : 0;
  if (OF_POOL.has(type)) asked.set(id, { type, asked_ms: thread_ms() });
}
function hookBefore(id) {
  const at = id - first_id;
  const known3 = at >= 0 && at < RESOURCES_MAX;
  let label2 = known3 && of_resource[at] || NOBODY;
  if (outer.length === 0) {
    labels2.handler = NOBODY;
    if (label2 === NOBODY && !(known3 && of_javascript[at])) label2 = ofServer(id);
  }
  if (watched && outer.length === 0 && !(known3 && of_javascript[at])) {
    log.callbacks[label2] = (log.callbacks[label2] ?? 0) + 1;
    const task = asked.get(id);
    if (task !== void 0) hookTask(task, label2);
  }
  outer.push(labels2.current);
  hookChange(label2);
}
function ofServer(id) {
  let label2 = of_servers.get(id);
  if (label2 === void 0) {
    label2 = serverOf((0, import_node_async_hooks2.executionAsyncResource)()) ?? NOBODY;
    if (label2 !== NOBODY && of_servers.size < RESOURCES_MAX) of_servers.set(id, label2);
  }
  return label2;
}
function hookAfter(id) {
  hookChange(outer.pop() ?? LOOP);
  if (outer.length > 0) return;
  ended_ms = thread_ms();
  const task = asked.get(id);
  if (task === void 0) return;
  if (OFTEN.has(task.type)) task.asked_ms = ended_ms;
  else asked.delete(id);
}
function hookTask({ type, asked_ms: asked_ms2 }, label2) {
  const key = `${label2} ${type}`;
  let sum = tasks.get(key);
  if (sum === void 0) {
    sum = { label: label2, count: 0, seen: 0, seen_ms: 0, shortest_ms: Number.POSITIVE_INFINITY };
    tasks.set(key, sum);
  }
  const now = thread_ms();
  sum.count += 1;
  sum.shortest_ms = Math.min(sum.shortest_ms, now - asked_ms2);
  if (now - ended_ms < IDLE_MS) return;
  sum.seen += 1;
  sum.seen_ms += now - asked_ms2;
}
function hookChange(label2) {
  if (label2 === labels2.current) return;
  labels2.current = label2;
  if (!watched) return;
  if (changes >= CHANGES_MAX - 1) {
    stopBurst();
    return;
  }
  log.at_ns[changes] = now_ns();
  log.label[changes] = label2;
  changes += 1;
}
function enter2(label2) {
  const before = labels2.current;
  if (labels2.on) hookChange(label2);
  return before;
}
function startLabels() {
  if (running) return;
  running = true;
  changes = 0;
  log.callbacks.fill(0);
  log.tasks.fill(0);
  log.task_ms.fill(0);
  tasks.clear();
  timer = setTimeout(startBurst, 0);
  timer.unref();
}
function stopLabels() {
  running = false;
  clearTimeout(timer);
  stopBurst();
  for (const { label: label2, count: count2, seen: seen9, seen_ms, shortest_ms } of tasks.values()) {
    log.tasks[label2] = (log.tasks[label2] ?? 0) + count2;
    log.task_ms[label2] = (log.task_ms[label2] ?? 0) + count2 * (seen9 > 0 ? seen_ms / seen9 : shortest_ms);
  }
  tasks.clear();
}
function startBurst() {
  if (changes >= CHANGES_MAX - 1) return;
  first_id = new import_node_async_hooks2.AsyncResource("PLIMSOLL").asyncId();
  of_resource.fill(0);
  outer = [];
  asked.clear();
  of_servers.clear();
  ended_ms = thread_ms();
  labels2.current = LOOP;
  labels2.on = true;
  hook.enable();
  timer = setTimeout(startWatch, UNLABELLED_MS);
  timer.unref();
}
function startWatch() {
  watched = true;
  timer = setTimeout(pause, BURST_MS - UNLABELLED_MS);
  timer.unref();
}
function pause() {
  stopBurst();
  if (!running) return;
  timer = setTimeout(startBurst, PAUSE_MS);
  timer.unref();
}
function stopBurst() {
  hook.disable();
  labels2.on = false;
  labels2.current = LOOP;
  outer = [];
  if (!watched) return;
  watched = false;
  log.at_ns[changes] = now_ns();
  log.label[changes] = UNWATCHED;
  changes += 1;
  Atomics.store(log.length, 0, changes);
}

// src/layers/layer.js
var import_node_http3 = require("node:http");

// src/guards.js
var BY_NAME = /auth|jwt|oauth|passport|login|csrf|xsrf|guard|acl\b|permission|role|valid|sanitiz|rate.?limit|limiter|throttl|firewall|protect|verify|captcha/i;
var BY_TEXT = /\b(401|403|429)\b|unauthori[sz]ed|forbidden|passport|jsonwebtoken|jwtVerify|jwt\.verify/i;
function isGuard(name, run) {
  let text = "";
  quietly(() => {
    text = Function.prototype.toString.call(run);
  });
  return BY_NAME.test(name) || BY_TEXT.test(text);
}

// src/layers/layer.js
var layers2 = [];
var known = /* @__PURE__ */ new Map();
function layerHere(kind, name, run) {
  const other = standsFor(run);
  if (other?.name) name = other.name;
  const place2 = other?.place ?? placeOfCaller(FRAMEWORKS);
  const text = Function.prototype.toString.call(other?.run ?? run);
  return layerAt(kind, name, place2, text, isGuard(name, run));
}
function layerAt(kind, name, place2, text, guards2) {
  const key = `${kind} ${name} ${place2?.file}:${place2?.line}:${place2?.column} ${text}`;
  const before = known.get(key);
  if (before !== void 0 || layers2.length >= LAYERS_MAX) return before;
  const layer = { label: FIRST_LAYER + layers2.length, kind, name, place: place2, guards: guards2 };
  layers2.push(layer);
  known.set(key, layer);
  return layer;
}
function serverAt(server, place2) {
  const layer = layerAt("server", "", place2, "", false);
  if (layer === void 0) return;
  isServer(layer.label);
  labelServer(server, layer.label);
}
var handlers = /* @__PURE__ */ new WeakMap();
function runAs({ label: label2, kind }, run, self, args) {
  const outer2 = enter2(label2);
  const response = responseOf(args);
  if (kind === "handler") {
    labels2.handler = label2;
    if (response) handlers.set(response, label2);
  }
  const before = response === void 0 ? void 0 : methodsOf(response);
  const last = args.length - 1;
  const next = args[last];
  if (typeof next === "function") {
    args[last] = (...passed) => {
      if (response && before) ownMethods(response, before, label2);
      const here = enter2(outer2);
      try {
        return next(...passed);
      } finally {
        enter2(here);
      }
    };
  }
  try {
    return Reflect.apply(run, self, args);
  } finally {
    if (response && before) ownMethods(response, before, label2);
    enter2(isOfFunction(outer2) || !isOfFunction(labels2.handler) ? outer2 : labels2.handler);
  }
}
var METHODS3 = (
  /** @type {const} */
  ["writeHead", "write", "end", "setHeader", "flushHeaders"]
);
var writer3;
var writers = /* @__PURE__ */ new WeakMap();
var owned = /* @__PURE__ */ new WeakSet();
function responseOf(args) {
  for (const arg of args) {
    if (typeof arg !== "object" || arg === null) continue;
    const found = arg instanceof import_node_http3.ServerResponse ? arg : ownValue(arg, "res") ?? ownValue(arg, "raw") ?? ownValue(arg, "env")?.outgoing;
    if (found instanceof import_node_http3.ServerResponse) return found;
  }
  return void 0;
}
function ownValue(of, key) {
  return Object.hasOwn(of, key) ? of[key] : void 0;
}
function methodsOf(response) {
  return METHODS3.map((key) => response[key]);
}
function ownMethods(response, before, label2) {
  for (const [index, key] of METHODS3.entries()) {
    const method = response[key];
    if (method === before[index] || typeof method !== "function" || owned.has(method)) continue;
    const own2 = {
      /** @this {unknown} @param {any[]} args */
      own(...args) {
        if (!labels2.on) return Reflect.apply(method, this, args);
        const outer2 = writer3;
        if (writer3 === void 0) {
          writer3 = labels2.current;
          if ((key === "write" || key === "end") && isOfFunction(writer3)) writers.set(response, writer3);
        }
        const here = enter2(label2);
        try {
          return Reflect.apply(method, this, args);
        } finally {
          enter2(here);
          writer3 = outer2;
        }
      }
    }.own;
    owned.add(own2);
    response[key] = own2;
  }
}
function writerOf(response) {
  if (writer3 !== void 0 || !labels2.on) return writer3;
  return writers.get(response) ?? (isOfFunction(labels2.current) ? void 0 : handlers.get(response));
}
function watchMethods() {
  for (const owner of [import_node_http3.ServerResponse.prototype, import_node_http3.OutgoingMessage.prototype]) {
    for (const key of METHODS3) {
      replace(owner, key, (original) => {
        return {
          /** @this {unknown} @param {any[]} args */
          method(...args) {
            const label2 = writerOf(
              /** @type {object} */
              this
            );
            if (label2 === void 0) return Reflect.apply(original, this, args);
            const outer2 = writer3;
            writer3 = void 0;
            const here = enter2(label2);
            try {
              return Reflect.apply(original, this, args);
            } finally {
              enter2(here);
              writer3 = outer2;
            }
          }
        }.method;
      });
    }
  }
}
function watchListeners2() {
  const { prototype } = Object.getPrototypeOf(Object.getPrototypeOf(import_node_http3.OutgoingMessage));
  for (const key of ["on", "addListener", "prependListener", "once", "prependOnceListener"]) {
    const once2 = key.endsWith("nce") || key.includes("Once");
    replace(prototype, key, (original) => {
      return {
        /** @this {any} @param {any[]} args */
        listen(...args) {
          const [event, listener] = args;
          const label2 = labels2.current;
          const wanted2 = labels2.on && isOfFunction(label2) && typeof listener === "function" && !listener.listener;
          if (!wanted2 || !(this instanceof import_node_http3.OutgoingMessage || this instanceof import_node_http3.IncomingMessage)) {
            return Reflect.apply(original, this, args);
          }
          const emitter = this;
          const as = {
            /** @this {unknown} @param {any[]} passed */
            listener(...passed) {
              if (once2) emitter.removeListener(event, as);
              if (!labels2.on) return Reflect.apply(listener, this, passed);
              const here = enter2(label2);
              try {
                return Reflect.apply(listener, this, passed);
              } finally {
                enter2(here);
              }
            }
          }.listener;
          Object.assign(as, { listener });
          if (!once2) return Reflect.apply(original, this, [event, as]);
          return key === "once" ? this.on(event, as) : this.prependListener(event, as);
        }
      }.listen;
    });
  }
}
function watchResponses() {
  quietly(watchMethods);
  quietly(watchListeners2);
}

// src/layers/listening.js
var import_node_http4 = __toESM(require("node:http"), 1);
var import_node_https2 = __toESM(require("node:https"), 1);
var import_node_net2 = __toESM(require("node:net"), 1);
var made3 = /* @__PURE__ */ new WeakMap();
function watchServers() {
  for (const owner of [import_node_http4.default, import_node_https2.default]) {
    replace(owner, "createServer", (original) => {
      return {
        /** @this {unknown} @param {any[]} args */
        createServer(...args) {
          const server = Reflect.apply(original, this, args);
          quietly(() => made3.set(server, placeOfCaller(FRAMEWORKS)));
          return server;
        }
      }.createServer;
    });
  }
  replace(import_node_net2.default.Server.prototype, "listen", (original) => {
    return {
      /** @this {net.Server} @param {any[]} args */
      listen(...args) {
        quietly(() => serverAt(this, nearest(placeOfCaller(FRAMEWORKS), made3.get(this) ?? null)));
        return Reflect.apply(original, this, args);
      }
    }.listen;
  });
}
function nearest(first, second) {
  return distance(second) < distance(first) ? second : first;
}
function distance(place2) {
  if (place2 === null) return 3;
  if (place2.package === null) return 0;
  return FRAMEWORKS.has(place2.package) ? 2 : 1;
}

// src/layers.js
function watchLayers() {
  quietly(watchServers);
  watchFrameworks((kind, name, run) => {
    if (kind === "guard") return void 0;
    const layer = layerHere(kind === "errors" ? "middleware" : kind, name, run);
    if (layer === void 0) return void 0;
    return (run2, self, args) => labels2.on ? runAs(layer, run2, self, args) : Reflect.apply(run2, self, args);
  });
}
function servingLayers() {
  quietly(watchResponses);
}
var knownLayers = () => layers2;

// src/loop.js
var import_node_perf_hooks2 = require("node:perf_hooks");
var import_node_v82 = require("node:v8");
var BEAT_MS = 100;
var MEMORY_BEATS = 10;
var LOW_MS = 100;
function watchLoop() {
  beats();
  collections();
}
function beats() {
  const { table: table3 } = state;
  let last_ms = thread_ms();
  table3[AT.beat_ms] = now_ms();
  lookAtMemory();
  const timer2 = setInterval(() => {
    const now = thread_ms();
    const delay_ms = Math.max(now - last_ms - BEAT_MS, 0);
    last_ms = now;
    table3[AT.beat_ms] = now_ms();
    table3[AT.beats] += 1;
    table3[AT.delay_ns] += delay_ms * 1e6;
    table3[AT.longest_delay_ns] = Math.max(table3[AT.longest_delay_ns] ?? 0, delay_ms * 1e6);
    let bucket = 0;
    while (bucket < DELAY_BOUNDS_MS.length && delay_ms > (DELAY_BOUNDS_MS[bucket] ?? 0)) bucket += 1;
    table3[DELAYS + bucket] += 1;
    const { active, idle } = import_node_perf_hooks2.performance.eventLoopUtilization();
    table3[AT.loop_active_ns] = active * 1e6;
    table3[AT.loop_idle_ns] = idle * 1e6;
    if ((table3[AT.beats] ?? 0) % MEMORY_BEATS === 0) lookAtMemory();
    adaptLate();
  }, BEAT_MS);
  timer2.unref();
  state.undo.push(() => clearInterval(timer2));
}
function lookAtMemory() {
  quietly(() => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    state.table[AT.heap_used_bytes] = heapUsed;
    state.table[AT.heap_total_bytes] = heapTotal;
    state.table[AT.external_bytes] = external;
    state.table[AT.array_buffers_bytes] = arrayBuffers;
  });
}
var KINDS = (
  /** @type {Map<number, 'minor' | 'major' | 'incremental' | 'weak'>} */
  /* @__PURE__ */ new Map([
    [import_node_perf_hooks2.constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
    [import_node_perf_hooks2.constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
    [import_node_perf_hooks2.constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
    [import_node_perf_hooks2.constants.NODE_PERFORMANCE_GC_WEAKCB, "weak"]
  ])
);
function collections() {
  const { table: table3 } = state;
  let looked_ms = 0;
  const observer = new import_node_perf_hooks2.PerformanceObserver((list) => {
    let major = 0;
    for (const entry of list.getEntries()) {
      const { kind, flags } = (
        /** @type {Collection} */
        /** @type {unknown} */
        entry.detail
      );
      const name = KINDS.get(kind);
      if (name === void 0) continue;
      if (name === "major") major += 1;
      if (flags & import_node_perf_hooks2.constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) continue;
      table3[AT[`${name}_count`]] += 1;
      table3[AT[`${name}_ns`]] += entry.duration * 1e6;
    }
    const now = thread_ms();
    if (major === 0 && now - looked_ms < LOW_MS) return;
    looked_ms = now;
    const { used_heap_size } = (0, import_node_v82.getHeapStatistics)();
    const low = table3[AT.low_bytes] ?? 0;
    if (low === 0 || used_heap_size < low) table3[AT.low_bytes] = used_heap_size;
    if (major === 0) return;
    table3[AT.after_major_bytes] = used_heap_size;
    table3[AT.after_major_count] += major;
  });
  observer.observe({ entryTypes: ["gc"] });
  state.undo.push(() => observer.disconnect());
}

// src/loop_delays.js
var EVERY_MS = 10;
var TELL_MS = 200;
function tellLoopDelays() {
  let last_ms = thread_ms();
  let told_ms = last_ms;
  let delays_us = [];
  const timer2 = setInterval(() => {
    const now = thread_ms();
    delays_us.push(Math.round(Math.max(now - last_ms - EVERY_MS, 0) * 1e3));
    last_ms = now;
    if (now - told_ms < TELL_MS) return;
    told_ms = now;
    const told3 = delays_us;
    delays_us = [];
    quietly(() => state.tell({ type: "loop_delays", delays_us: told3 }));
  }, EVERY_MS);
  timer2.unref();
  state.undo.push(() => clearInterval(timer2));
}

// src/memory.js
var import_node_v83 = require("node:v8");
var HEAP_BYTES_MAX2 = 2 ** 31;
function kept(id) {
  if ((0, import_node_v83.getHeapStatistics)().used_heap_size > HEAP_BYTES_MAX2) {
    return {
      type: "error",
      id,
      message: "the heap has more than 2 GiB, and collecting it would stop the service for long"
    };
  }
  const begun_ms = performance.now();
  collectAll();
  collectAll();
  const paused_ns = Math.round((performance.now() - begun_ms) * 1e6);
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    type: "kept",
    id,
    paused_ns,
    heap_used_bytes: heapUsed,
    heap_committed_bytes: heapTotal,
    external_bytes: external,
    array_buffers_bytes: arrayBuffers,
    rss_bytes: rss,
    spaces: (0, import_node_v83.getHeapSpaceStatistics)().map(({ space_name, space_used_size }) => ({ name: space_name, used_bytes: space_used_size })).filter(({ used_bytes }) => used_bytes > 0)
  };
}

// src/messages.js
var COMPRESSED = 64;
var OPCODE = 15;
var TEXT = 1;
var BINARY = 2;
var MASKED = 128;
var { table } = state;
function watchMessages() {
  onLoaded((file, exports2) => {
    if (packageOf(file) === "ws") {
      replace(exports2.prototype, "dataMessage", received);
      replace(exports2.prototype, "sendFrame", sent);
      wrap(
        exports2.prototype,
        "compress",
        "ws PerMessageDeflate.compress",
        "pool",
        (_, [data]) => sizeOf(data)
      );
    }
    return exports2;
  });
}
function received(original) {
  return {
    /** @this {any} @param {any[]} args */
    dataMessage(...args) {
      if (state.on && this._fin && this._isServer !== false) table[AT.messages] += 1;
      return Reflect.apply(original, this, args);
    }
  }.dataMessage;
}
function sent(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    sendFrame(...args) {
      if (state.on) quietly(() => look2(args[0]));
      return Reflect.apply(original, this, args);
    }
  }.sendFrame;
}
function look2([head]) {
  const opcode = head[0] & OPCODE;
  if (opcode !== TEXT && opcode !== BINARY || (head[1] & MASKED) !== 0) return;
  table[AT.messages_sent] += 1;
  if ((head[0] & COMPRESSED) !== 0) table[AT.messages_compressed] += 1;
}

// src/pools.js
var import_node_http5 = __toESM(require("node:http"), 1);
var AT2 = placesOf(POOL);
var WAITING = { many: AT2.waiting, ns: AT2.waiting_ns, changed_ms: AT2.changed_ms };
var ACQUIRING = ["acquire", "checkOut", "connect", "getConnection"];
var POOL_NAME = /Pool$/;
var SIZES = ["max", "maxSize", "maxPoolSize", "connectionLimit"];
var OPTIONS = ["options", "config"];
var places2 = /* @__PURE__ */ new WeakMap();
var pools = 0;
var seen4 = /* @__PURE__ */ new WeakSet();
function watchPools() {
  replace(import_node_http5.default.Agent.prototype, "addRequest", addRequest);
  onLoaded(look3);
}
function addRequest(original) {
  const counter = createCounter("http.Agent", "connection");
  return {
    /** @this {http.Agent} @param {any[]} args */
    addRequest(...args) {
      const result = Reflect.apply(original, this, args);
      const size = Math.min(this.maxSockets, this.maxTotalSockets);
      if (state.on && size < Infinity) {
        quietly(() => {
          const [request] = args;
          const stop = ask(counter, placeOf2(this, counter.name, size));
          if (!isQueued(this, request)) return stop();
          request.once("socket", stop);
          request.once("close", stop);
        });
      }
      return result;
    }
  }.addRequest;
}
function isQueued(agent, request) {
  for (const queue of Object.values(agent.requests)) {
    if (
      /** @type {unknown} */
      queue?.at(-1) === request
    ) return true;
  }
  return false;
}
function look3(file, exports2) {
  const name = packageOf(file);
  if (name === null) return exports2;
  if (typeof exports2 === "function") watchClass(name, exports2);
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(exports2))) {
    if (typeof value === "function") watchClass(name, value);
  }
  return exports2;
}
function watchClass(package_name, made4) {
  const { prototype } = made4;
  if (!POOL_NAME.test(made4.name) || !prototype || seen4.has(prototype)) return;
  seen4.add(prototype);
  const key = ACQUIRING.find((key2) => Object.hasOwn(prototype, key2));
  if (key === void 0) return;
  const name = `${package_name} ${made4.name}.${key}`;
  replace(prototype, key, (original) => acquiring(original, createCounter(name, "connection")));
}
function acquiring(original, counter) {
  return {
    /** @this {any} @param {any[]} args */
    wrapper(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      let stop = () => {
      };
      quietly(() => {
        stop = ask(counter, placeOf2(this, counter.name, sizeOf2(this)));
      });
      const callback = args.at(-1);
      if (typeof callback === "function") {
        const wrapped2 = {
          /** @this {unknown} @param {any[]} results */
          wrapper(...results) {
            stop();
            return Reflect.apply(callback, this, results);
          }
        }.wrapper;
        args[args.length - 1] = disguised(wrapped2, callback);
      }
      let result;
      try {
        result = Reflect.apply(original, this, args);
      } catch (error) {
        stop();
        throw error;
      }
      const promise = result?.then ? result : result?.promise;
      if (typeof promise?.then === "function") promise.then(stop, stop);
      else if (typeof callback !== "function") stop();
      return result;
    }
  }.wrapper;
}
function sizeOf2(pool) {
  for (const from of [pool, ...OPTIONS.map((key) => pool[key])]) {
    for (const key of SIZES) {
      const size = from?.[key];
      if (typeof size === "number" && size > 0) return size;
    }
  }
  return 0;
}
function placeOf2(pool, name, size) {
  const known3 = places2.get(pool);
  if (known3 !== void 0) return known3;
  const index = Math.min(pools, POOLS_MAX - 1);
  const at = poolAt(index);
  if (pools < POOLS_MAX) state.tell({ type: "pool", index, name, size: Number.isFinite(size) ? size : 0 });
  pools += 1;
  places2.set(pool, at);
  return at;
}
function ask(counter, at) {
  if (!state.inside) count(counter, end(begin(counter)), 0);
  state.table[at + AT2.asked] += 1;
  manyBecome(state.table, at, WAITING, 1);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    quietly(() => manyBecome(state.table, at, WAITING, -1));
  };
}

// src/refuse.js
var import_node_net3 = __toESM(require("node:net"), 1);
var NODE_MAJOR_MIN = 20;
var REASON_LENGTH_MAX = 300;
function refuse(socket, error) {
  const peer = import_node_net3.default.connect(socket);
  peer.on("error", () => {
  });
  peer.unref();
  peer.end(`${JSON.stringify({ type: "off", reason: reasonOf(error) })}
`);
}
function reasonOf(error) {
  if (error?.code === "ERR_ACCESS_DENIED") {
    const option = error.permission === "WorkerThreads" ? "--allow-worker" : error.permission;
    return `the permission model of Node.js forbids its thread; start the service with ${option} for a diagnosis`;
  }
  return String(error?.message ?? error).slice(0, REASON_LENGTH_MAX);
}
function unfit() {
  const { bun, deno, node } = process.versions;
  if (bun !== void 0) return `the service runs under Bun ${bun}, but the probe works only in Node.js`;
  if (deno !== void 0) return `the service runs under Deno ${deno}, but the probe works only in Node.js`;
  if (Number.parseInt(node, 10) < NODE_MAJOR_MIN) {
    return `the service runs under Node.js ${node}, but the probe needs ${NODE_MAJOR_MIN} or newer`;
  }
  return void 0;
}
function skipped() {
  const reason = "the service runs with --frozen-intrinsics";
  const found = [];
  if (Object.isFrozen(JSON)) found.push({ part: "JSON.parse and JSON.stringify", reason });
  if (Object.isFrozen(Error)) found.push({ part: "the lines that calls come from", reason });
  return found;
}

// src/routes/express.js
var DEPTH_MAX = 16;
var apps = /* @__PURE__ */ new Set();
var paths = /* @__PURE__ */ new WeakMap();
function watchedExpress(file, exports2) {
  if (packageOf(file) === "express" && /[\\/]application\.js$/.test(file)) replace(exports2, "init", gathers);
  return typeof exports2 === "function" && isLayerOfExpress(file) ? remembersPaths(exports2) : exports2;
}
function gathers(original) {
  return {
    /** @this {any} @param {any[]} args */
    init(...args) {
      apps.add(this);
      return Reflect.apply(original, this, args);
    }
  }.init;
}
function remembersPaths(Layer) {
  function Made(path, options, run) {
    const made4 = new Layer(path, options, run);
    paths.set(made4, path);
    return made4;
  }
  Made.prototype = Layer.prototype;
  return Made;
}
function routesOfExpress() {
  const inner2 = /* @__PURE__ */ new Set();
  const found = [];
  for (const app of apps) {
    const routes2 = [];
    walk(routerOf(app), mountOf(app), 0, routes2, inner2);
    found.push({ app, routes: routes2 });
  }
  return found.filter(({ app }) => !inner2.has(app)).flatMap(({ routes: routes2 }) => routes2);
}
function routerOf(app) {
  return "lazyrouter" in app ? app._router : app.router;
}
function mountOf(app) {
  return app.parent ? join(mountOf(app.parent), [app.mountpath].flat()[0]) : "";
}
function walk(router, prefix, depth, found, inner2) {
  if (depth > DEPTH_MAX || !Array.isArray(router?.stack)) return;
  for (const layer of router.stack) {
    const path = paths.get(layer);
    if (layer.route) {
      const { _all, ...methods } = layer.route.methods;
      for (const one of [path].flat()) {
        found.push({
          methods: _all ? ["ALL"] : Object.keys(methods),
          path: one instanceof RegExp ? one : join(prefix, one)
        });
      }
      continue;
    }
    const { handle } = layer;
    if (apps.has(handle)) inner2.add(handle);
    const inside = apps.has(handle) ? routerOf(handle) : handle;
    for (const one of [path].flat()) {
      if (typeof one === "string") walk(inside, join(prefix, one), depth + 1, found, inner2);
    }
  }
}
function join(prefix, path) {
  const rest = String(path ?? "");
  if (prefix === "" || rest === "/") return prefix || rest;
  return `${prefix.replace(/\/+$/, "")}/${rest.replace(/^\/+/, "")}`;
}

// src/routes/fastify.js
var import_node_diagnostics_channel2 = require("node:diagnostics_channel");
var registered = [];
function watchFastify2() {
  (0, import_node_diagnostics_channel2.subscribe)("fastify.initialization", ({ fastify }) => {
    quietly(() => {
      fastify.addHook("onRoute", ({ method, url }) => {
        quietly(() => registered.push({ methods: [method].flat().map(String), path: String(url) }));
      });
    });
  });
}
var routesOfFastify = () => registered;

// src/routes/hono.js
var seen5 = /* @__PURE__ */ new WeakSet();
var registered2 = /* @__PURE__ */ new Map();
var inner = /* @__PURE__ */ new WeakSet();
function watchedHono(file, exports2) {
  if (!isModuleOfHono(file)) return;
  for (const Class of Object.values(exports2)) {
    if (typeof Class?.prototype !== "object" || seen5.has(Class)) continue;
    seen5.add(Class);
    replace(Class.prototype, "add", adds2);
    replace(Class.prototype, "route", routes);
  }
}
function adds2(original) {
  return {
    /** @this {object} @param {any[]} args method, path, and what runs with its route */
    add(...args) {
      quietly(() => note(this, args));
      return Reflect.apply(original, this, args);
    }
  }.add;
}
function note(router, [method, path, entry]) {
  const [run, route2] = Array.isArray(entry) ? entry : [];
  if (typeof route2 !== "object" || route2 === null || seen5.has(route2)) return;
  seen5.add(route2);
  if (method === "ALL" && run.length > 1) return;
  const list = registered2.get(router) ?? [];
  registered2.set(router, list);
  list.push({ methods: [String(method)], path: String(path) });
}
function routes(original) {
  return {
    /** @this {unknown} @param {any[]} args a path, and the application that is put there */
    route(...args) {
      quietly(() => inner.add(args[1].router));
      return Reflect.apply(original, this, args);
    }
  }.route;
}
function routesOfHono() {
  return [...registered2].filter(([router]) => !inner.has(router)).flatMap(([, routes2]) => routes2);
}

// src/routes/koa.js
var seen6 = /* @__PURE__ */ new WeakSet();
var routers = /* @__PURE__ */ new Set();
function watchedKoa(file, exports2) {
  if (packageOf(file) !== "koa" || typeof exports2?.prototype?.use !== "function" || seen6.has(exports2)) return;
  seen6.add(exports2);
  replace(exports2.prototype, "use", (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      use(...args) {
        quietly(() => {
          if (Array.isArray(args[0]?.router?.stack)) routers.add(args[0].router);
        });
        return Reflect.apply(original, this, args);
      }
    }.use;
  });
}
function routesOfKoa() {
  return [...routers].flatMap(({ stack: stack2 }) => stack2).filter(({ methods }) => Array.isArray(methods) && methods.length > 0).map(({ methods, path }) => ({ methods, path: path instanceof RegExp ? path : String(path) }));
}

// src/routes.js
var TOLD_MAX = 1e3;
var PATH_LENGTH_MAX = 512;
var METHODS_MAX = 8;
function watchRoutes() {
  quietly(watchFastify2);
  quietly(() => {
    onLoaded((file, exports2) => {
      watchedHono(file, exports2);
      watchedKoa(file, exports2);
      return watchedExpress(file, exports2);
    });
  });
  quietly(() => watchModules(HONO, watchedHono));
}
function knownRoutes() {
  const known3 = /* @__PURE__ */ new Map();
  for (const list of [routesOfExpress, routesOfKoa, routesOfFastify, routesOfHono]) {
    quietly(() => {
      for (const { methods, path } of list()) {
        const expression = path instanceof RegExp;
        const text = expression ? String(path) : `/${path}`.replace(/^\/+/, "/");
        if (text.length > PATH_LENGTH_MAX) continue;
        for (const method of methods.length > METHODS_MAX ? ["ALL"] : methods) {
          const route2 = { method: method.toUpperCase(), path: text, expression };
          if (known3.size < TOLD_MAX) known3.set(`${route2.method} ${text}`, route2);
        }
      }
    });
  }
  return [...known3.values()];
}

// src/served.js
var import_node_diagnostics_channel3 = require("node:diagnostics_channel");
var import_node_tls = __toESM(require("node:tls"), 1);
var FOLLOWED_PER_S = 100;
var LOOK_MS = 50;
var COMPRESSIBLE_BYTES_MIN = 1024;
var COMPRESSIBLE = /^content-type: *(text\/|application\/(\S+\+)?(json|xml|javascript)|image\/svg)/im;
var { table: table2 } = state;
var following = createSampling(FOLLOWED_PER_S);
var next_look_ms = 0;
function watchServed() {
  on("net.server.socket", ({ socket }) => {
    table2[AT.connections] += 1;
    table2[AT.connections_open] += 1;
    table2[AT.connections_peak] = Math.max(table2[AT.connections_peak] ?? 0, table2[AT.connections_open] ?? 0);
    socket.once("close", () => {
      table2[AT.connections_open] -= 1;
    });
  });
  onHot("http.server.request.start", started);
  state.undo.push(finish);
}
function watchServer(server) {
  if (server instanceof import_node_tls.default.Server) listen(server, "secureConnection", shookHands);
  onStreams(server, streamed);
}
function onStreams(server, listener) {
  if (!/^Http2(Secure)?Server$/.test(server.constructor.name)) return () => {
  };
  return listen(server, "stream", listener);
}
function listen(server, event, listener) {
  server.prependListener(event, listener);
  const end3 = () => void server.off(event, listener);
  state.undo.push(end3);
  return end3;
}
function shookHands(socket) {
  table2[socket.isSessionReused() ? AT.handshakes_resumed : AT.handshakes_full] += 1;
}
function on(channel, listener) {
  return onHot(channel, (message) => {
    try {
      listener(message);
    } catch {
    }
  });
}
function onHot(channel, listener) {
  (0, import_node_diagnostics_channel3.subscribe)(channel, listener);
  const end3 = () => void (0, import_node_diagnostics_channel3.unsubscribe)(channel, listener);
  state.undo.push(end3);
  return end3;
}
function started(message) {
  table2[AT.requests_started] += 1;
  const is_followed = --following.left <= 0;
  if (!is_followed && !tracing.on) return;
  try {
    if (is_followed) follow(message, ofHttp1);
    if (tracing.on) enter(message);
  } catch {
  }
}
function streamed(stream, headers) {
  table2[AT.requests_started] += 1;
  const is_followed = --following.left <= 0;
  if (!is_followed && !tracing.on) return;
  try {
    const message = { stream, headers };
    if (is_followed) follow(message, ofHttp2);
    if (tracing.on) enter({ request: asked2(headers), response: stream });
  } catch {
  }
}
function ofHttp1({ request, response, socket }) {
  const written_bytes = socket.bytesWritten;
  return {
    request,
    response,
    sent() {
      const head = String(Reflect.get(response, "_header") ?? "");
      const body_bytes = Math.max(socket.bytesWritten - written_bytes - head.length, 0);
      return { head, status: response.statusCode, body_bytes };
    }
  };
}
function ofHttp2({ stream, headers }) {
  const sentBytes = countBody(stream);
  return {
    request: asked2(headers),
    response: stream,
    sent() {
      const sent2 = Object.entries(stream.sentHeaders ?? {}).filter(([name]) => !name.startsWith(":"));
      const head = sent2.map(([name, value]) => `${name}: ${value}\r
`).join("");
      return { head, status: Number(stream.sentHeaders?.[":status"]), body_bytes: sentBytes() };
    }
  };
}
var asked2 = (headers) => ({ method: headers[":method"], url: headers[":path"], headers });
function countBody(stream) {
  let bytes = 0;
  const { write, end: end3 } = stream;
  const counting2 = (original) => (
    /** @this {Stream} @param {any[]} args */
    function(...args) {
      const [chunk, more] = args;
      const encoding = typeof more === "string" ? (
        /** @type {BufferEncoding} */
        more
      ) : "utf8";
      if (typeof chunk === "string") bytes += Buffer.byteLength(chunk, encoding);
      else if (ArrayBuffer.isView(chunk)) bytes += chunk.byteLength;
      return Reflect.apply(original, this, args);
    }
  );
  Object.assign(stream, { write: counting2(write), end: counting2(end3) });
  return () => bytes;
}
function follow(message, exchangeOf) {
  const weight = take(following);
  const from_ms = thread_ms();
  mayBegin(from_ms);
  const { request, response, sent: sent2 } = exchangeOf(message);
  const is_looked_at = from_ms >= next_look_ms;
  if (is_looked_at) next_look_ms = from_ms + LOOK_MS;
  response.once("close", () => {
    table2[AT.followed] += weight;
    table2[AT.followed_ns] += weight * (thread_ms() - from_ms) * 1e6;
    if (is_looked_at && response.writableFinished) quietly(() => look4(request, sent2()));
  });
}
function look4(request, { head, status, body_bytes }) {
  const has = (pattern) => pattern.test(head);
  table2[AT.looked_sampled] += 1;
  table2[AT.looked_body_bytes] += body_bytes;
  if (has(/^connection: *close/im)) table2[AT.looked_connection_close] += 1;
  if (request.method === "GET") {
    table2[AT.looked_get] += 1;
    if (has(/^etag:/im)) table2[AT.looked_etag] += 1;
    const { "if-none-match": etag, "if-modified-since": since } = request.headers;
    if (etag !== void 0 || since !== void 0) table2[AT.looked_conditional] += 1;
    if (status === 304) table2[AT.looked_not_modified] += 1;
  }
  const compressed = has(/^content-encoding: *(?!identity)/im);
  if (!has(COMPRESSIBLE) || body_bytes < COMPRESSIBLE_BYTES_MIN && !compressed) return;
  table2[AT.looked_compressible] += 1;
  table2[AT.looked_compressible_bytes] += body_bytes;
  if (compressed) table2[AT.looked_compressed] += 1;
  if (/\b(gzip|br|deflate|zstd)\b/.test(String(request.headers["accept-encoding"] ?? ""))) {
    table2[AT.looked_accepts_encoding] += 1;
  }
}

// src/settings.js
var MODES = (
  /** @type {const} */
  ["counters", "profile", "without", "routes", "memory", "loop"]
);
function readSettings(text) {
  if (!text) return void 0;
  let asked3;
  try {
    asked3 = JSON.parse(text);
  } catch {
    return void 0;
  }
  if (typeof asked3?.socket !== "string") return void 0;
  return {
    socket: asked3.socket,
    mode: MODES.find((mode) => mode === asked3.mode) ?? "counters",
    without: Array.isArray(asked3.without) ? asked3.without.map(String) : [],
    loop_delays: asked3.loop_delays === true,
    report_interval_ms: positive(asked3.report_interval_ms, 1e3),
    stacks_per_s: positive(asked3.stacks_per_s, 12),
    trace_pauses: positive(asked3.trace_pauses, void 0)
  };
}
function positive(value, otherwise) {
  return typeof value === "number" && value > 0 ? value : otherwise;
}

// src/ship.js
var import_node_net4 = __toESM(require("node:net"), 1);
var import_node_url5 = require("node:url");
var import_node_worker_threads3 = require("node:worker_threads");

// src/labelled.js
var import_node_url4 = require("node:url");
var NOT_WATCHED = -1;
var PROBE = -2;
var MAKES_LOG = /* @__PURE__ */ new Set([
  "hookInit",
  "hookBefore",
  "hookAfter",
  "hookChange",
  "enter",
  "hookTask",
  "ofServer",
  "serverOf",
  "ownerOf"
]);
var HOOKS2 = "node:internal/async_hooks";
function label(profile, log2, layers3, script) {
  const parents = parentsOf(profile.nodes);
  const made_log = new Set(
    profile.nodes.filter((node) => makesLog(node, parents, script)).map(({ id }) => id)
  );
  const labels3 = labelsOf(profile, log2);
  const run = runBy(profile, labels3, parents, script);
  const sample_layers = profile.samples.map(
    (id, index) => made_log.has(id) ? PROBE : labels3[index] ?? NOT_WATCHED
  );
  leaveOut(profile, parents, script);
  if (layers3.length === 0) return { ...profile, sample_layers };
  const about = layers3.map(({ label: label2, ...layer }) => ({
    ...layer,
    run: known2(run.get(label2), layer.name),
    ...countsOf(log2, label2)
  }));
  const others = countsOf(log2, NOBODY);
  return { ...profile, layers: about, others, first_layer: FIRST_LAYER, sample_layers };
}
function runBy({ nodes, samples }, labels3, parents, script) {
  const by_id = new Map(nodes.map((node) => [node.id, node]));
  const seen9 = /* @__PURE__ */ new Map();
  for (const [index, id] of samples.entries()) {
    const label2 = labels3[index] ?? NOT_WATCHED;
    const node = label2 < FIRST_LAYER ? void 0 : runAbove(by_id.get(id), parents, script);
    if (node === void 0) continue;
    const counts = seen9.get(label2) ?? /* @__PURE__ */ new Map();
    seen9.set(label2, counts.set(node, (counts.get(node) ?? 0) + 1));
  }
  const found = /* @__PURE__ */ new Map();
  for (const [label2, counts] of seen9) {
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most) found.set(label2, frameOf(most[0]));
  }
  return found;
}
function known2(run, name) {
  return run !== void 0 && (name === "" || name === run.function) ? run : null;
}
function runAbove(node, parents, script) {
  let below2;
  for (let at = node; at !== void 0; at = parents.get(at.id)) {
    const caller = parents.get(at.id);
    if (caller?.callFrame.url === script) {
      const is_run = caller.callFrame.functionName === "runAs" && isOfScript(at, script);
      if (!is_run) return void 0;
      return isLayerOfExpress(at.callFrame.url) ? below2 : at;
    }
    below2 = at;
  }
  return void 0;
}
function isOfScript({ callFrame: { url } }, script) {
  return url !== "" && url !== script;
}
function frameOf({ callFrame: { url, lineNumber, columnNumber, functionName } }) {
  const file = url.startsWith("file:") ? (0, import_node_url4.fileURLToPath)(url) : url;
  const at = { file, line: lineNumber + 1, column: columnNumber + 1 };
  return { ...at, function: functionName, package: packageOf(file) };
}
function countsOf(log2, label2) {
  const task_ns = Math.round((log2.task_ms[label2] ?? 0) * 1e6);
  return { callbacks: log2.callbacks[label2] ?? 0, tasks: log2.tasks[label2] ?? 0, task_ns };
}
function parentsOf(nodes) {
  const parents = /* @__PURE__ */ new Map();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  return parents;
}
function makesLog(node, parents, script) {
  if (node.callFrame.url === HOOKS2) return true;
  let at = node;
  while (at && (at.callFrame.url === "" || at.callFrame.url.startsWith("node:"))) at = parents.get(at.id);
  return at?.callFrame.url === script && MAKES_LOG.has(at.callFrame.functionName);
}
function labelsOf({ startTime, samples, timeDeltas }, log2) {
  const length = Atomics.load(log2.length, 0);
  let at_us = startTime;
  let next = 0;
  let next_us = changeOf(log2, next, length);
  let label2 = UNWATCHED;
  return samples.map((_, index) => {
    at_us += timeDeltas[index] ?? 0;
    while (next_us <= at_us) {
      label2 = log2.label[next] ?? UNWATCHED;
      next += 1;
      next_us = changeOf(log2, next, length);
    }
    return label2 === UNWATCHED ? NOT_WATCHED : label2;
  });
}
function changeOf(log2, index, length) {
  return index < length ? Number(log2.at_ns[index]) / 1e3 : Number.POSITIVE_INFINITY;
}
function leaveOutOfAllocations(node, script) {
  for (const child of node.children ?? []) leaveOutOfAllocations(child, script);
  node.children = node.children?.flatMap(
    (child) => child.callFrame.url === script ? child.children ?? [] : [child]
  );
}
function leaveOutOfProfile(profile, script) {
  leaveOut(profile, parentsOf(profile.nodes), script);
  return profile;
}
function leaveOut(profile, parents, script) {
  const isOurs = ({ callFrame }) => callFrame.url === script;
  const stands_for = /* @__PURE__ */ new Map();
  for (const node of profile.nodes.filter(isOurs)) {
    const parent = parents.get(node.id);
    if (parent === void 0) continue;
    stands_for.set(node.id, stands_for.get(parent.id) ?? parent.id);
  }
  const childrenOf = (ids2) => {
    const found = [];
    for (const id of ids2) {
      if (stands_for.has(id)) found.push(...childrenOf(by_id.get(id)?.children ?? []));
      else found.push(id);
    }
    return found;
  };
  const by_id = new Map(profile.nodes.map((node) => [node.id, node]));
  profile.nodes = profile.nodes.filter(({ id }) => !stands_for.has(id));
  for (const node of profile.nodes) if (node.children) node.children = childrenOf(node.children);
  profile.samples = profile.samples.map((id) => stands_for.get(id) ?? id);
}

// src/lines.js
var COMMAND_LENGTH_MAX = 1 << 16;
function readLines(socket, onLine) {
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > COMMAND_LENGTH_MAX) socket.destroy();
    for (const line of lines) if (line !== "") onLine(line);
  });
}

// src/profile.js
var LAST_COLUMN = 1e6;
function createProfiler(connect, watched2) {
  let session;
  const running2 = /* @__PURE__ */ new Set();
  async function obey({ type, interval_us = 1e3, interval_bytes = 32768, alive = false }) {
    session ??= connect();
    const { post } = session;
    switch (type) {
      case "start_profile": {
        await post("Profiler.enable");
        await post("Profiler.setSamplingInterval", { interval: interval_us });
        await post("Profiler.start");
        running2.add("profile");
        const beside = watched2.times.begin();
        watched2.started();
        return { type: "started", beside };
      }
      case "stop_profile": {
        const times = watched2.times.end();
        watched2.stopped();
        const { profile } = await post("Profiler.stop");
        await post("Profiler.disable");
        ended("profile");
        await toSources(profile.nodes, watched2.originsOf);
        return { type: "profile", profile: { ...watched2.labelled(profile), ...times } };
      }
      case "start_allocations":
        await post("HeapProfiler.startSampling", {
          samplingInterval: interval_bytes,
          includeObjectsCollectedByMajorGC: !alive,
          includeObjectsCollectedByMinorGC: !alive
        });
        running2.add("allocations");
        return { type: "started", beside: watched2.times.beside() };
      case "read_allocations": {
        const { profile } = await post("HeapProfiler.getSamplingProfile");
        return allocations(profile);
      }
      case "stop_allocations": {
        const { profile } = await post("HeapProfiler.stopSampling");
        ended("allocations");
        return allocations(profile);
      }
      default:
        throw new Error(`no command is called ${type}`);
    }
  }
  async function allocations(profile) {
    watched2.allocated(profile.head);
    await toSources(callsOf(profile.head), watched2.originsOf);
    return { type: "allocations", profile };
  }
  function ended(what) {
    running2.delete(what);
    if (running2.size === 0) close();
  }
  function close() {
    session?.disconnect();
    session = void 0;
  }
  return { obey, close };
}
function callsOf(head) {
  const calls = [head];
  for (const { children } of calls) calls.push(...children);
  return calls;
}
async function toSources(nodes, originsOf2) {
  const places3 = /* @__PURE__ */ new Map();
  const key = ({ name, line, column }) => `${name}:${line}:${column}`;
  const startOf = ({ callFrame: { url, lineNumber, columnNumber } }) => ({
    name: url,
    line: lineNumber + 1,
    column: columnNumber + 1
  });
  const own2 = nodes.filter(({ callFrame: { url } }) => url !== "" && !url.startsWith("node:"));
  for (const node of own2) {
    const start = startOf(node);
    places3.set(key(start), start);
    for (const { line } of node.positionTicks ?? []) {
      const place2 = { name: start.name, line, column: LAST_COLUMN };
      places3.set(key(place2), place2);
    }
  }
  const origins2 = await originsOf2([...places3.values()]);
  const found = new Map([...places3.keys()].map((place2, index) => [place2, origins2[index]]));
  for (const node of own2) {
    const start = startOf(node);
    const origin = found.get(key(start));
    if (!origin) continue;
    node.callFrame.url = origin.file;
    node.callFrame.lineNumber = origin.line - 1;
    node.callFrame.columnNumber = origin.column - 1;
    for (const tick of node.positionTicks ?? []) {
      const place2 = { name: start.name, line: tick.line, column: LAST_COLUMN };
      const line = tick.line === start.line ? origin.line : found.get(key(place2))?.line;
      tick.line = line ?? origin.line;
    }
  }
}
function toMainThread() {
  return connected((session) => session.connectToMainThread());
}
function toThisThread() {
  return connected((session) => session.connect());
}
function connected(connect) {
  const inspector = require("node:inspector");
  const session = new inspector.Session();
  connect(session);
  return {
    post: (method, params) => new Promise((resolve2, reject) => {
      session.post(method, params, (error, result) => {
        if (error) reject(error);
        else resolve2(result);
      });
    }),
    disconnect: () => session.disconnect()
  };
}

// src/report.js
var import_node_fs3 = __toESM(require("node:fs"), 1);

// src/threads.js
var import_node_fs2 = require("node:fs");
var import_node_worker_threads2 = require("node:worker_threads");
var TASKS = "/proc/self/task";
var SAMPLER = "v8:ProfEvntProc";
var POOL2 = /^libuv-worker/;
var STARTED = "plimsoll.threads";
var SERVES = 0;
var COUNT = 1;
var FIRST = 2;
var PLACES = 256;
function firstThreads(pool_size) {
  return {
    early: namesOf(TASKS).filter((task) => task !== `${process.pid}`),
    pool_size,
    started: startedThreads()
  };
}
function startedThreads() {
  const known3 = (
    /** @type {unknown} */
    (0, import_node_worker_threads2.getEnvironmentData)(STARTED)
  );
  if (!import_node_worker_threads2.isMainThread && known3 instanceof Int32Array) {
    const place2 = FIRST + Atomics.add(known3, COUNT, 1);
    if (place2 < PLACES) Atomics.store(known3, place2, Number(thisTask() ?? 0));
    return known3;
  }
  const started2 = new Int32Array(new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT));
  (0, import_node_worker_threads2.setEnvironmentData)(STARTED, started2);
  return started2;
}
function tellThatItServes(started2) {
  Atomics.store(started2, SERVES, 1);
}
function isServing(started2) {
  return Atomics.load(started2, SERVES) === 1;
}
function watchStarted(started2) {
  const last_ns = /* @__PURE__ */ new Map();
  return () => {
    for (const task of started2.subarray(FIRST)) {
      const ns = task === 0 ? null : taskTime_ns(`${TASKS}/${task}/schedstat`);
      if (ns !== null) last_ns.set(task, ns);
    }
    return [...last_ns.values()].reduce((sum, ns) => sum + ns, 0);
  };
}
function timesBeside(threads) {
  let before = /* @__PURE__ */ new Map();
  return {
    begin() {
      before = timesOfThreads(threads);
      return threadsBeside(before);
    },
    beside: () => threadsBeside(timesOfThreads(threads)),
    end() {
      const after = timesOfThreads(threads);
      const took = (kind) => tookBetween(kind, before, after);
      return {
        sampler_ns: took("sampler"),
        pool_ns: took("pool"),
        v8_ns: took("early"),
        apart: areApart(after)
      };
    }
  };
}
function timesOfThisThread() {
  let before = [];
  const beside = () => [Number(thisTask() ?? 0)].filter((task) => task > 0);
  return {
    begin() {
      before = ownTimes_ns();
      return beside();
    },
    beside,
    end() {
      const [ran_ns, queued_ns] = ownTimes_ns().map((ns, index) => ns - (before[index] ?? 0));
      return { started_thread: true, ran_ns, queued_ns };
    }
  };
}
function ownTimes_ns() {
  try {
    return (0, import_node_fs2.readFileSync)("/proc/thread-self/schedstat", "latin1").split(" ", 2).map(Number);
  } catch {
    return [];
  }
}
function timesOfThreads({ early, pool_size, started: started2 }) {
  const ours = (
    /** @type {string} */
    thisTask()
  );
  const found = /* @__PURE__ */ new Map();
  for (const task of namesOf(TASKS)) {
    if (task === ours || task === `${process.pid}`) continue;
    const ns = taskTime_ns(`${TASKS}/${task}/schedstat`);
    if (ns === null) continue;
    const name = nameOf2(task);
    const kind = kindOf2(task, name, early, started2);
    found.set(task, { kind, ns });
  }
  const others = [...found.values()].filter(({ kind }) => kind === "other");
  const pool_named = [...found.values()].some(({ kind }) => kind === "pool");
  if (!pool_named && others.length <= pool_size) for (const other of others) other.kind = "pool";
  return found;
}
function kindOf2(task, name, early, started2) {
  if (name === SAMPLER) return "sampler";
  if (started2.indexOf(Number(task), FIRST) >= 0) return "started";
  if (early.includes(task)) return "early";
  return POOL2.test(name) ? "pool" : "other";
}
function threadsBeside(found) {
  const known3 = [...found].filter(([, { kind }]) => kind === "early" || kind === "pool" || kind === "started").map(([task]) => task);
  const ours = thisTask();
  return (ours === void 0 ? known3 : [...known3, ours]).map(Number);
}
function areApart(found) {
  const taken = coresOf(process.pid);
  return threadsBeside(found).every((task) => (coresOf(task) & taken) === 0n) && taken !== 0n;
}
function tookBetween(kind, before, after) {
  const of_kind = [...after].filter(([, task]) => task.kind === kind);
  if (of_kind.length === 0) return null;
  return of_kind.reduce((sum, [name, { ns }]) => sum + ns - (before.get(name)?.ns ?? 0), 0);
}
function taskTime_ns(path) {
  try {
    return Number((0, import_node_fs2.readFileSync)(path, "latin1").split(" ")[0]);
  } catch {
    return null;
  }
}
function coresOf(task) {
  try {
    const [, mask = "0"] = /^Cpus_allowed:\s*([\da-f,]+)$/m.exec((0, import_node_fs2.readFileSync)(`${TASKS}/${task}/status`, "latin1")) ?? [];
    return BigInt(`0x${mask.replaceAll(",", "")}`);
  } catch {
    return 0n;
  }
}
function namesOf(directory) {
  try {
    return (0, import_node_fs2.readdirSync)(directory);
  } catch {
    return [];
  }
}
function nameOf2(task) {
  try {
    return (0, import_node_fs2.readFileSync)(`${TASKS}/${task}/comm`, "latin1").trim();
  } catch {
    return "";
  }
}
function thisTask() {
  try {
    return (0, import_node_fs2.readlinkSync)("/proc/thread-self").split("/").pop();
  } catch {
    return void 0;
  }
}

// src/report.js
var CANARY_MS = 250;
var CHILDREN_AT = 13;
var TICK_NS = 1e7;
var ORIGIN_AT = placesOf(UPSTREAM);
function createReport({ table: table3, counters: counters2, armed_ms, pid, thread_id, started: started2 }) {
  const started_ns = watchStarted(started2);
  const origins2 = [];
  const pools2 = [];
  const pool = { canaries: 0, wait_ns: 0, longest_wait_ns: 0, asked_ms: 0 };
  const value = (at) => table3[at] ?? 0;
  const whole = (name) => Math.round(value(AT[name]));
  function tally(at) {
    return Object.fromEntries(TALLY.map((name, index) => [name, Math.round(value(at + index))]));
  }
  function listed(most, placeAt, names, many, ns, known3) {
    const places3 = placesOf(
      /** @type {readonly string[]} */
      names
    );
    const of = { many: places3[many] ?? 0, ns: places3[ns] ?? 0, changed_ms: places3.changed_ms ?? 0 };
    const found = [];
    for (let index = 0; index < most; index += 1) {
      const at = placeAt(index);
      if (value(at) === 0) continue;
      const { changed_ms: _, ...figures } = Object.fromEntries(
        names.map((name, field) => [name, value(at + field)])
      );
      const integral_ns = Math.round(integralAt(table3, at, of, now_ms()));
      found.push({ ...known3(index), ...figures, [ns]: integral_ns });
    }
    return found;
  }
  function upstream() {
    const found = listed(ORIGINS_MAX, originAt, UPSTREAM, "active", "active_ns", (index) => {
      const { origin = "", client = "" } = origins2[index] ?? {};
      return { origin, client };
    });
    for (let index = 0; index < ORIGINS_MAX; index += 1) {
      const at = originAt(index);
      table3[at + ORIGIN_AT.active_peak] = value(at + ORIGIN_AT.active);
    }
    return found;
  }
  function connectionPools() {
    return listed(POOLS_MAX, poolAt, POOL, "waiting", "waiting_ns", (index) => {
      const { name = "", size = 0 } = pools2[index] ?? {};
      return { name, size };
    });
  }
  function collections2(kind) {
    return { count: whole(`${kind}_count`), ns: whole(`${kind}_ns`) };
  }
  function sites() {
    const found = [];
    for (let id = 0; id < SITES_MAX; id += 1) {
      const at = siteAt(id);
      if (value(at) === 0) continue;
      const kept2 = value(at + KEPT);
      table3[at + KEPT] = 0;
      found.push({ id, ...tally(at), ...kept2 > 0 ? { kept: kept2 } : {} });
    }
    return found;
  }
  function traced() {
    const found = [];
    for (let id = 0; id < SITES_MAX; id += 1) {
      const at = tracedAt(id);
      if (value(at) === 0) continue;
      found.push({ id, ...Object.fromEntries(TRACED.map((name, field) => [name, value(at + field)])) });
    }
    return {
      requests: whole("traced"),
      cut: whole("traced_cut"),
      kinds: whole("traced_kinds"),
      ns: whole("traced_ns"),
      calls: whole("traced_calls"),
      waited_ns: whole("traced_waited_ns"),
      repeated: whole("traced_repeated"),
      repeated_ns: whole("traced_repeated_ns"),
      shared: whole("traced_shared"),
      shared_ns: whole("traced_shared_ns"),
      connections: whole("traced_connections"),
      connecting_ns: whole("traced_connecting_ns"),
      series: whole("traced_series"),
      series_ns: whole("traced_series_ns"),
      sites: found
    };
  }
  function message() {
    const now = now_ms();
    const low_bytes = whole("low_bytes") || null;
    table3[AT.low_bytes] = 0;
    const connections_peak = whole("connections_peak");
    table3[AT.connections_peak] = value(AT.connections_open);
    return {
      type: "counters",
      unix_ms: performance.timeOrigin + performance.now(),
      since_ms: now - armed_ms,
      counters: counters2.map(({ name, kind }, index) => ({ name, kind, at: counterAt(index) })).filter(({ at }) => value(at) > 0).map(({ name, kind, at }) => ({ name, kind, ...tally(at) })),
      sites: sites(),
      requests: {
        started: whole("requests_started"),
        followed: whole("followed"),
        followed_ns: whole("followed_ns"),
        connections: whole("connections"),
        connections_peak,
        handshakes_full: whole("handshakes_full"),
        handshakes_resumed: whole("handshakes_resumed"),
        messages: whole("messages"),
        messages_sent: whole("messages_sent"),
        messages_compressed: whole("messages_compressed")
      },
      responses: {
        sampled: whole("looked_sampled"),
        get: whole("looked_get"),
        body_bytes: whole("looked_body_bytes"),
        compressible: whole("looked_compressible"),
        compressible_bytes: whole("looked_compressible_bytes"),
        accepts_encoding: whole("looked_accepts_encoding"),
        compressed: whole("looked_compressed"),
        etag: whole("looked_etag"),
        conditional: whole("looked_conditional"),
        not_modified: whole("looked_not_modified"),
        connection_close: whole("looked_connection_close")
      },
      upstream: upstream(),
      pools: connectionPools(),
      traced: traced(),
      loop: {
        beats: whole("beats"),
        active_ns: whole("loop_active_ns"),
        idle_ns: whole("loop_idle_ns"),
        delay_ns: whole("delay_ns"),
        longest_delay_ns: whole("longest_delay_ns"),
        beat_age_ns: Math.round(Math.max(now - value(AT.beat_ms), 0) * 1e6),
        delays: [...DELAY_BOUNDS_MS.map((bound) => bound * 1e6), null].map((bound_ns, index) => [bound_ns, value(DELAYS + index)]).filter(([, count2]) => count2 !== 0)
      },
      gc: {
        minor: collections2("minor"),
        major: collections2("major"),
        incremental: collections2("incremental"),
        weak: collections2("weak")
      },
      memory: {
        rss_bytes: process.memoryUsage.rss(),
        heap_used_bytes: whole("heap_used_bytes"),
        heap_total_bytes: whole("heap_total_bytes"),
        external_bytes: whole("external_bytes"),
        array_buffers_bytes: whole("array_buffers_bytes"),
        low_bytes,
        after_major_bytes: whole("after_major_bytes") || null,
        after_major_count: whole("after_major_count")
      },
      pool: {
        canaries: pool.canaries,
        wait_ns: Math.round(pool.wait_ns),
        longest_wait_ns: Math.round(pool.longest_wait_ns),
        pending_ns: pool.asked_ms === 0 ? 0 : Math.round((performance.now() - pool.asked_ms) * 1e6)
      },
      cpu: cpu(pid, thread_id, started_ns())
    };
  }
  function watchPool() {
    setInterval(() => {
      if (pool.asked_ms !== 0) return;
      pool.asked_ms = performance.now();
      import_node_fs3.default.access("/", () => {
        const wait_ns = (performance.now() - pool.asked_ms) * 1e6;
        pool.asked_ms = 0;
        pool.canaries += 1;
        pool.wait_ns += wait_ns;
        pool.longest_wait_ns = Math.max(pool.longest_wait_ns, wait_ns);
      });
    }, CANARY_MS);
  }
  return { message, origins: origins2, pools: pools2, watchPool };
}
function cpu(pid, thread_id, started_ns) {
  const { user, system } = process.cpuUsage();
  return {
    process_ns: (user + system) * 1e3,
    children_ns: childrenTime_ns(),
    // The first thread of a process has its number.
    thread_ns: thread_id === 0 ? taskTime_ns(`/proc/self/task/${pid}/schedstat`) : null,
    started_ns,
    probe_thread_ns: taskTime_ns("/proc/thread-self/schedstat")
  };
}
function childrenTime_ns() {
  try {
    const text = import_node_fs3.default.readFileSync("/proc/self/stat", "latin1");
    const figures = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(figures[CHILDREN_AT]) + Number(figures[CHILDREN_AT + 1]);
    return Number.isFinite(ticks) ? ticks * TICK_NS : null;
  } catch {
    return null;
  }
}

// src/ship.js
var RETRY_MS = 250;
var GIVE_UP_MS = 1e4;
var WORKING_MS = 500;
var ORIGINS_MS = 3e3;
var UNREAD_BYTES_MAX = 8 << 20;
var COLLECT_MS = 1500;
function ship({ settings, table: table3, counters: counters2, exit_waits, armed_ms, hello: hello2, labels: labels3, threads }) {
  const counting2 = settings.mode === "counters";
  const wrapped2 = counters2.map(({ name }) => name);
  const known3 = [{ ...hello2, wrapped: wrapped2 }];
  const { pid, thread_id } = hello2;
  const report = createReport({ table: table3, counters: counters2, armed_ms, pid, thread_id, started: threads.started });
  const script = (0, import_node_url5.pathToFileURL)(__filename).href;
  let layers3 = [];
  const profiler = createProfiler(toMainThread, {
    times: timesBeside(threads),
    originsOf: originsOf2,
    started: () => import_node_worker_threads3.parentPort?.postMessage({ type: "start_labels" }),
    // The reply comes before that to the next question.
    stopped: () => import_node_worker_threads3.parentPort?.postMessage({ type: "stop_labels" }),
    allocated: (head) => leaveOutOfAllocations(head, __filename),
    labelled: (profile) => labels3 ? label(profile, labels3, layers3, script) : profile
  });
  let socket;
  let lost_ms = performance.now();
  let resolveOrigins;
  let resolveCollected;
  connect();
  import_node_worker_threads3.parentPort?.on("message", (note2) => {
    if (note2.type === "exit") goodbye(note2.code);
    else if (note2.type === "counter") counters2[note2.index] = note2;
    else if (note2.type === "origins") resolveOrigins?.(note2.origins);
    else if (note2.type === "collected") resolveCollected?.();
    else if (note2.type === "kept") send({ ...note2, probe_bytes: ownMemory() });
    else if (note2.type === "error" || note2.type === "loop_delays") send(note2);
    else if (note2.type === "layers") layers3 = note2.layers;
    else if (note2.type === "origin") report.origins[note2.index] = note2;
    else if (note2.type === "pool") report.pools[note2.index] = note2;
    else {
      known3.push(note2);
      send(note2);
    }
  });
  setInterval(() => {
    if (counting2 && (socket?.writableLength ?? 0) < UNREAD_BYTES_MAX) send(report.message());
  }, settings.report_interval_ms);
  if (counting2) report.watchPool();
  function connect() {
    const attempt = import_node_net4.default.connect(settings.socket);
    attempt.on("error", () => {
    });
    attempt.on("connect", () => {
      socket = attempt;
      Atomics.store(exit_waits, 0, 1);
      for (const message of known3) send(message);
    });
    attempt.on("close", () => {
      if (socket === attempt) {
        socket = void 0;
        lost_ms = performance.now();
        Atomics.store(exit_waits, 0, 0);
      }
      if (performance.now() - lost_ms > GIVE_UP_MS) process.exit(0);
      setTimeout(connect, RETRY_MS);
    });
    readLines(attempt, (line) => obey(line));
  }
  function send(message, sent2) {
    socket?.write(`${JSON.stringify(message)}
`, sent2);
  }
  async function originsOf2(places3) {
    const responded = new Promise((resolve2) => {
      resolveOrigins = resolve2;
    });
    import_node_worker_threads3.parentPort?.postMessage({ type: "origins", places: places3 });
    const waited = new Promise((resolve2) => setTimeout(resolve2, ORIGINS_MS, []));
    return Promise.race([responded, waited]);
  }
  async function collected() {
    const done = new Promise((resolve2) => {
      resolveCollected = resolve2;
    });
    import_node_worker_threads3.parentPort?.postMessage({ type: "collect" });
    await Promise.race([done, new Promise((resolve2) => setTimeout(resolve2, COLLECT_MS))]);
  }
  function ownMemory() {
    const { heapTotal, external } = process.memoryUsage();
    return heapTotal + external;
  }
  function goodbye(code) {
    if (counting2) send(report.message());
    else profiler.close();
    send({ type: "bye", code }, () => {
      Atomics.store(exit_waits, 0, 0);
      Atomics.notify(exit_waits, 0);
    });
  }
  async function obey(line) {
    let command;
    let working;
    try {
      command = JSON.parse(line);
      if (!counting2) working = setInterval(() => send({ type: "working", id: command.id }), WORKING_MS);
      if (command.type === "collect" && counting2) await collected();
      if (command.type === "list_routes" && settings.mode === "routes") {
        import_node_worker_threads3.parentPort?.postMessage({ type: "list_routes" });
      } else if (command.type === "collect" && settings.mode === "memory") {
        import_node_worker_threads3.parentPort?.postMessage({ type: "kept", id: command.id });
      } else if (["collect", "report"].includes(command.type) && counting2) send(report.message());
      else if (counting2) throw new Error(`${command.type} is not for mode counters`);
      else send({ ...await profiler.obey(command), id: command.id });
    } catch (error) {
      send({
        type: "error",
        id: command?.id ?? null,
        message: String(
          /** @type {any} */
          error?.message ?? error
        )
      });
    } finally {
      clearInterval(working);
    }
  }
}

// src/started.js
var import_node_net5 = __toESM(require("node:net"), 1);
var import_node_url6 = require("node:url");
var AGE_MIN_MS = 300;
function profileThisThread(path, hello2, started2) {
  const looking = setInterval(() => {
    if (!isServing(started2)) return;
    clearInterval(looking);
    quietly(() => begin2(path, hello2));
  }, AGE_MIN_MS);
  looking.unref();
}
function begin2(path, hello2) {
  const script = (0, import_node_url6.pathToFileURL)(__filename).href;
  const profiler = createProfiler(toThisThread, {
    times: timesOfThisThread(),
    originsOf: async (places3) => originsOf(places3),
    started: () => {
    },
    stopped: () => {
    },
    allocated: (head) => leaveOutOfAllocations(head, __filename),
    labelled: (profile) => leaveOutOfProfile(profile, script)
  });
  const socket = import_node_net5.default.connect(path);
  socket.unref();
  socket.on("error", () => {
  });
  socket.on("close", () => quietly(profiler.close));
  const send = (message) => socket.write(`${JSON.stringify(message)}
`);
  socket.on("connect", () => send(hello2));
  readLines(socket, (line) => quietly(() => obey(JSON.parse(line))));
  async function obey(command) {
    try {
      if (command.type === "collect") send(kept(command.id ?? 0));
      else send({ ...await profiler.obey(command), id: command.id });
    } catch (error) {
      send({ type: "error", id: command.id, message: String(
        /** @type {any} */
        error?.message ?? error
      ) });
    }
  }
}

// src/upstream.js
var AT3 = placesOf(UPSTREAM);
var ACTIVE = { many: AT3.active, ns: AT3.active_ns, changed_ms: AT3.changed_ms };
var REPEATED_MS = 1e3;
var URLS_MAX2 = 1e3;
var origins = /* @__PURE__ */ new Map();
var asked_ms = /* @__PURE__ */ new Map();
var used = /* @__PURE__ */ new WeakSet();
function watchUpstream() {
  watchHttp();
  watchUndici();
}
function watchHttp() {
  const calls = /* @__PURE__ */ new WeakMap();
  on("http.client.request.start", ({ request }) => {
    const origin = `${request.protocol}//${request.getHeader("host") ?? request.host}`;
    const at = place(origin, "http");
    const call = begin3(at, request.method, origin + request.path, () => varyingOfHttp(request));
    if (call !== void 0) {
      calls.set(request, call);
      quietly(() => watchConnecting(request, call));
    }
    request.once("close", () => {
      end2(at, request.res ? AT3.answered : AT3.failed);
      if (call?.opened || opens(request)) state.table[at + AT3.connections] += 1;
      if (call === void 0 || call.to_ms !== 0) return;
      call.to_ms = thread_ms();
      call.failed = true;
    });
  });
  on("http.client.response.finish", ({ request, response }) => {
    const call = tracing.on ? calls.get(request) : void 0;
    if (call === void 0) return;
    call.failed = hasFailed(response.statusCode);
    response.once("end", () => {
      call.to_ms = thread_ms();
    });
  });
}
function opens({ reusedSocket, socket }) {
  if (reusedSocket || !socket || used.has(socket)) return false;
  used.add(socket);
  return true;
}
function watchConnecting(request, call) {
  const watch = (socket) => {
    call.opened = opens(request);
    if (!socket.connecting) return;
    socket.once("encrypted" in socket ? "secureConnect" : "connect", () => {
      call.connected_ms = thread_ms();
    });
  };
  if (request.socket) watch(request.socket);
  else request.once("socket", watch);
}
function watchUndici() {
  const open2 = /* @__PURE__ */ new WeakMap();
  on("undici:request:create", ({ request }) => {
    const at = place(String(request.origin), "undici");
    const call = begin3(at, request.method, request.origin + request.path, () => varyingOfUndici(request));
    open2.set(request, { at, call });
  });
  on("undici:request:headers", ({ request, response }) => {
    const call = tracing.on ? open2.get(request)?.call : void 0;
    if (call !== void 0) call.failed = hasFailed(response.statusCode);
  });
  const ended = (outcome) => ({ request }) => {
    const found = open2.get(request);
    if (found === void 0) return;
    open2.delete(request);
    end2(found.at, outcome);
    if (found.call === void 0) return;
    found.call.to_ms = thread_ms();
    if (outcome === AT3.failed) found.call.failed = true;
  };
  on("undici:request:trailers", ended(AT3.answered));
  on("undici:request:error", ended(AT3.failed));
  on("undici:client:connected", ({ connectParams: { protocol, host } }) => {
    state.table[place(`${protocol}//${host}`, "undici") + AT3.connections] += 1;
    callConnected();
  });
}
function hasFailed(status) {
  return status === void 0 || status >= 500 || status === 429;
}
var VARYING = ["authorization", "cookie", "accept", "accept-language", "range", "x-api-key"];
function varyingOfHttp(request) {
  return VARYING.map((name) => request.getHeader(name) ?? "").join("\n");
}
function varyingOfUndici({ headers = [] }) {
  const lines = typeof headers === "string" ? headers.split("\r\n").map((line) => line.split(": ")) : headers.flatMap((name, index) => index % 2 === 0 ? [[name, headers[index + 1]]] : []);
  return lines.filter(([name]) => VARYING.includes(String(name).toLowerCase())).map(String).join("\n");
}
function place(origin, client) {
  const key = `${client} ${origin}`;
  const known3 = origins.get(key);
  if (known3 !== void 0) return known3;
  const full = origins.size >= ORIGINS_MAX - 1;
  if (full) return originAt(ORIGINS_MAX - 1);
  const at = originAt(origins.size);
  state.tell({ type: "origin", index: origins.size, origin, client });
  origins.set(key, at);
  return at;
}
function activeBecomes(at, change) {
  manyBecome(state.table, at, ACTIVE, change);
}
function begin3(at, method, url, varying) {
  activeBecomes(at, 1);
  state.table[at + AT3.active_peak] = Math.max(
    state.table[at + AT3.active_peak] ?? 0,
    state.table[at + AT3.active] ?? 0
  );
  state.table[at + AT3.requests] += 1;
  tracing.calls_seen = true;
  const recent = method === "GET" && isAskedAgain(url);
  if (recent) state.table[at + AT3.repeated] += 1;
  return tracing.on ? callBegins(method, url, varying(), recent) : void 0;
}
function isAskedAgain(url) {
  const now = thread_ms();
  const before = asked_ms.get(url);
  if (before !== void 0) asked_ms.delete(url);
  asked_ms.set(url, now);
  if (asked_ms.size > URLS_MAX2) asked_ms.delete(
    /** @type {string} */
    asked_ms.keys().next().value
  );
  return before !== void 0 && now - before < REPEATED_MS;
}
function end2(at, outcome) {
  activeBecomes(at, -1);
  state.table[at + outcome] += 1;
}

// src/without/calls.js
var import_node_fs4 = __toESM(require("node:fs"), 1);

// src/without/removals.js
var MIDDLEWARE = "middleware:";
var TOLD_MAX2 = 256;
var wanted = [];
var untold = [];
var told2 = 0;
function leaveOut2(names) {
  wanted = names;
}
function announce() {
  const notes = untold ?? [];
  untold = void 0;
  for (const note2 of notes) state.tell(note2);
}
function isWanted(name) {
  return wanted.includes(name);
}
function removable(name) {
  const removal = { name, place: null, out: isWanted(name), was_met: false };
  tell({ type: "removable", name, place: null, guards: false });
  return removal;
}
function removableMiddleware(name, run) {
  const place2 = placeOfCaller(FRAMEWORKS);
  const full = `${MIDDLEWARE}${name || "anonymous"}`;
  const guards2 = isGuard(name, run);
  const out = !guards2 && (isWanted(full) || isWantedBy(place2));
  tell({ type: "removable", name: full, place: place2, guards: guards2 });
  return { name: full, place: place2, out, was_met: false };
}
function tellGuard(name) {
  tell({ type: "removable", name: `${MIDDLEWARE}${name || "anonymous"}`, place: null, guards: true });
}
function met(removal) {
  if (removal.was_met) return;
  removal.was_met = true;
  tell({ type: "removed", name: removal.name, place: removal.place });
}
function isWantedBy(place2) {
  if (place2 === null) return false;
  const here = `/${place2.file}:${place2.line}`.replaceAll("\\", "/");
  return wanted.some(
    (name) => name.startsWith(MIDDLEWARE) && here.endsWith(`/${name.slice(MIDDLEWARE.length)}`)
  );
}
function tell(note2) {
  told2 += 1;
  if (told2 > TOLD_MAX2) return;
  if (untold === void 0) state.tell(note2);
  else untold.push(note2);
}

// src/without/calls.js
var LOG = "log";
var SYNC_READ = "sync-read";
var CONSTRUCTION = "construction";
var READS2 = [
  "accessSync",
  "existsSync",
  "lstatSync",
  "readFileSync",
  "readdirSync",
  "realpathSync",
  "statSync"
];
var COMPILERS = (
  /** @type {Record<string, string[]>} */
  {
    ajv: ["prototype.compile"],
    dot: ["template", "compile"],
    ejs: ["compile"],
    eta: ["Eta.prototype.compile"],
    handlebars: ["compile", "precompile"],
    lodash: ["template"],
    mustache: ["parse"],
    nunjucks: ["compile"],
    pug: ["compile"],
    underscore: ["template"]
  }
);
var KEPT_MAX = 1e4;
var removals = {};
var seen7 = /* @__PURE__ */ new WeakSet();
function removalOf(name) {
  removals[name] ??= removable(name);
  return (
    /** @type {Removal} */
    removals[name]
  );
}
function leaveOutCalls() {
  if (isWanted(LOG)) {
    const removal = removalOf(LOG);
    for (const key of CONSOLE_METHODS) replace(console, key, (log2) => silent(removal, log2));
    replace(import_node_fs4.default, "writeSync", writesElsewhere);
  }
  if (isWanted(SYNC_READ)) for (const key of READS2) replace(import_node_fs4.default, key, (read) => once(SYNC_READ, read));
  if (isWanted(CONSTRUCTION))
    for (const part of [keepFormatters, keepCollators, keepExpressions]) quietly(part);
}
function leaveOutStreams() {
  if (!isWanted(LOG)) return;
  for (
    const name of
    /** @type {const} */
    ["stdout", "stderr"]
  ) {
    Object.defineProperty(process[name], "write", { value: written, configurable: true, writable: true });
  }
}
function written(...args) {
  met(removalOf(LOG));
  const done = args.findLast((arg) => typeof arg === "function");
  if (done) process.nextTick(done);
  return true;
}
function silent(removal, original) {
  return {
    /** @this {unknown} @param {any[]} args */
    log(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      met(removal);
    }
  }.log;
}
function writesElsewhere(original) {
  return {
    /** @this {unknown} @param {any[]} args */
    writeSync(...args) {
      if (!state.on || args[0] !== 1 && args[0] !== 2) return Reflect.apply(original, this, args);
      met(removalOf(LOG));
      return typeof args[1] === "string" ? Buffer.byteLength(args[1]) : args[1]?.byteLength ?? 0;
    }
  }.writeSync;
}
function changedCalls(file, exports2) {
  const name = packageOf(file) ?? file;
  if (!exports2 || seen7.has(exports2)) return exports2;
  if (name === "pino" && typeof exports2 === "function" && isWanted(LOG)) return silentPino(exports2);
  if (name === "winston" && typeof exports2.createLogger === "function" && isWanted(LOG))
    silentWinston(exports2);
  const compilers = isWanted(CONSTRUCTION) ? COMPILERS[name] : void 0;
  if (compilers && (typeof exports2 === "function" || typeof exports2 === "object")) {
    seen7.add(exports2);
    for (const path of compilers) quietly(() => keepCompiled(exports2, path));
  }
  return exports2;
}
function silentPino(pino) {
  const removal = removalOf(LOG);
  const made4 = (...args) => {
    const logger = pino(...args);
    quietly(() => {
      logger.level = "silent";
      met(removal);
    });
    return logger;
  };
  const quiet = Object.defineProperties(made4, Object.getOwnPropertyDescriptors(pino));
  for (const key of ["pino", "default"])
    if (pino[key] === pino) quietly(() => Reflect.set(quiet, key, quiet));
  seen7.add(quiet);
  return quiet;
}
function silentWinston(winston) {
  seen7.add(winston);
  const removal = removalOf(LOG);
  replace(winston, "createLogger", (create) => {
    return {
      /** @this {unknown} @param {any[]} args */
      createLogger(...args) {
        const logger = Reflect.apply(create, this, args);
        quietly(() => {
          for (const key of ["log", ...Object.keys(logger.levels ?? {})]) {
            if (typeof logger[key] === "function") logger[key] = silentMethod(removal, logger, logger[key]);
          }
        });
        return logger;
      }
    }.createLogger;
  });
}
function silentMethod(removal, logger, original) {
  return (...args) => {
    if (!state.on) return Reflect.apply(original, logger, args);
    met(removal);
    return logger;
  };
}
function keepCompiled(exports2, path) {
  const [named, key] = memberOf(exports2, path);
  let owner = named;
  while (owner && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner);
  if (!owner || seen7.has(owner[key])) return;
  replace(owner, key, (compile) => once(CONSTRUCTION, compile));
  seen7.add(owner[key]);
}
function keepFormatters() {
  for (const key of FORMATTERS) {
    const Formatter = Reflect.get(Intl, key);
    if (typeof Formatter === "function") keepMade(Intl, key, Formatter, () => true);
  }
}
function keepCollators() {
  const { Collator } = Intl;
  replace(String.prototype, "localeCompare", (original) => {
    return {
      /** @this {unknown} @param {any[]} args */
      wrapper(...args) {
        const [other, locales, options] = args;
        if (this === void 0 || this === null || options === void 0)
          return Reflect.apply(original, this, args);
        return new Collator(locales, options).compare(String(this), String(other));
      }
    }.wrapper;
  });
}
function keepExpressions() {
  keepMade(
    globalThis,
    "RegExp",
    RegExp,
    (pattern, flags) => typeof pattern === "string" && (flags === void 0 || remembersNothing(flags))
  );
}
function keepMade(owner, key, Original, isAlike) {
  const kept2 = once(CONSTRUCTION, (...args) => Reflect.construct(Original, args));
  function Made(first, second) {
    const plain = new.target === void 0 || new.target === Made;
    if (plain && isAlike(first, second)) return second === void 0 ? kept2(first) : kept2(first, second);
    if (new.target === void 0) return Reflect.apply(Original, void 0, [first, second]);
    return Reflect.construct(Original, [first, second], plain ? Original : new.target);
  }
  Object.setPrototypeOf(Made, Original);
  Made.prototype = Original.prototype;
  for (const name of ["name", "length"])
    Object.defineProperty(Made, name, { value: Original[name], configurable: true });
  Object.defineProperty(owner, key, { value: Made, configurable: true, writable: true });
}
function remembersNothing(flags) {
  return typeof flags === "string" && !flags.includes("g") && !flags.includes("y");
}
function once(name, original) {
  const removal = removalOf(name);
  const all = [];
  let left2 = KEPT_MAX;
  return {
    /** @this {unknown} @param {any[]} args */
    once(...args) {
      if (!state.on) return Reflect.apply(original, this, args);
      const { length } = args;
      const texts = textsBefore(args);
      const of_texts = texts === length && length > 0;
      const key = of_texts ? args[length - 1] : keyOf2(texts > 0 ? args.slice(texts) : args);
      if (key === void 0) return Reflect.apply(original, this, args);
      const alike = all[length] ?? [];
      let kept2 = alike[texts];
      if (kept2 === void 0) {
        kept2 = /* @__PURE__ */ new Map();
        alike[texts] = kept2;
        all[length] = alike;
      }
      const levels = of_texts ? length - 1 : texts;
      for (let index = 0; index < levels; index += 1) kept2 = below(kept2, args[index]);
      const before = kept2.get(key);
      if (before !== void 0) {
        met(removal);
        return own(before);
      }
      const result = Reflect.apply(original, this, args);
      if (result !== void 0 && left2 > 0) {
        left2 -= 1;
        kept2.set(key, own(result));
      }
      return result;
    }
  }.once;
}
function textsBefore(args) {
  let texts = 0;
  while (texts < args.length && typeof args[texts] === "string") texts += 1;
  return texts;
}
function below(map, key) {
  const known3 = map.get(key);
  if (known3 !== void 0) return known3;
  const made4 = /* @__PURE__ */ new Map();
  if (map.size < KEPT_MAX) map.set(key, made4);
  return made4;
}
function own(result) {
  return Buffer.isBuffer(result) ? Buffer.from(result) : result;
}
function keyOf2(args) {
  const flat = flatKeyOf(args);
  if (flat !== void 0) return flat;
  try {
    return JSON.stringify(args, (_, value) => {
      if (typeof value === "function" || typeof value === "symbol") throw new TypeError("not comparable");
      return value instanceof RegExp || value instanceof URL ? String(value) : value;
    });
  } catch {
    return void 0;
  }
}
function flatKeyOf(args) {
  let key = "";
  for (const arg of args) {
    if (typeof arg !== "object" || arg === null) {
      if (!isFlat(arg)) return void 0;
      key += `\0${typeof arg} ${arg}`;
      continue;
    }
    const prototype = Object.getPrototypeOf(arg);
    if (prototype !== Object.prototype && prototype !== null) return void 0;
    key += "\0{";
    for (const name of Object.keys(arg)) {
      if (!isFlat(arg[name])) return void 0;
      key += `\0${name}\0${typeof arg[name]} ${arg[name]}`;
    }
    key += "}";
  }
  return key;
}
function isFlat(value) {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === void 0;
}

// src/without/contents.js
var import_node_crypto2 = require("node:crypto");
var RESPONSES = 64;
var left = RESPONSES;
var ends = [];
function watchContents() {
  ends.push(
    on("http.server.request.start", ({ request, response }) => {
      look5(`${request.method} ${request.url}`, response, () => response.statusCode);
    })
  );
}
function watchStreams(server) {
  ends.push(
    onStreams(server, (stream, headers) => {
      const status = () => Number(stream.sentHeaders?.[":status"]);
      quietly(() => look5(`${headers[":method"]} ${headers[":path"]}`, stream, status));
    })
  );
}
function look5(request, response, status) {
  left -= 1;
  if (left === 0) for (const end3 of ends) end3();
  if (left >= 0) follow2(request, response, status);
}
function follow2(request, response, status) {
  const hash2 = (0, import_node_crypto2.createHash)("sha256");
  let bytes = 0;
  const take2 = (chunk, encoding) => {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) return;
    const part = typeof chunk === "string" ? Buffer.from(chunk, encodingOf(encoding)) : chunk;
    bytes += part.byteLength;
    hash2.update(part);
  };
  for (
    const name of
    /** @type {const} */
    ["write", "end"]
  ) {
    const original = response[name];
    const value = {
      /** @this {Response} @param {any[]} args */
      wrapper(...args) {
        quietly(() => take2(args[0], args[1]));
        return Reflect.apply(original, this, args);
      }
    }.wrapper;
    Object.defineProperty(response, name, {
      value: disguised(value, original),
      writable: true,
      configurable: true
    });
  }
  response.once("finish", () => {
    quietly(() => {
      const asked3 = short((0, import_node_crypto2.createHash)("sha256").update(request));
      state.tell({ type: "content", request: asked3, status: status(), content: short(hash2), bytes });
    });
  });
}
function encodingOf(encoding) {
  return typeof encoding === "string" && Buffer.isEncoding(encoding) ? encoding : "utf8";
}
function short(hash2) {
  return hash2.digest("hex").slice(0, 16);
}

// src/without/responses.js
var COMPRESSION = "compression";
var ETAG = "etag";
var seen8 = /* @__PURE__ */ new WeakSet();
function leaveOutCompression() {
  if (!isWanted(COMPRESSION)) return;
  const removal = removable(COMPRESSION);
  on("http.server.request.start", ({ request }) => {
    if (request.headers["accept-encoding"] === void 0) return;
    delete request.headers["accept-encoding"];
    met(removal);
  });
}
function leaveOutCompressionOfStreams(server) {
  if (!isWanted(COMPRESSION)) return;
  const removal = removable(COMPRESSION);
  onStreams(server, (_, headers) => {
    if (headers["accept-encoding"] === void 0) return;
    delete headers["accept-encoding"];
    met(removal);
  });
}
var COMPRESSORS = /* @__PURE__ */ new Map([
  ["compression", (removal) => passes(removal, 2)],
  ["koa-compress", (removal) => passes(removal, 1)]
]);
function passes(removal, next_at) {
  return (...args) => {
    met(removal);
    return args[next_at]();
  };
}
function changedCompressor(file, exports2) {
  const pass = isWanted(COMPRESSION) && typeof exports2 === "function" && COMPRESSORS.get(packageOf(file) ?? "");
  if (!pass) return exports2;
  const removal = removable(COMPRESSION);
  const made4 = () => pass(removal);
  return Object.defineProperties(made4, Object.getOwnPropertyDescriptors(exports2));
}
function changedResponses(file, exports2) {
  if (!isWanted(ETAG) || packageOf(file) !== "express" || typeof exports2?.application?.set !== "function")
    return;
  if (seen8.has(exports2)) return;
  seen8.add(exports2);
  const removal = removable(ETAG);
  replace(exports2.application, "defaultConfiguration", (original) => {
    return {
      /** @this {any} @param {any[]} args */
      defaultConfiguration(...args) {
        const result = Reflect.apply(original, this, args);
        this.set("etag", false);
        met(removal);
        return result;
      }
    }.defaultConfiguration;
  });
}

// src/without.js
function without(names) {
  leaveOut2(names);
  for (const part of [leaveOutCalls, leaveOutCompression]) quietly(part);
  watchFrameworks(passedOver);
  quietly(() => {
    onLoaded((file, exports2) => {
      changedResponses(file, exports2);
      return changedCompressor(file, changedCalls(file, exports2));
    });
  });
}
function serving() {
  quietly(leaveOutStreams);
  quietly(announce);
  quietly(watchContents);
}
function listening2(server) {
  quietly(() => leaveOutCompressionOfStreams(server));
  quietly(() => watchStreams(server));
}
function passedOver(kind, name, run) {
  if (kind === "guard") tellGuard(name);
  if (kind !== "middleware" && kind !== "hook") return void 0;
  const removal = removableMiddleware(name, run);
  if (!removal.out) return void 0;
  return (_, __, args) => {
    met(removal);
    return args.at(-1)();
  };
}

// src/probe.js
var MARK = "plimsoll.probe/1";
var GOODBYE_MS = 100;
if (import_node_worker_threads4.workerData?.protocol === MARK) {
  ship(import_node_worker_threads4.workerData);
} else {
  const settings = readSettings(process.env.PLIMSOLL_PROBE);
  if (settings) quietly(() => preload(settings));
}
function preload(settings) {
  state.refuse = (error) => refuse(settings.socket, error);
  const reason = unfit();
  if (reason !== void 0) {
    state.refuse(reason);
    return;
  }
  state.stacks_per_s = settings.stacks_per_s;
  state.trace_pauses = settings.trace_pauses;
  const counting2 = settings.mode === "counters";
  if (counting2) {
    const parts = [
      wrapJson,
      wrapFiles,
      wrapConsole,
      wrapCrypto,
      wrapZlib,
      wrapOthers,
      wrapModules,
      wrapConstructions,
      watchPools,
      watchMessages,
      watchKept,
      wrapMade
    ];
    for (const part of parts) quietly(part);
  }
  if (settings.mode === "without") quietly(() => without(settings.without));
  if (settings.mode === "routes") quietly(watchRoutes);
  const threads = firstThreads(threadpoolSize());
  if (settings.mode === "profile" || settings.mode === "memory") {
    if (!import_node_worker_threads4.isMainThread) {
      if (import_node_worker_threads4.parentPort !== null) profileThisThread(settings.socket, hello(settings), threads.started);
      return;
    }
  }
  if (settings.mode === "profile") quietly(watchLayers);
  let armed = false;
  onListening((address, server) => {
    if (!armed) {
      armed = true;
      try {
        arm(settings, threads);
      } catch (error) {
        switchOff(error);
      }
    }
    if (counting2) quietly(() => watchServer(server));
    if (settings.mode === "without") listening2(server);
    state.tell({ type: "listening", ...address });
  });
  (0, import_node_module4.syncBuiltinESMExports)();
}
function arm(settings, threads) {
  const counting2 = settings.mode === "counters";
  if (counting2) quietly(wrapStreams2);
  const exit_waits = new Int32Array(new SharedArrayBuffer(4));
  const worker = new import_node_worker_threads4.Worker(__filename, {
    name: "plimsoll probe",
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: {
      protocol: MARK,
      settings,
      table: state.table,
      counters: counters.map(({ name, kind }) => ({ name, kind })),
      exit_waits,
      armed_ms: now_ms(),
      hello: hello(settings),
      labels: settings.mode === "profile" ? log : void 0,
      threads
    }
  });
  worker.on("message", ({ type, places: places3, id }) => {
    if (type === "origins") quietly(() => worker.postMessage({ type, origins: originsOf(places3) }));
    if (type === "collect") quietly(() => collect(() => worker.postMessage({ type: "collected" })));
    if (type === "kept") quietly(() => worker.postMessage(kept(id)));
    if (type === "list_routes") quietly(() => state.tell({ type: "routes", routes: knownRoutes() }));
    if (type === "start_labels") quietly(startLabels);
    if (type === "stop_labels") {
      quietly(stopLabels);
      quietly(() => worker.postMessage({ type: "layers", layers: knownLayers() }));
    }
  });
  tellThatItServes(threads.started);
  if (settings.mode === "profile") {
    servingLayers();
    state.undo.push(stopLabels);
  }
  worker.on("error", switchOff);
  worker.on("exit", () => switchOff());
  worker.unref();
  state.tell = (note2) => worker.postMessage(note2);
  if (settings.loop_delays) quietly(tellLoopDelays);
  if (counting2) {
    for (const part of [prepareToCollect, watchLoop, watchServed, watchUpstream]) quietly(part);
    state.on = true;
  }
  if (settings.mode === "without") {
    state.on = true;
    serving();
  }
  process.once("exit", (code) => {
    quietly(() => {
      state.on = false;
      worker.postMessage({ type: "exit", code });
      if (Atomics.load(exit_waits, 0) === 1) Atomics.wait(exit_waits, 0, 1, GOODBYE_MS);
    });
  });
}
function threadpoolSize() {
  return Number(process.env.UV_THREADPOOL_SIZE) || 4;
}
function hello(settings) {
  const main = process.argv[1];
  return {
    type: "hello",
    protocol: MARK,
    mode: settings.mode,
    pid: process.pid,
    ppid: process.ppid,
    thread_id: import_node_worker_threads4.isMainThread ? 0 : import_node_worker_threads4.threadId,
    cluster_worker: cluster().worker?.id ?? null,
    node: process.versions.node,
    v8: process.versions.v8,
    main: main === void 0 ? null : (0, import_node_path2.resolve)(main),
    cwd: process.cwd(),
    exec_argv: process.execArgv,
    node_env: process.env.NODE_ENV ?? null,
    threadpool_size: threadpoolSize(),
    cores: (0, import_node_os.availableParallelism)(),
    heap_limit_bytes: (0, import_node_v84.getHeapStatistics)().heap_size_limit,
    skipped: settings.mode === "counters" ? skipped() : [],
    stdout: kindOf3(1),
    stderr: kindOf3(2),
    unix_ms: performance.timeOrigin + performance.now()
  };
}
function kindOf3(descriptor) {
  try {
    if ((0, import_node_tty.isatty)(descriptor)) return "tty";
    const stat = (0, import_node_fs5.fstatSync)(descriptor);
    if (stat.isFile()) return "file";
    if (stat.isFIFO()) return "pipe";
    if (stat.isSocket()) return "socket";
    return stat.isCharacterDevice() && stat.rdev === 259 ? "null" : "other";
  } catch {
    return "other";
  }
}
