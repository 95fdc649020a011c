// @ts-check
/**
 * What runs beside the study: it takes the messages of the service on a free port, acknowledges those that ask for it, and
 * keeps the newest of each profile. It runs on the last core, as it would on a machine of its own.
 */

import { spawnSync } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { Router } from 'zeromq';

const LOWEST_PRIORITY = 19;

setPriority(LOWEST_PRIORITY);
const last = availableParallelism() - 1;
spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', `${last}`, `${process.pid}`]);

const socket = new Router({ linger: 0 });
await socket.bind('tcp://127.0.0.1:*');
process.stdout.write(`${JSON.stringify({ STUDY_ZEROMQ_URL: socket.lastEndpoint })}\n`);
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => socket.close());

/** @type {Map<string, Buffer>} */
const newest = new Map();
let received = 0;
for await (const [sender, number, acknowledge, id, text] of socket) {
  received += 1;
  newest.set(`${id}`, text);
  if (acknowledge.length > 0) await socket.send([sender, number]);
}
process.stderr.write(`received ${received} changes of ${newest.size} profiles\n`);
