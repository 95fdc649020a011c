// @ts-check
/** A real service on a free port before a real controller, and ways to ask it. */

import { asker } from '@plimsoll/service-common/testing/client.js';
import { readConfig } from '../src/config.js';
import { startService } from '../src/service.js';

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string>} env such as that of a controller
 */
export async function start(t, env) {
  /** @type {string[]} */
  const lines = [];
  // On a busy machine what is alive may take its time; only the dead are waited for in vain.
  const defaults = { PORT: '0', SNAPSHOT_SHUTDOWN_GRACE_MS: '500', SNAPSHOT_TIMEOUT_MS: '10000' };
  const service = await startService(readConfig({ ...defaults, ...env }), {
    write: (line) => void lines.push(line),
  });
  /** @type {Promise<void> | undefined} */
  let stopped;
  function stop() {
    stopped ??= service.stop();
    return stopped;
  }
  t.after(stop);

  const ask = asker(service.url);

  /** The value of one line of the metrics. @param {string} name with its labels */
  async function metric(name) {
    const { text } = await ask('/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  }

  return { url: service.url, ask, metric, stop, lines };
}

/**
 * Asks again until the response is as it should be. The test runner's own timeout ends what never comes.
 * @template T
 * @param {() => Promise<T>} question
 * @param {(response: T) => boolean} expected
 */
export async function until(question, expected) {
  for (;;) {
    const response = await question();
    if (expected(response)) return response;
  }
}

/**
 * The events of one response, as they come.
 * @param {Response} res
 * @returns {AsyncGenerator<{ event: string, id: number, data: any }>}
 */
export async function* events(res) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of /** @type {AsyncIterable<Uint8Array>} */ (res.body)) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
      );
      if (fields.event === undefined) continue;
      yield { event: fields.event, id: Number(fields.id), data: JSON.parse(fields.data) };
    }
  }
}
