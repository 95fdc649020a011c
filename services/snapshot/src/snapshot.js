// @ts-check
/**
 * A snapshot: the present value of every process variable that is asked for. All are connected and read at the same
 * time, under one deadline, so the dead ones cost that deadline once, however many they are.
 */

import { fits } from './types.js';

/** @import { Channels } from './ca/channels.js' */
/** @import { Reading } from './ca/client.js' */
/** @import { Wanted } from './names.js' */
/** @import { ExpectedType, Type } from './types.js' */

/**
 * @typedef {{ name: string, status: 'ok', type: Type } & Reading} Alive
 * @typedef {{ name: string, status: 'disconnected' }} Disconnected nobody had responded for it at the deadline
 * @typedef {{ name: string, status: 'unreadable', type: Type }} Unreadable connected, but without a value: no response
 *   until the deadline, lost meanwhile, or refused
 * @typedef {{ name: string, status: 'wrong_type', type: Type, expected: ExpectedType }} WrongType
 * @typedef {Alive | Disconnected | Unreadable | WrongType} Pv
 */

export const STATUSES = /** @type {const} */ (['ok', 'disconnected', 'unreadable', 'wrong_type']);

/**
 * @typedef {object} Snapshot
 * @property {string} taken_at ISO 8601
 * @property {number} took_ms
 * @property {number} timeout_ms
 * @property {Record<Pv['status'], number>} counts
 * @property {Pv[]} pvs in the order in which they were asked for
 */

/**
 * @param {object} parts
 * @param {Channels} parts.channels
 * @param {Wanted[]} parts.wanted
 * @param {number} parts.timeout_ms
 * @param {AbortSignal} [parts.signal] ends it before the deadline: nobody wants it any more
 * @returns {Promise<Snapshot>}
 */
export async function takeSnapshot({ channels, wanted, timeout_ms, signal }) {
  const taken_at = new Date().toISOString();
  const started_ms = performance.now();
  const { ended, end } = startDeadline(timeout_ms, signal);
  /** @type {Pv[]} */
  let pvs;
  try {
    pvs = await Promise.all(wanted.map((one) => readOne(channels, one, ended)));
  } finally {
    end();
  }
  const counts = { ok: 0, disconnected: 0, unreadable: 0, wrong_type: 0 };
  for (const { status } of pvs) counts[status] += 1;
  const took_ms = Math.round((performance.now() - started_ms) * 1e3) / 1e3;
  return { taken_at, took_ms, timeout_ms, counts, pvs };
}

/**
 * @param {Channels} channels
 * @param {Wanted} wanted
 * @param {Promise<void>} ended
 * @returns {Promise<Pv>}
 */
function readOne(channels, { name, expected }, ended) {
  return channels.lend(name, ended, async (connection) => {
    if (connection === undefined) return { name, status: 'disconnected' };
    const { type } = connection;
    if (expected !== undefined && !fits(type, expected)) {
      return { name, status: 'wrong_type', type, expected };
    }
    const reading = await Promise.race([connection.read(), ended]);
    if (reading === undefined) return { name, status: 'unreadable', type };
    return { name, status: 'ok', type, ...reading };
  });
}

/** @param {number} timeout_ms @param {AbortSignal | undefined} signal */
function startDeadline(timeout_ms, signal) {
  /** @type {() => void} */
  let resolveEnded = () => {};
  /** @type {Promise<void>} */
  const ended = new Promise((resolve) => {
    resolveEnded = resolve;
  });
  const timer = setTimeout(resolveEnded, timeout_ms);
  signal?.addEventListener('abort', resolveEnded);
  function end() {
    clearTimeout(timer);
    signal?.removeEventListener('abort', resolveEnded);
    resolveEnded();
  }
  if (signal?.aborted) end();
  return { ended, end };
}
