// @ts-check
// Whose code is running: a label that is kept through callbacks, ticks, timers and promises, and a log of when it changed. In
// bursts, because all that is asynchronous is dearer meanwhile; between them nothing is done.

import { AsyncResource, createHook, executionAsyncResource } from 'node:async_hooks';
import { thread_ms } from '../table.js';
import { serverOf } from './server.js';

/** The clock of the samples, and the cheapest to read. A service may replace it later. */
const now_ns = process.hrtime.bigint;

/** What a label stands for besides layers, which count from FIRST_LAYER. */
export const LOOP = 0;
export const NOBODY = 1;
export const UNWATCHED = 0xffff;
export const FIRST_LAYER = 2;
export const LAYERS_MAX = 256;

/**
 * A burst, with its first part, in which requests end that began unlabelled; and the distance of the next one. Shorter bursts for as
 * much of the time would have more of such parts, which cost as much and show nothing.
 */
const BURST_MS = 450;
const UNLABELLED_MS = 50;
const PAUSE_MS = 1_550;
/** Resources of a burst that are told apart. Then it ends. */
const RESOURCES_MAX = 1 << 20;
/** Changes that are kept. */
const CHANGES_MAX = 1 << 20;
/** Where the loop did nothing for so long before a task was back, it was back at once. */
const IDLE_MS = 0.03;

/** Types of resources that JavaScript makes for itself, and of those that are tasks of the threadpool. */
const OF_JAVASCRIPT = new Set(['PROMISE', 'TickObject', 'Timeout', 'Immediate', 'Microtask']);
/** They are given one task after the other. */
const OFTEN = new Set(['ZLIB']);
const OF_POOL = new Set([
  'FSREQCALLBACK',
  'FSREQPROMISE',
  'GETADDRINFOREQWRAP',
  'GETNAMEINFOREQWRAP',
  'ZLIB',
  'PBKDF2REQUEST',
  'RANDOMBYTESREQUEST',
  'SCRYPTREQUEST',
  'HASHREQUEST',
  'SIGNREQUEST',
  'CIPHERREQUEST',
  'KEYPAIRGENREQUEST',
  'KEYGENREQUEST',
  'RANDOMPRIMEREQUEST',
]);
/** Long-lived: who opened them says nothing about whom they serve, but the server that has them. */
const SHARED = new Set(['TCPWRAP', 'PIPEWRAP', 'TLSWRAP', 'HTTPINCOMINGMESSAGE', 'TTYWRAP', 'UDPWRAP']);

export const labels = {
  /** A burst lasts. */
  on: false,
  /** The label of what is running. */
  current: LOOP,
  /** The handler that was reached in the callback that is running: what follows there is its response. */
  handler: NOBODY,
};

/** Of these layers, which are servers: nothing but what they are there for. */
const is_server = new Uint8Array(LAYERS_MAX + FIRST_LAYER);

/** @param {number} label */
export function isServer(label) {
  is_server[label] = 1;
}

/** Whether a function of the service has this label, and not the loop, nobody or a server. @param {number} label */
export function isOfFunction(label) {
  return label > NOBODY && is_server[label] === 0;
}

/** What the probe's thread reads when the profile is over. */
export const log = {
  length: new Int32Array(new SharedArrayBuffer(4)),
  at_ns: new BigInt64Array(new SharedArrayBuffer(CHANGES_MAX * 8)),
  label: new Uint16Array(new SharedArrayBuffer(CHANGES_MAX * 2)),
  /** Per label: callbacks that the loop ran, and tasks for the threadpool. */
  callbacks: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8)),
  tasks: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8)),
  /** How long the tasks took, waiting for a thread included. */
  task_ms: new Float64Array(new SharedArrayBuffer((LAYERS_MAX + FIRST_LAYER) * 8)),
};

const of_resource = new Uint16Array(RESOURCES_MAX);
const of_javascript = new Uint8Array(RESOURCES_MAX);
/** @type {number[]} */
let outer = [];
/** When the loop had nothing more to run. */
let ended_ms = 0;
/** Tasks of the threadpool that are under way, by resource. @type {Map<number, { type: string, asked_ms: number }>} */
const asked = new Map();
/**
 * Tasks by label and type. How long they took is seen of those alone for which the loop waited; of others the shortest time
 * that they may have taken.
 * @type {Map<string, { label: number, count: number, seen: number, seen_ms: number, shortest_ms: number }>}
 */
