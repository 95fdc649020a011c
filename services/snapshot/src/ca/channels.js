// @ts-check
/**
 * The channels that are kept: connected once, used by every snapshot. Requests that want the same name share one
 * search, which ends when nobody waits for it any more: a dead name costs nothing between requests.
 */

/** @import { Client, Connection } from './client.js' */

/**
 * @typedef {object} Entry
 * @property {Promise<Connection | undefined>} ready
 * @property {Connection | undefined} connection
 * @property {number} waiting requests that wait for the connection
 */

/**
 * @param {{ client: Client, limit: number }} parts `limit`: channels kept; past it the least recently used goes
 */
export function createChannels({ client, limit }) {
  /** In the order of last use. @type {Map<string, Entry>} */
  const entries = new Map();

  /** @param {string} name */
  function open(name) {
    /** @type {Entry} */
    const entry = { ready: Promise.resolve(undefined), connection: undefined, waiting: 0 };
    entry.ready = client
      .connect(name, () => drop(name, entry))
      .then((connection) => {
        entry.connection = connection;
        return connection;
      })
      .finally(() => {
        if (entry.connection === undefined) drop(name, entry);
      });
    entries.set(name, entry);
    evict();
    return entry;
  }

  /** @param {string} name @param {Entry} entry only this one: another may have taken its place */
  function drop(name, entry) {
    if (entries.get(name) !== entry) return;
    entries.delete(name);
    client.forget(name);
  }

  function evict() {
    for (const [name, entry] of entries) {
      if (entries.size <= limit) return;
      // One that somebody waits for stays: the number of names in a request is bounded too.
      if (entry.waiting === 0) drop(name, entry);
    }
  }

  return {
    /**
     * @param {string} name
     * @param {Promise<void>} ended when the request stops waiting
     * @returns {Promise<Connection | undefined>} undefined: not connected until then
     */
    async connected(name, ended) {
      const entry = entries.get(name) ?? open(name);
      entries.delete(name);
      entries.set(name, entry);
      if (entry.connection !== undefined) return entry.connection;
      entry.waiting += 1;
      try {
        await Promise.race([entry.ready, ended]);
      } finally {
        entry.waiting -= 1;
        if (entry.connection === undefined && entry.waiting === 0) drop(name, entry);
      }
      return entry.connection;
    },

    counts() {
      let connected = 0;
      for (const { connection } of entries.values()) if (connection !== undefined) connected += 1;
      return { connected, searching: entries.size - connected };
    },

    clear() {
      for (const [name, entry] of entries) drop(name, entry);
    },
  };
}

/** @typedef {ReturnType<typeof createChannels>} Channels */
