// @ts-check
/**
 * One worker for each core, all on one port. The primary process serves no request: it starts workers, replaces those
 * that die, and gathers what they count.
 */

import cluster from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { mergeMetrics } from './metrics.js';

/** @import { Worker } from 'node:cluster' */
/** @import { Config } from '../config.js' */

/** Between the death of a worker and its replacement, so that one that cannot start does not keep the core busy. */
const PAUSE_MS = 500;

/**
 * @param {Config} config
 * @returns {Promise<{ stop: () => Promise<void> }>} rejects when a first worker does not start
 */
export async function startWorkers({ workers }) {
  let stopping = false;
  /** @type {Map<number, { ask: number, resolve: (text: string) => void }>} the response that each worker owes */
  const owed = new Map();
  let asks = 0;

  cluster.on('message', async (worker, { metrics, ask }) => {
    if (typeof metrics === 'string') {
      const debt = owed.get(worker.id);
      if (debt !== undefined && debt.ask === ask) debt.resolve(metrics);
    } else if (metrics === true) {
      const text = await gather();
      if (worker.isConnected()) worker.send({ response: ask, text });
    }
  });
  cluster.on('exit', async (worker) => {
    owed.get(worker.id)?.resolve('');
    if (stopping) return;
    await wait(PAUSE_MS);
    if (!stopping) cluster.fork({ PROFILE_SEED_USERS: '0' });
  });

  /** @type {Promise<string> | undefined} */
  let gathering;
  /** What all workers count; asked for twice at the same time, they are asked once. */
  function gather() {
    gathering ??= gatherNow().finally(() => {
      gathering = undefined;
    });
    return gathering;
  }

  async function gatherNow() {
    asks += 1;
    const ask = asks;
    const asked = running().filter((worker) => worker.isConnected());
    const texts = await Promise.all(
      asked.map(
        (worker) =>
          new Promise((/** @type {(text: string) => void} */ resolve) => {
            owed.set(worker.id, { ask, resolve });
            worker.send({ report: ask });
          }),
      ),
    );
    for (const { id } of asked) owed.delete(id);
    return mergeMetrics(asked.map(({ id }, index) => [`${id}`, texts[index]]));
  }

  async function stop() {
    stopping = true;
    const ended = running().map(async (worker) => {
      worker.process.kill('SIGTERM');
      await once(worker, 'exit');
    });
    await Promise.all(ended);
  }

  try {
    // The first one alone makes the seeded users.
    await fork({});
    await Promise.all(Array.from({ length: workers - 1 }, () => fork({ PROFILE_SEED_USERS: '0' })));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** @param {Record<string, string>} env */
async function fork(env) {
  const worker = cluster.fork(env);
  const died = once(worker, 'exit').then(() => {
    throw new Error(`worker ${worker.id} did not start; what it says is above`);
  });
  await Promise.race([once(worker, 'listening'), died]);
  died.catch(() => {});
}

/** @returns {Worker[]} */
function running() {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}
