// @ts-check
/**
 * Composition by a flow: each service calls the next. The first service of a block leads it: it does its own part,
 * asks the others of the block at the same time, hands the rest of the slip to the leader of the next block, and
 * responds with what came of all that. The conductor hands the whole slip to the first leader and gets the page.
 *
 * This file is both ends of it: `handOn` is what conductor and leaders do, `lead` what only leaders do.
 */

import { askBlock, isContent, MISSING_REASONS, missing, references } from './parts.js';

/** @import { Call, MissingReason } from '../upstream/caller.js' */
/** @import { PlannedCall } from './description.js' */
/** @import { Part } from './parts.js' */
/** @import { Scope } from './scope.js' */

/**
 * What a leader is given. Services are named, not addressed: where they are, each looks up itself.
 * @typedef {{ account: string, basis: string[], blocks: PlannedCall[][] }} Slip
 */

/** What a leader needs to respond before its caller gives up, when all behind it have used up their time. */
const HOP_MS = 50;

/** The longest that the blocks take together. @param {PlannedCall[][]} blocks @returns {number} ms */
export function flowTimeout(blocks) {
  return blocks
    .map((block) => HOP_MS + Math.max(...block.map(({ timeout_ms }) => timeout_ms)))
    .reduce((sum, block_ms) => sum + block_ms, 0);
}

/**
 * Gives the slip to the leader of its first block. Never rejects: what a lost leader would have got is missing.
 * @param {Call} call
 * @param {Slip} slip
 * @param {Scope} scope
 * @returns {Promise<Part[][]>} of each block
 */
export async function handOn(call, slip, scope) {
  const { blocks } = slip;
  const outcome = await call(
    {
      upstream: blocks[0][0].upstream,
      method: 'POST',
      path: '/flow',
      body: JSON.stringify(slip),
      timeout_ms: flowTimeout(blocks),
    },
    scope,
  );
  if (outcome.reason !== undefined) return lost(blocks, outcome.reason);
  return fits(outcome.value, blocks) ? outcome.value : lost(blocks, 'malformed');
}

/**
 * @param {Call} call
 * @param {Slip} slip
 * @param {() => Promise<Part>} ownPart
 * @param {Scope} scope
 * @returns {Promise<Part[][]>} of each block
 */
export async function lead(call, { account, basis, blocks }, ownPart, scope) {
  const [[, ...others], ...rest] = blocks;
  const [own, asked] = await Promise.all([ownPart(), askBlock(call, others, { account, basis }, scope)]);
  const parts = [own, ...asked];
  if (rest.length === 0) return [parts];
  return [parts, ...(await handOn(call, { account, basis: references(parts), blocks: rest }, scope))];
}

/** @param {PlannedCall[][]} blocks @param {MissingReason} reason of the leader @returns {Part[][]} */
function lost(blocks, reason) {
  const leader = blocks[0][0];
  return blocks.map((block) =>
    block.map((planned) => missing(planned.upstream, planned === leader ? reason : 'not_reached')),
  );
}

/** Whether a leader responded to what it was asked. @param {unknown} value @param {PlannedCall[][]} blocks @returns {value is Part[][]} */
function fits(value, blocks) {
  if (!Array.isArray(value) || value.length !== blocks.length) return false;
  return blocks.every((block, row) => {
    const parts = value[row];
    return (
      Array.isArray(parts) &&
      parts.length === block.length &&
      block.every(({ upstream }, column) => isPart(parts[column], upstream))
    );
  });
}

/** @param {unknown} value @param {string} name */
function isPart(value, name) {
  const part = /** @type {Partial<Record<'name' | 'status' | 'reason' | 'content', unknown>> | null} */ (
    value
  );
  if (part?.name !== name) return false;
  return part.status === 'present' ? isContent(part.content) : isReason(part.reason);
}

/** A reason is counted and shown, so it has to be one of ours. @param {unknown} value */
function isReason(value) {
  return MISSING_REASONS.some((reason) => reason === value);
}
