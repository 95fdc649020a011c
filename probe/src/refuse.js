// @ts-check
// Says why the probe does not do its work, so that nobody has to guess.

import net from 'node:net';

/** The oldest that it works in. */
const NODE_MAJOR_MIN = 20;
const REASON_LENGTH_MAX = 300;

/**
 * Tells the receiver from the service's own thread, because there may be no other. It does not keep the process going.
 * @param {string} socket @param {unknown} error
 */
export function refuse(socket, error) {
  const peer = net.connect(socket);
  peer.on('error', () => {});
  peer.unref();
  peer.end(`${JSON.stringify({ type: 'off', reason: reasonOf(error) })}\n`);
}

/** What fits after "because". @param {any} error */
function reasonOf(error) {
  if (error?.code === 'ERR_ACCESS_DENIED') {
    const option = error.permission === 'WorkerThreads' ? '--allow-worker' : error.permission;
    return `the permission model of Node.js forbids its thread; start the service with ${option} for a diagnosis`;
  }
  return String(error?.message ?? error).slice(0, REASON_LENGTH_MAX);
}

/** Why it cannot work in this process at all. */
export function unfit() {
  const { bun, deno, node } = process.versions;
  if (bun !== undefined) return `the service runs under Bun ${bun}, but the probe works only in Node.js`;
  if (deno !== undefined) return `the service runs under Deno ${deno}, but the probe works only in Node.js`;
  if (Number.parseInt(node, 10) < NODE_MAJOR_MIN) {
    return `the service runs under Node.js ${node}, but the probe needs ${NODE_MAJOR_MIN} or newer`;
  }
  return undefined;
}

/** Parts that cannot be installed here, with the reason of each. */
export function skipped() {
  const reason = 'the service runs with --frozen-intrinsics';
  const found = [];
  if (Object.isFrozen(JSON)) found.push({ part: 'JSON.parse and JSON.stringify', reason });
  if (Object.isFrozen(Error)) found.push({ part: 'the lines that calls come from', reason });
  return found;
}
