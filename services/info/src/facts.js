// @ts-check
/** What the page shows about the process it comes from. */

import { availableParallelism } from 'node:os';

/**
 * @typedef {object} Facts
 * @property {string[]} arguments
 * @property {string} platform
 * @property {string} node_version
 * @property {number} rss_bytes
 * @property {string} executable
 * @property {number} process_id
 * @property {string} working_directory
 * @property {number} cpus
 * @property {number | undefined} port
 */

/** @param {number | undefined} port that the request came in by @returns {Facts} */
export function collectFacts(port) {
  return {
    arguments: process.argv,
    platform: `${process.platform} ${process.arch}`,
    node_version: process.version,
    rss_bytes: process.memoryUsage.rss(),
    executable: process.execPath,
    process_id: process.pid,
    working_directory: process.cwd(),
    cpus: availableParallelism(),
    port,
  };
}
