// @ts-check
// Where Node.js enters: as a preload in each thread of the service, and once more in the thread that ships the figures.

import { fstatSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { getHeapStatistics } from 'node:v8';
import { isMainThread, parentPort, threadId, Worker, workerData } from 'node:worker_threads';
import { cluster, onListening } from './arm.js';
import { collect, prepareToCollect } from './collect.js';
import { counters } from './count.js';
import { wrapConstructions } from './functions/constructions.js';
import { wrapCrypto } from './functions/crypto.js';
import { wrapFiles } from './functions/files.js';
import { wrapJson } from './functions/json.js';
import { wrapMade } from './functions/made.js';
import { wrapModules } from './functions/modules.js';
import { wrapOthers } from './functions/others.js';
import { wrapConsole, wrapStreams } from './functions/output.js';
import { wrapZlib } from './functions/zlib.js';
import { watchKept } from './kept.js';
import { knownLayers, labelLog, servingLayers, startLabels, stopLabels, watchLayers } from './layers.js';
import { watchLoop } from './loop.js';
import { tellLoopDelays } from './loop_delays.js';
import { kept } from './memory.js';
import { watchMessages } from './messages.js';
import { originsOf } from './origins.js';
import { watchPools } from './pools.js';
import { refuse, skipped, unfit } from './refuse.js';
import { knownRoutes, watchRoutes } from './routes.js';
import { watchServed, watchServer } from './served.js';
import { readSettings } from './settings.js';
import { ship } from './ship.js';
import { profileThisThread } from './started.js';
import { quietly, state, switchOff } from './state.js';
import { now_ms } from './table.js';
import { firstThreads, tellThatItServes } from './threads.js';
import { watchUpstream } from './upstream.js';
import { listening, serving, without } from './without.js';

const MARK = 'plimsoll.probe/1';
/** The longest that an exit waits for the last figures. */
const GOODBYE_MS = 100;

if (workerData?.protocol === MARK) {
  ship(workerData);
} else {
  const settings = readSettings(process.env.PLIMSOLL_PROBE);
  if (settings) quietly(() => preload(settings));
}

/** @param {import('./settings.js').Settings} settings */
function preload(settings) {
  state.refuse = (error) => refuse(settings.socket, error);
  const reason = unfit();
  if (reason !== undefined) {
    state.refuse(reason);
    return;
  }
  state.stacks_per_s = settings.stacks_per_s;
  state.trace_pauses = settings.trace_pauses;
  const counting = settings.mode === 'counters';
  if (counting) {
    const parts = [
      wrapJson,
      wrapFiles,
      wrapConsole,
      wrapCrypto,
      wrapZlib,
      wrapOthers,
      wrapModules,
      wrapConstructions,
      watchPools,
      watchMessages,
      watchKept,
      wrapMade,
    ];
    for (const part of parts) quietly(part);
  }
  if (settings.mode === 'without') quietly(() => without(settings.without));
  if (settings.mode === 'routes') quietly(watchRoutes);
  // That of the hooks of ES modules included, which sleeps.
  const threads = firstThreads(threadpoolSize());
  if (settings.mode === 'profile' || settings.mode === 'memory') {
    if (!isMainThread) {
      // That of the hooks has no parent.
      if (parentPort !== null) profileThisThread(settings.socket, hello(settings), threads.started);
      return;
    }
  }
  if (settings.mode === 'profile') quietly(watchLayers);
  let armed = false;
  onListening((address, server) => {
    if (!armed) {
      armed = true;
      try {
        arm(settings, threads);
      } catch (error) {
        switchOff(error);
      }
    }
    if (counting) quietly(() => watchServer(server));
    if (settings.mode === 'without') listening(server);
    state.tell({ type: 'listening', ...address });
  });
  // What ES modules import by name.
  syncBuiltinESMExports();
}

/** @param {import('./settings.js').Settings} settings @param {import('./threads.js').Threads} threads */
function arm(settings, threads) {
  const counting = settings.mode === 'counters';
  if (counting) quietly(wrapStreams);
  const exit_waits = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(__filename, {
    name: 'plimsoll probe',
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    workerData: {
      protocol: MARK,
      settings,
      table: state.table,
      counters: counters.map(({ name, kind }) => ({ name, kind })),
      exit_waits,
      armed_ms: now_ms(),
      hello: hello(settings),
      labels: settings.mode === 'profile' ? labelLog : undefined,
      threads,
    },
  });
  worker.on('message', ({ type, places, id }) => {
    if (type === 'origins') quietly(() => worker.postMessage({ type, origins: originsOf(places) }));
    if (type === 'collect') quietly(() => collect(() => worker.postMessage({ type: 'collected' })));
    if (type === 'kept') quietly(() => worker.postMessage(kept(id)));
    if (type === 'list_routes') quietly(() => state.tell({ type: 'routes', routes: knownRoutes() }));
    if (type === 'start_labels') quietly(startLabels);
    if (type === 'stop_labels') {
      quietly(stopLabels);
      quietly(() => worker.postMessage({ type: 'layers', layers: knownLayers() }));
    }
  });
  tellThatItServes(threads.started);
  if (settings.mode === 'profile') {
    servingLayers();
    state.undo.push(stopLabels);
  }
  worker.on('error', switchOff);
  worker.on('exit', () => switchOff());
  worker.unref();
  state.tell = (note) => worker.postMessage(note);
  if (settings.loop_delays) quietly(tellLoopDelays);
  if (counting) {
    for (const part of [prepareToCollect, watchLoop, watchServed, watchUpstream]) quietly(part);
    state.on = true;
  }
  if (settings.mode === 'without') {
    state.on = true;
    serving();
  }
  process.once('exit', (code) => {
    quietly(() => {
      state.on = false;
      worker.postMessage({ type: 'exit', code });
      // 1 while there is a receiver to say it to.
      if (Atomics.load(exit_waits, 0) === 1) Atomics.wait(exit_waits, 0, 1, GOODBYE_MS);
    });
  });
}

function threadpoolSize() {
  return Number(process.env.UV_THREADPOOL_SIZE) || 4;
}

/** @param {import('./settings.js').Settings} settings */
function hello(settings) {
  const main = process.argv[1];
  return {
    type: 'hello',
    protocol: MARK,
    mode: settings.mode,
    pid: process.pid,
    ppid: process.ppid,
    thread_id: isMainThread ? 0 : threadId,
    cluster_worker: cluster().worker?.id ?? null,
    node: process.versions.node,
    v8: process.versions.v8,
    main: main === undefined ? null : resolve(main),
    cwd: process.cwd(),
    exec_argv: process.execArgv,
    node_env: process.env.NODE_ENV ?? null,
    threadpool_size: threadpoolSize(),
    cores: availableParallelism(),
    heap_limit_bytes: getHeapStatistics().heap_size_limit,
    skipped: settings.mode === 'counters' ? skipped() : [],
    stdout: kindOf(1),
    stderr: kindOf(2),
    unix_ms: performance.timeOrigin + performance.now(),
  };
}

/** @param {number} descriptor */
function kindOf(descriptor) {
  try {
    if (isatty(descriptor)) return 'tty';
    const stat = fstatSync(descriptor);
    if (stat.isFile()) return 'file';
    if (stat.isFIFO()) return 'pipe';
    if (stat.isSocket()) return 'socket';
    // The null device is 1:3 on Linux.
    return stat.isCharacterDevice() && stat.rdev === 259 ? 'null' : 'other';
  } catch {
    return 'other';
  }
}
