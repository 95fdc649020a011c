// @ts-check
// Profiles of the service's thread, taken from the probe's thread by the inspector. Neither Runtime nor Debugger is
// enabled: they make the service many times slower.

/**
 * @typedef {{ type: string, id?: number, interval_us?: number, interval_bytes?: number }} Command
 * @typedef {(method: string, params?: object) => Promise<any>} Post
 * @typedef {{ post: Post, disconnect: () => void }} Session
 */

/** @param {boolean} main whether the service's thread is the main one */
export function createProfiler(main) {
  /** @type {Session | undefined} */
  let session;
  /** What was started and not stopped: `profile`, `allocations`. */
  const running = new Set();

  /** @param {Command} command */
  async function obey({ type, interval_us = 1000, interval_bytes = 32_768 }) {
    session ??= connect(main);
    const { post } = session;
    switch (type) {
      case 'start_profile':
        await post('Profiler.enable');
        await post('Profiler.setSamplingInterval', { interval: interval_us });
        await post('Profiler.start');
        running.add('profile');
        return { type: 'started' };
      case 'stop_profile': {
        const { profile } = await post('Profiler.stop');
        await post('Profiler.disable');
        ended('profile');
        return { type: 'profile', profile };
      }
      case 'start_allocations':
        await post('HeapProfiler.startSampling', {
          samplingInterval: interval_bytes,
          includeObjectsCollectedByMajorGC: true,
          includeObjectsCollectedByMinorGC: true,
        });
        running.add('allocations');
        return { type: 'started' };
      case 'stop_allocations': {
        const { profile } = await post('HeapProfiler.stopSampling');
        ended('allocations');
        return { type: 'allocations', profile };
      }
      default:
        throw new Error(`there is no command ${type}`);
    }
  }

  /** @param {string} what */
  function ended(what) {
    running.delete(what);
    if (running.size === 0) close();
  }

  /** A process whose inspector is still in use says so on stderr when it exits. */
  function close() {
    session?.disconnect();
    session = undefined;
  }

  return { obey, close };
}

/** @param {boolean} main @returns {Session} */
function connect(main) {
  if (!main) throw new Error('only the main thread of a process can be profiled');
  // Not before it is needed: a build of Node.js may lack it.
  const inspector = require('node:inspector');
  const session = new inspector.Session();
  session.connectToMainThread();
  return {
    post: (method, params) =>
      new Promise((resolve, reject) => {
        session.post(method, params, (/** @type {Error | null} */ error, /** @type {unknown} */ result) => {
          if (error) reject(error);
          else resolve(result);
        });
      }),
    disconnect: () => session.disconnect(),
  };
}
