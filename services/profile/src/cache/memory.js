// @ts-check
/**
 * The cache inside the process. Entries expire lazily, when read; when it is full, the entry that was
 * written longest ago goes. The methods are async because a cache server's would be.
 */

/** @import { Cache } from '../ports.js' */

/**
 * @param {{ entries: number, now?: () => number }} options greatest number of entries; the clock, in ms
 * @returns {Cache}
 */
export function createMemoryCache({ entries, now = Date.now }) {
  /** A Map iterates in order of insertion, so its first key is the one written longest ago.
   * @type {Map<string, { text: string, expires_ms: number }>} */
  const held = new Map();

  /** @param {string} key */
  function live(key) {
    const entry = held.get(key);
    if (entry === undefined) return undefined;
    if (entry.expires_ms > now()) return entry;
    held.delete(key);
    return undefined;
  }

  /** @param {string} key @param {string} text @param {number} ttl_ms */
  function put(key, text, ttl_ms) {
    held.delete(key);
    held.set(key, { text, expires_ms: now() + ttl_ms });
    if (held.size > entries) {
      const [oldest] = held.keys();
      held.delete(/** @type {string} */ (oldest));
    }
  }

  return {
    async getMany(keys) {
      return keys.map((key) => live(key)?.text);
    },
    async set(key, text, ttl_ms) {
      put(key, text, ttl_ms);
    },
    async add(key, text, ttl_ms) {
      const entry = live(key);
      if (entry !== undefined) return entry.text;
      put(key, text, ttl_ms);
      return text;
    },
    async replace(key, from, to, ttl_ms) {
      if (live(key)?.text !== from) return false;
      put(key, to, ttl_ms);
      return true;
    },
    async delete(key) {
      held.delete(key);
    },
    size: () => held.size,
  };
}
