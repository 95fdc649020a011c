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
 * @property {number} users requests that wait for the connection or read by it
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
    const entry = { ready: Promise.resolve(undefined), connection: undefined, users: 0 };
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
      // One in use stays: how many those are is bounded by the names that requests may have.
      if (entry.users === 0) drop(name, entry);
    }
  }

  return {
    /**
     * @template T
     * @param {string} name
     * @param {Promise<void>} ended when the request stops waiting
     * @param {(connection: Connection | undefined) => Promise<T>} use what it is wanted for; undefined: not connected
     *   until then
     * @returns {Promise<T>}
     */
    async lend(name, ended, use) {
      const entry = entries.get(name) ?? open(name);
      entries.delete(name);
      entries.set(name, entry);
      entry.users += 1;
      evict();
      try {
        if (entry.connection === undefined) await Promise.race([entry.ready, ended]);
        return await use(entry.connection);
      } finally {
        entry.users -= 1;
        if (entry.connection === undefined && entry.users === 0) drop(name, entry);
        evict();
      }
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
