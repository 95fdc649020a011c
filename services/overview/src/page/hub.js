// @ts-check
/** Composition by a hub: the conductor makes every call itself, one block after the other. */

import { askBlock, references } from './parts.js';

/** @import { Call } from '../upstream/caller.js' */
/** @import { PlannedCall } from './description.js' */
/** @import { Part } from './parts.js' */
/** @import { Scope } from './scope.js' */

/**
 * @param {Call} call
 * @param {PlannedCall[][]} blocks
 * @param {string} account
 * @param {Scope} scope
 * @returns {Promise<Part[][]>} of each block
 */
export async function composeByHub(call, blocks, account, scope) {
  /** @type {Part[][]} */
  const done = [];
  /** @type {string[]} */
  let basis = [];
  for (const block of blocks) {
    const parts = await askBlock(call, block, { account, basis }, scope);
    basis = references(parts);
    done.push(parts);
  }
  return done;
}
