// @ts-check
// Profiles of a thread of the service, by the inspector: of the main one from the probe's thread, of another from within. Neither
// Runtime nor Debugger is enabled: they make the service many times slower.

/**
 * @typedef {{ type: string, id?: number, interval_us?: number, interval_bytes?: number, alive?: boolean }} Command
 * @typedef {(method: string, params?: object) => Promise<any>} Post
 * @typedef {{ post: Post, disconnect: () => void }} Session
 * @typedef {import('./origins.js').Place} Place
 * @typedef {import('./origins.js').Origin} Origin
 * @typedef {(places: Place[]) => Promise<(Origin | null)[]>} OriginsOf
 *
 * @typedef {object} Watched the thread that is profiled
 * @property {OriginsOf} originsOf
 * @property {() => void} started a profile was
 * @property {() => void} stopped
 * @property {import('./threads.js').Times} times
 * @property {(head: any) => void} allocated
 * @property {(profile: any) => any} labelled with what each sample belongs to
 *
 * @typedef {object} Node of a profile; of callFrame the lines count from 0, of positionTicks from 1
 * @property {{ url: string, lineNumber: number, columnNumber: number }} callFrame
 * @property {{ line: number, ticks: number }[]} [positionTicks]
 *
 * @typedef {{ callFrame: Node['callFrame'], children: Call[] }} Call of a profile of memory, with those that it made
 */

/** Right of all code: the last thing of a line. */
const LAST_COLUMN = 1e6;

/** @param {() => Session} connect @param {Watched} watched */
export function createProfiler(connect, watched) {
  /** @type {Session | undefined} */
  let session;
  /** What was started and not stopped: `profile`, `allocations`. */
  const running = new Set();

  /** @param {Command} command */
  async function obey({ type, interval_us = 1000, interval_bytes = 32_768, alive = false }) {
    session ??= connect();
    const { post } = session;
    switch (type) {
      case 'start_profile': {
        await post('Profiler.enable');
        await post('Profiler.setSamplingInterval', { interval: interval_us });
        await post('Profiler.start');
        running.add('profile');
        const beside = watched.times.begin();
        watched.started();
        return { type: 'started', beside };
      }
      case 'stop_profile': {
        // The thread that takes the samples ends with the profile.
        const times = watched.times.end();
        watched.stopped();
        const { profile } = await post('Profiler.stop');
        await post('Profiler.disable');
        ended('profile');
        await toSources(profile.nodes, watched.originsOf);
        return { type: 'profile', profile: { ...watched.labelled(profile), ...times } };
      }
      case 'start_allocations':
        await post('HeapProfiler.startSampling', {
          samplingInterval: interval_bytes,
          includeObjectsCollectedByMajorGC: !alive,
          includeObjectsCollectedByMinorGC: !alive,
        });
        running.add('allocations');
        return { type: 'started', beside: watched.times.beside() };
      case 'read_allocations': {
        const { profile } = await post('HeapProfiler.getSamplingProfile');
        return allocations(profile);
      }
      case 'stop_allocations': {
        const { profile } = await post('HeapProfiler.stopSampling');
        ended('allocations');
        return allocations(profile);
      }
      default:
        throw new Error(`no command is called ${type}`);
    }
  }

  /** @param {{ head: Call }} profile */
  async function allocations(profile) {
    watched.allocated(profile.head);
    await toSources(callsOf(profile.head), watched.originsOf);
    return { type: 'allocations', profile };
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

/** A call and all that come from it. @param {Call} head */
function callsOf(head) {
  const calls = [head];
  // What is added while it goes on is come to as well.
  for (const { children } of calls) calls.push(...children);
  return calls;
}

/**
 * Puts the nodes where they are in the source files. A function that was compiled to one line has no lines any more:
 * its ticks go to where it begins.
 * The same is done to a service that runs already: crates/target/src/inspector/restored.rs.
 * @param {Node[]} nodes @param {OriginsOf} originsOf
 */
async function toSources(nodes, originsOf) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  const key = (/** @type {Place} */ { name, line, column }) => `${name}:${line}:${column}`;
  /** @param {Node} node */
  const startOf = ({ callFrame: { url, lineNumber, columnNumber } }) => ({
    name: url,
    line: lineNumber + 1,
    column: columnNumber + 1,
  });
  const own = nodes.filter(({ callFrame: { url } }) => url !== '' && !url.startsWith('node:'));
  for (const node of own) {
    const start = startOf(node);
    places.set(key(start), start);
    for (const { line } of node.positionTicks ?? []) {
      const place = { name: start.name, line, column: LAST_COLUMN };
      places.set(key(place), place);
    }
  }
  const origins = await originsOf([...places.values()]);
  const found = new Map([...places.keys()].map((place, index) => [place, origins[index]]));
  for (const node of own) {
    const start = startOf(node);
    const origin = found.get(key(start));
    if (!origin) continue;
    node.callFrame.url = origin.file;
    node.callFrame.lineNumber = origin.line - 1;
    node.callFrame.columnNumber = origin.column - 1;
    for (const tick of node.positionTicks ?? []) {
      const place = { name: start.name, line: tick.line, column: LAST_COLUMN };
      const line = tick.line === start.line ? origin.line : found.get(key(place))?.line;
      tick.line = line ?? origin.line;
    }
  }
}

/** From the probe's thread to that which started it. @returns {Session} */
export function toMainThread() {
  return connected((session) => session.connectToMainThread());
}

/** To the thread itself. @returns {Session} */
export function toThisThread() {
  return connected((session) => session.connect());
}

/** @param {(session: import('node:inspector').Session) => void} connect @returns {Session} */
function connected(connect) {
  // Not before it is needed: a build of Node.js may lack it.
  const inspector = require('node:inspector');
  const session = new inspector.Session();
  connect(session);
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
