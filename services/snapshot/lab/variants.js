// @ts-check
/**
 * The ways to read many process variables that were published, each over the same client, and the one of this service.
 * A variant takes the client and the names, and returns what it has read. Those that need no client are in processes.js
 * and threads.js.
 */

import { createChannels } from '../src/ca/channels.js';
import { takeSnapshot } from '../src/snapshot.js';

/** @import { Client, Connection, Reading } from '../src/ca/client.js' */
/** @typedef {(client: Client, names: string[], timeout_ms: number) => Promise<Map<string, Reading>>} Variant */

/**
 * Connects and reads one, then the next.
 * @type {Variant}
 */
export async function oneAtATime(client, names, timeout_ms) {
  /** @type {Map<string, Reading>} */
  const read = new Map();
  for (const name of names) {
    const connection = await within(timeout_ms, client.connect(name, ignore));
    const reading = await connection?.read();
    if (reading !== undefined) read.set(name, reading);
    else client.forget(name);
  }
  return read;
}

/**
 * Starts every connection, then goes through them in turn: waits for it, reads it. A dead one is waited for as long as
 * the timeout, the next one after it anew.
 * @type {Variant}
 */
export function connectAllReadInTurn(client, names, timeout_ms) {
  return readInTurn(client, names, (connecting) => within(timeout_ms, connecting));
}

/**
 * The same by an object for each variable: it waits when it is made, and once more when its value is asked for.
 * @type {Variant}
 */
export function connectAllReadInTurnByObjects(client, names, timeout_ms) {
  return readInTurn(
    client,
    names,
    async (connecting) => (await within(timeout_ms, connecting)) ?? within(timeout_ms, connecting),
  );
}

/**
 * What the service does: all at the same time, one timeout for all.
 * @type {Variant}
 */
export async function allAtOnce(client, names, timeout_ms) {
  const channels = createChannels({ client, limit: names.length });
  return await snapshotOf(channels)(client, names, timeout_ms);
}

/**
 * The same with connections that are kept.
 * @param {import('../src/ca/channels.js').Channels} channels
 * @returns {Variant}
 */
export function snapshotOf(channels) {
  return async (_client, names, timeout_ms) => {
    const wanted = names.map((name) => ({ name, expected: undefined }));
    const { pvs } = await takeSnapshot({ channels, wanted, timeout_ms });
    return new Map(pvs.flatMap((pv) => (pv.status === 'ok' ? [[pv.name, pv]] : [])));
  };
}

/**
 * @param {Client} client
 * @param {string[]} names
 * @param {(connecting: Promise<Connection | undefined>) => Promise<Connection | undefined>} wait
 */
async function readInTurn(client, names, wait) {
  const all = names.map((name) => ({ name, connecting: client.connect(name, ignore) }));
  /** @type {Map<string, Reading>} */
  const read = new Map();
  for (const { name, connecting } of all) {
    const connection = await wait(connecting);
    const reading = await connection?.read();
    if (reading !== undefined) read.set(name, reading);
    else client.forget(name);
  }
  return read;
}

function ignore() {}

/**
 * @template T
 * @param {number} timeout_ms
 * @param {Promise<T>} waited
 * @returns {Promise<T | undefined>}
 */
async function within(timeout_ms, waited) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {Promise<undefined>} */
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, timeout_ms, undefined);
  });
  const found = await Promise.race([waited, late]);
  clearTimeout(timer);
  return found;
}
