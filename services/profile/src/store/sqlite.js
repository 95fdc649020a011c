// @ts-check
/**
 * The embedded store: SQLite in a worker thread, so that a slow disk holds up the thread and never the event
 * loop that serves requests. Messages get their responses in the order in which they were sent.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** @import { Store } from '../ports.js' */

/**
 * @param {string} path of the database file; created if absent
 * @returns {Promise<Store>} rejects when the file cannot be opened
 */
export async function openSqliteStore(path) {
  const worker = new Worker(new URL('./sqlite-worker.js', import.meta.url), { workerData: { path } });
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let calls = 0;
  /** @type {Error | undefined} */
  let failure;

  worker.on('message', ({ call, value, error }) => {
    const waiter = waiting.get(call);
    waiting.delete(call);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(`failed to ${error}`));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the store is closed')));

  /** @param {Error} error */
  function fail(error) {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(failure);
    waiting.clear();
  }

  /** @param {string} method @param {unknown[]} args @returns {Promise<any>} */
  function ask(method, ...args) {
    if (failure !== undefined) return Promise.reject(failure);
    return new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      worker.postMessage({ call: calls, method, args });
    });
  }

  await ask('open');
  return {
    readProfile: (id) => ask('readProfile', id),
    writeProfiles: (changes) => ask('writeProfiles', changes),
    readUser: (id) => ask('readUser', id),
    createUsers: (newcomers) => ask('createUsers', newcomers),
    healthy: () => failure === undefined,
    async close() {
      if (failure !== undefined) return;
      const exited = once(worker, 'exit');
      await ask('close');
      await exited;
    },
  };
}
