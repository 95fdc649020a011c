// @ts-check
/** A thread of threads.js: it reads what it is told to, one process variable at a time, and leaves no connection behind. */

import { parentPort, workerData } from 'node:worker_threads';
import { openClient } from '../src/ca/client.js';
import { oneAtATime } from './variants.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const client = await openClient(workerData);

port.on('message', async ({ name, timeout_ms }) => {
  const read = await oneAtATime(client, [name], timeout_ms);
  client.forget(name);
  port.postMessage(read.get(name));
});
port.postMessage(undefined);
