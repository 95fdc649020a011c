// @ts-check
/** The metrics of several workers under one port: every value is told with its worker, and adding is left to the reader. */

import cluster from 'node:cluster';

/**
 * How a process tells its metrics: its own, or those of all workers if it is one of them.
 * @param {() => string} own
 * @returns {() => string | Promise<string>}
 */
export function exposition(own) {
  if (!cluster.isWorker) return own;
  let asks = 0;
  /** @type {Map<number, (text: string) => void>} */
  const waiting = new Map();
  process.on('message', (/** @type {{ report?: number, response?: number, text?: string }} */ message) => {
    if (message.report !== undefined) process.send?.({ metrics: own(), ask: message.report });
    if (message.response !== undefined) {
      waiting.get(message.response)?.(message.text ?? '');
      waiting.delete(message.response);
    }
  });
  return () =>
    new Promise((resolve) => {
      asks += 1;
      waiting.set(asks, resolve);
      process.send?.({ metrics: true, ask: asks });
    });
}

/**
 * @param {[string, string][]} texts of each worker, in the text format of Prometheus
 * @returns {string} in which each value has the label `worker`
 */
export function mergeMetrics(texts) {
  /** @type {Map<string, { comments: string[], values: string[] }>} */
  const families = new Map();
  for (const [worker, text] of texts) {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const name = /** @type {RegExpExecArray} */ (/^(?:# (?:HELP|TYPE) )?(\w+)/.exec(line))[1];
      const family = families.get(name) ?? { comments: [], values: [] };
      families.set(name, family);
      if (line.startsWith('#')) {
        if (!family.comments.includes(line)) family.comments.push(line);
      } else {
        family.values.push(labelled(line, worker));
      }
    }
  }
  const lines = [...families.values()].flatMap(({ comments, values }) => [...comments, ...values]);
  return `${lines.join('\n')}\n`;
}

/** @param {string} line @param {string} worker */
function labelled(line, worker) {
  const label = `worker="${worker}"`;
  if (line.includes('{')) return line.replace('{', `{${label},`);
  return line.replace(' ', `{${label}} `);
}
