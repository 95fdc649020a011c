// @ts-check
/** The page: composed one way or the other, in time, and saying what it lacks. */

import { handOn } from './flow.js';
import { composeByHub } from './hub.js';

/** @import { Call } from '../upstream/caller.js' */
/** @import { Description } from './description.js' */
/** @import { Part } from './parts.js' */
/** @import { Scope } from './scope.js' */

/**
 * @typedef {object} Page
 * @property {string} account
 * @property {'hub' | 'flow'} composition
 * @property {boolean} complete
 * @property {string[]} missing names of the parts that did not come
 * @property {{ name: string, parts: Part[] }[]} blocks
 */

/**
 * @param {Call} call
 * @param {Description} description
 * @param {'hub' | 'flow'} composition
 * @returns {(account: string, scope: Scope) => Promise<Page>} never rejects; ends at the deadline, with what came
 */
export function createOverview(call, { deadline_ms, blocks }, composition) {
  const calls = blocks.map((block) => block.calls);

  return async function overview(account, scope) {
    const deadline = setTimeout(() => scope.end('deadline'), deadline_ms);
    const parts =
      composition === 'hub'
        ? await composeByHub(call, calls, account, scope)
        : await handOn(call, { account, basis: [], blocks: calls }, scope);
    clearTimeout(deadline);
    const missing = parts.flat().flatMap(({ name, status }) => (status === 'missing' ? [name] : []));
    return {
      account,
      composition,
      complete: missing.length === 0,
      missing,
      blocks: blocks.map(({ name }, index) => ({ name, parts: parts[index] })),
    };
  };
}
