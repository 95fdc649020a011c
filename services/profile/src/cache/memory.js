// @ts-check
/**
 * Texts under keys, each with a time to live, inside the process. Entries expire lazily, when read; when it is
 * full, the entry that was written longest ago goes.
 */

/**
 * @param {{ entries: number, now?: () => number }} options greatest number of entries; the clock, in ms
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
    /** @param {string} key */
    get: (key) => live(key)?.text,

    set: put,

    /**
     * Sets the text if the key is absent.
     * @param {string} key @param {string} text @param {number} ttl_ms
     * @returns {string} the text that the key then has
     */
    add(key, text, ttl_ms) {
      const entry = live(key);
      if (entry !== undefined) return entry.text;
      put(key, text, ttl_ms);
      return text;
    },

    /**
     * Sets `to` only if the key still has `from`.
     * @param {string} key @param {string} from @param {string} to @param {number} ttl_ms
     * @returns {boolean} whether it did
     */
    replace(key, from, to, ttl_ms) {
      if (live(key)?.text !== from) return false;
      put(key, to, ttl_ms);
      return true;
    },

    /** Entries held, expired ones included. */
    size: () => held.size,
  };
}

/** @typedef {ReturnType<typeof createMemoryCache>} MemoryCache */
