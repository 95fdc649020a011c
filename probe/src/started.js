// @ts-check
// A thread that the service starts and that serves nothing itself, as those of a pool: it takes its own profile, or says what it keeps,
// because nobody else can reach its inspector.

import net from 'node:net';
import { pathToFileURL } from 'node:url';
import { leaveOutOfAllocations, leaveOutOfProfile } from './labelled.js';
import { readLines } from './lines.js';
import { kept } from './memory.js';
import { originsOf } from './origins.js';
import { createProfiler, toThisThread } from './profile.js';
import { quietly } from './state.js';
import { isServing, timesOfThisThread } from './threads.js';

/** A thread that lives shorter than that is for one request, and there may be thousands of them. */
const AGE_MIN_MS = 300;

/**
 * Once the process is a service.
 * @param {string} path of the socket of the receiver @param {object} hello @param {Int32Array} started
 */
export function profileThisThread(path, hello, started) {
  const looking = setInterval(() => {
    if (!isServing(started)) return;
    clearInterval(looking);
    quietly(() => begin(path, hello));
  }, AGE_MIN_MS);
  looking.unref();
}

/** @param {string} path @param {object} hello */
function begin(path, hello) {
  const script = pathToFileURL(__filename).href;
  const profiler = createProfiler(toThisThread, {
    times: timesOfThisThread(),
    originsOf: async (places) => originsOf(places),
    started: () => {},
    stopped: () => {},
    allocated: (head) => leaveOutOfAllocations(head, __filename),
    labelled: (profile) => leaveOutOfProfile(profile, script),
  });
  const socket = net.connect(path);
  // Neither it nor what it says keeps the thread going.
  socket.unref();
  socket.on('error', () => {});
  socket.on('close', () => quietly(profiler.close));
  const send = (/** @type {object} */ message) => socket.write(`${JSON.stringify(message)}\n`);
  socket.on('connect', () => send(hello));
  readLines(socket, (line) => quietly(() => obey(JSON.parse(line))));

  /** @param {import('./profile.js').Command} command */
  async function obey(command) {
    try {
      if (command.type === 'collect') send(kept(command.id ?? 0));
      else send({ ...(await profiler.obey(command)), id: command.id });
    } catch (error) {
      send({ type: 'error', id: command.id, message: String(/** @type {any} */ (error)?.message ?? error) });
    }
  }
}
