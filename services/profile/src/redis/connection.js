// @ts-check
/**
 * One connection to Redis, which comes back by itself. While it is away everything fails at once: a request that waits
 * for Redis would only make the others late. Nothing is ever sent twice, because what was sent before the connection
 * broke may have been done.
 */

import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { redacted } from '../address.js';
import { Problem } from '../errors.js';
import { QUEUE } from './keys.js';

const RETRY_AFTER = { headers: ['retry-after', '1'] };
/** What Redis responds when it did nothing, because it cannot just now. */
const NOT_NOW = /^(OOM|MISCONF|LOADING|READONLY|MASTERDOWN|NOREPLICAS|BUSY|CLUSTERDOWN|TRYAGAIN)\b/;
const RECONNECT_MOST_MS = 500;
/** What a server that is cut off has to say goodbye. */
const FAREWELL_MS = 20;

/** @param {string} name */
const script = (name) => ({ lua: readFileSync(new URL(`./${name}.lua`, import.meta.url), 'utf8') });
const SCRIPTS = {
  commitProfiles: script('commit'),
  takeBatch: script('take'),
  settleBatch: script('settle'),
};

/**
 * @typedef {Redis & Record<keyof typeof SCRIPTS, (keys: number, ...args: (string | number)[]) => Promise<any>>} Client
 */

/**
 * @typedef {object} Connection
 * @property {<T>(ask: (redis: Client) => Promise<T>) => Promise<T>} read
 * @property {<T>(ask: (redis: Client) => Promise<T>) => Promise<T>} write of which a client that loses the connection
 *   cannot know whether it was done
 * @property {() => boolean} healthy
 * @property {(see: (waiting: number) => void) => void} watch is told now and then how many changes wait
 * @property {() => Promise<void>} close
 */

/**
 * @param {object} options
 * @param {string} options.url redis://…, rediss://… or unix:/path
 * @param {number} options.timeout_ms after which a silent server counts as gone
 * @param {boolean} [options.pipelining] lets the client send together what is asked in one turn of the loop
 * @param {import('pino').Logger} options.log told when it goes and when it is back
 * @returns {Promise<Connection>}
 */
export async function openRedis({ url, timeout_ms, pipelining = false, log }) {
  const address = url.startsWith('unix:') ? new URL(url).pathname : url;
  const redis = /** @type {Client} */ (
    new Redis(address, {
      scripts: SCRIPTS,
      lazyConnect: true,
      connectTimeout: timeout_ms,
      disconnectTimeout: FAREWELL_MS,
      enableAutoPipelining: pipelining,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (times) => Math.min(times * 50, RECONNECT_MOST_MS),
    })
  );
  /** @type {unknown} what the client only hints at when it fails to connect */
  let cause;
  redis.on('error', (error) => {
    cause = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    redis.disconnect();
    throw new Error(`failed to reach Redis at ${redacted(url)}: ${reasonOf(cause ?? error)}`);
  }
  tell(redis, log);
  /** @type {(waiting: number) => void} */
  let see = () => {};
  const watch = watchOver(redis, timeout_ms, (waiting) => see(waiting));

  /** @template T @param {import('../errors.js').ErrorCode} broken @returns {(ask: (redis: Client) => Promise<T>) => Promise<T>} */
  function guarded(broken) {
    return async (ask) => {
      if (redis.status !== 'ready') throw new Problem('cache_unavailable', undefined, RETRY_AFTER);
      try {
        return await ask(redis);
      } catch (error) {
        if (!isReply(error)) throw new Problem(broken, undefined, RETRY_AFTER);
        if (NOT_NOW.test(error.message)) throw new Problem('cache_unavailable', undefined, RETRY_AFTER);
        throw error;
      }
    };
  }

  return {
    read: guarded('cache_unavailable'),
    write: guarded('outcome_unknown'),
    healthy: () => redis.status === 'ready',
    watch(watcher) {
      see = watcher;
    },
    async close() {
      clearInterval(watch);
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}

/**
 * Once when the connection is lost and once when it is back, however often it is tried in between.
 * @param {Redis} redis
 * @param {import('pino').Logger} log
 */
function tell(redis, log) {
  let up = true;
  redis.on('close', () => {
    if (up) log.error('Redis cannot be reached; will try again');
    up = false;
  });
  redis.on('ready', () => {
    if (!up) log.warn('Redis is back');
    up = true;
  });
}

/**
 * Asks for the length of the queue. A server that takes what is sent and sends nothing is as good as gone: the
 * connection is cut, which fails all that waits for it. One timer for all requests, not one for each.
 * @param {Redis} redis
 * @param {number} timeout_ms
 * @param {(waiting: number) => void} see
 */
function watchOver(redis, timeout_ms, see) {
  let asked = false;
  const timer = setInterval(() => {
    if (redis.status !== 'ready') return;
    if (asked) {
      redis.disconnect(true);
      return;
    }
    asked = true;
    redis
      .llen(QUEUE)
      .then(see)
      .catch(() => {})
      .finally(() => {
        asked = false;
      });
  }, timeout_ms);
  timer.unref();
  return timer;
}

/** @param {unknown} error @returns {error is Error} a response, as opposed to a lost connection */
function isReply(error) {
  return error instanceof Error && error.name === 'ReplyError';
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}
