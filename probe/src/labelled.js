// @ts-check
// Puts into a profile whose code each sample saw, by the log of labels; and takes the probe itself out of it.

import { fileURLToPath } from 'node:url';
import { isLayerOfExpress } from './frameworks/express.js';
import { FIRST_LAYER, NOBODY, UNWATCHED } from './layers/label.js';
import { packageOf } from './sites.js';

/** Labels of samples: from 2 on a layer. */
const NOT_WATCHED = -1;
/** The probe itself, which the service would not run. */
const PROBE = -2;
/** What makes the log. It is called by Node.js, whose part in it counts as well. */
const MAKES_LOG = new Set([
  'hookInit',
  'hookBefore',
  'hookAfter',
  'hookChange',
  'enter',
  'hookTask',
  'ofServer',
  'serverOf',
  'ownerOf',
]);
const HOOKS = 'node:internal/async_hooks';

/**
 * @typedef {import('./profile.js').Node & { id: number, children?: number[], callFrame: { functionName: string } }} Node
 * @typedef {{ nodes: Node[], startTime: number, samples: number[], timeDeltas: number[] }} Profile
 * @typedef {typeof import('./layers/label.js').log} Log
 * @typedef {import('./layers/layer.js').Layer} Layer
 * @typedef {import('./sites.js').Frame} Frame
 */

/**
 * @param {Profile} profile changed in place
 * @param {Log} log @param {Layer[]} layers @param {string} script of the probe, as a URL
 */
export function label(profile, log, layers, script) {
  const parents = parentsOf(profile.nodes);
  const made_log = new Set(
    profile.nodes.filter((node) => makesLog(node, parents, script)).map(({ id }) => id),
  );
  const labels = labelsOf(profile, log);
  const run = runBy(profile, labels, parents, script);
  const sample_layers = profile.samples.map((id, index) =>
    made_log.has(id) ? PROBE : (labels[index] ?? NOT_WATCHED),
  );
  leaveOut(profile, parents, script);
  if (layers.length === 0) return { ...profile, sample_layers };
  const about = layers.map(({ label, ...layer }) => ({
    ...layer,
    run: known(run.get(label), layer.name),
    ...countsOf(log, label),
  }));
  const others = countsOf(log, NOBODY);
  return { ...profile, layers: about, others, first_layer: FIRST_LAYER, sample_layers };
}

/**
 * The function of each layer, where a sample saw it: what `runAs` calls.
 * @param {Profile} profile @param {number[]} labels of the samples @param {Map<number, Node>} parents @param {string} script
 */
function runBy({ nodes, samples }, labels, parents, script) {
  const by_id = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<number, Map<Node, number>>} */
  const seen = new Map();
  for (const [index, id] of samples.entries()) {
    const label = labels[index] ?? NOT_WATCHED;
    const node = label < FIRST_LAYER ? undefined : runAbove(by_id.get(id), parents, script);
    if (node === undefined) continue;
    const counts = seen.get(label) ?? new Map();
    seen.set(label, counts.set(node, (counts.get(node) ?? 0) + 1));
  }
  /** @type {Map<number, Frame>} */
  const found = new Map();
  for (const [label, counts] of seen) {
    // What another layer calls to go on may have its label for a moment.
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    if (most) found.set(label, frameOf(most[0]));
  }
  return found;
}

/** What a framework makes of a function of another name is not that. @param {Frame | undefined} run @param {string} name */
function known(run, name) {
  return run !== undefined && (name === '' || name === run.function) ? run : null;
}

/** @param {Node | undefined} node @param {Map<number, Node>} parents @param {string} script */
function runAbove(node, parents, script) {
  /** @type {Node | undefined} */
  let below;
  for (let at = node; at !== undefined; at = parents.get(at.id)) {
    const caller = parents.get(at.id);
    if (caller?.callFrame.url === script) {
      // Others run what a layer has left behind, such as a listener.
      const is_run = caller.callFrame.functionName === 'runAs' && isOfScript(at, script);
      if (!is_run) return undefined;
      return isLayerOfExpress(at.callFrame.url) ? below : at;
    }
    below = at;
  }
  return undefined;
}