const tasks = new Map();
/** Servers, by the resources of theirs that are called in a burst. @type {Map<number, number>} */
const of_servers = new Map();
let first_id = 0;
let changes = 0;
let watched = false;
let running = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

const hook = createHook({ init: hookInit, before: hookBefore, after: hookAfter });

/** @param {number} id @param {string} type */
function hookInit(id, type) {
  const at = id - first_id;
  if (at < 0 || at >= RESOURCES_MAX) return;
  of_resource[at] = SHARED.has(type) ? NOBODY : labels.current;
  of_javascript[at] = OF_JAVASCRIPT.has(type) ? 1 : 0;
  if (OF_POOL.has(type)) asked.set(id, { type, asked_ms: thread_ms() });
}

/** @param {number} id */
function hookBefore(id) {
  const at = id - first_id;
  const known = at >= 0 && at < RESOURCES_MAX;
  let label = (known && of_resource[at]) || NOBODY;
  if (outer.length === 0) {
    labels.handler = NOBODY;
    if (label === NOBODY && !(known && of_javascript[at])) label = ofServer(id);
  }
  if (watched && outer.length === 0 && !(known && of_javascript[at])) {
    log.callbacks[label] = (log.callbacks[label] ?? 0) + 1;
    const task = asked.get(id);
    if (task !== undefined) hookTask(task, label);
  }
  outer.push(labels.current);
  hookChange(label);
}

/** Whom a resource serves that is about to be called. @param {number} id */
function ofServer(id) {
  let label = of_servers.get(id);
  if (label === undefined) {
    label = serverOf(executionAsyncResource()) ?? NOBODY;
    if (label !== NOBODY && of_servers.size < RESOURCES_MAX) of_servers.set(id, label);
  }
  return label;
}

/** @param {number} id */
function hookAfter(id) {
  hookChange(outer.pop() ?? LOOP);
  if (outer.length > 0) return;
  ended_ms = thread_ms();
  const task = asked.get(id);
  if (task === undefined) return;
  if (OFTEN.has(task.type)) task.asked_ms = ended_ms;
  else asked.delete(id);
}

/** A task of the threadpool is back. @param {{ type: string, asked_ms: number }} task @param {number} label */
function hookTask({ type, asked_ms }, label) {
  const key = `${label} ${type}`;
  let sum = tasks.get(key);
  if (sum === undefined) {
    sum = { label, count: 0, seen: 0, seen_ms: 0, shortest_ms: Number.POSITIVE_INFINITY };
    tasks.set(key, sum);
  }
  const now = thread_ms();
  sum.count += 1;
  sum.shortest_ms = Math.min(sum.shortest_ms, now - asked_ms);
  if (now - ended_ms < IDLE_MS) return;
  sum.seen += 1;
  sum.seen_ms += now - asked_ms;
}

/** @param {number} label */
function hookChange(label) {
  if (label === labels.current) return;
  labels.current = label;
  if (!watched) return;
  if (changes >= CHANGES_MAX - 1) {
    stopBurst();
    return;
  }
  log.at_ns[changes] = now_ns();
  log.label[changes] = label;
  changes += 1;
}

/**
 * From here on this label runs, until `leave`. Only while a burst lasts.
 * @param {number} label
 * @returns {number} who ran before
 */
export function enter(label) {
  const before = labels.current;
  if (labels.on) hookChange(label);
  return before;
}

/** Bursts begin. */
export function startLabels() {
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

export function stopLabels() {
  running = false;
  clearTimeout(timer);
  stopBurst();
  for (const { label, count, seen, seen_ms, shortest_ms } of tasks.values()) {
    log.tasks[label] = (log.tasks[label] ?? 0) + count;
    log.task_ms[label] = (log.task_ms[label] ?? 0) + count * (seen > 0 ? seen_ms / seen : shortest_ms);
  }
  tasks.clear();
}

function startBurst() {
  if (changes >= CHANGES_MAX - 1) return;
  first_id = new AsyncResource('PLIMSOLL').asyncId();
  of_resource.fill(0);
  outer = [];
  asked.clear();
  of_servers.clear();
  ended_ms = thread_ms();
  labels.current = LOOP;
  labels.on = true;
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
  labels.on = false;
  labels.current = LOOP;
  outer = [];
  if (!watched) return;
  watched = false;
  log.at_ns[changes] = now_ns();
  log.label[changes] = UNWATCHED;
  changes += 1;
  Atomics.store(log.length, 0, changes);
}