/** Whether it is neither ours nor a builtin. @param {Node} node @param {string} script */
function isOfScript({ callFrame: { url } }, script) {
  return url !== '' && url !== script;
}

/** @param {Node} node @returns {Frame} */
function frameOf({ callFrame: { url, lineNumber, columnNumber, functionName } }) {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const at = { file, line: lineNumber + 1, column: columnNumber + 1 };
  return { ...at, function: functionName, package: packageOf(file) };
}

/** @param {Log} log @param {number} label */
function countsOf(log, label) {
  const task_ns = Math.round((log.task_ms[label] ?? 0) * 1e6);
  return { callbacks: log.callbacks[label] ?? 0, tasks: log.tasks[label] ?? 0, task_ns };
}

/** @param {Node[]} nodes @returns {Map<number, Node>} the caller of each node */
function parentsOf(nodes) {
  const parents = new Map();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  return parents;
}

/** @param {Node} node @param {Map<number, Node>} parents @param {string} script */
function makesLog(node, parents, script) {
  if (node.callFrame.url === HOOKS) return true;
  /** @type {Node | undefined} */
  let at = node;
  while (at && (at.callFrame.url === '' || at.callFrame.url.startsWith('node:'))) at = parents.get(at.id);
  return at?.callFrame.url === script && MAKES_LOG.has(at.callFrame.functionName);
}

/** The label at the time of each sample. @param {Profile} profile @param {Log} log */
function labelsOf({ startTime, samples, timeDeltas }, log) {
  const length = Atomics.load(log.length, 0);
  let at_us = startTime;
  let next = 0;
  let next_us = changeOf(log, next, length);
  let label = UNWATCHED;
  return samples.map((_, index) => {
    at_us += timeDeltas[index] ?? 0;
    while (next_us <= at_us) {
      label = log.label[next] ?? UNWATCHED;
      next += 1;
      next_us = changeOf(log, next, length);
    }
    return label === UNWATCHED ? NOT_WATCHED : label;
  });
}

/** When the label changed, µs; never where the log ends. @param {Log} log @param {number} index @param {number} length */
function changeOf(log, index, length) {
  return index < length ? Number(log.at_ns[index]) / 1e3 : Number.POSITIVE_INFINITY;
}

/**
 * @typedef {{ callFrame: { url: string }, children?: Allocated[] }} Allocated
 * @param {Allocated} node of a heap profile, changed in place @param {string} script of the probe, as a path: here V8 has no URLs
 */
export function leaveOutOfAllocations(node, script) {
  for (const child of node.children ?? []) leaveOutOfAllocations(child, script);
  node.children = node.children?.flatMap((child) =>
    child.callFrame.url === script ? (child.children ?? []) : [child],
  );
}

/** @param {Profile} profile changed in place @param {string} script of the probe, as a URL */
export function leaveOutOfProfile(profile, script) {
  leaveOut(profile, parentsOf(profile.nodes), script);
  return profile;
}

/** What the probe's functions call is called by their callers. @param {Profile} profile @param {Map<number, Node>} parents @param {string} script */
function leaveOut(profile, parents, script) {
  const isOurs = (/** @type {Node} */ { callFrame }) => callFrame.url === script;
  /** @type {Map<number, number>} */
  const stands_for = new Map();
  // Callers come before the called.
  for (const node of profile.nodes.filter(isOurs)) {
    const parent = parents.get(node.id);
    if (parent === undefined) continue;
    stands_for.set(node.id, stands_for.get(parent.id) ?? parent.id);
  }
  const childrenOf = (/** @type {number[]} */ ids) => {
    /** @type {number[]} */
    const found = [];
    for (const id of ids) {
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
